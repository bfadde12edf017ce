"""kernel_families on rows that can be checked by eye, against a loop, and on a program that says what it does."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tests.blueprint import check
from tests.brute import family_of, gpu_of, rows_of
from tests.queries.conftest import Traced, each_export

KERNELS = "report_id,op_id,gpu_id,name_id,name,dur_ns\n1,8,0,1,a,10\n1,16,0,1,a,30\n1,24,0,2,b,20\n1,32,0,3,c,40\n1,40,1,1,a,5\n1,48,0,,,100"
FAMILIES = "report_id,name_id,family,operation,precision,tensor_cores\n1,1,gemm,nvjet,bf16,yes\n1,2,gemm,nvjet,bf16,yes\n1,3,,,,unknown\n2,1,copy,,,no"


def test_sums_by_family_and_gpu() -> None:
    check(
        rows={"kernels": KERNELS, "_kernel_families": FAMILIES},
        query="FROM kernel_families ORDER BY gpu_id, family",
        expect="""report_id,gpu_id,family,operation,precision,tensor_cores,kernel_count,name_count,dur_ns,dur_ratio
            1,0,gemm,nvjet,bf16,yes,3,2,60,0.3
            1,0,,,,unknown,2,2,140,0.7
            1,1,gemm,nvjet,bf16,yes,1,1,5,1.0""",
    )


@each_export("families", "nccl_payload_2026_2", "cudf_2020")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    gpu = gpu_of(traced.export)
    found: dict[tuple[Any, ...], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for k in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_KERNEL"):
        name = texts[k["demangledName"]]
        found[(gpu[k["globalPid"], k["deviceId"]], *family_of(name)[1])][name] += k["end"] - k["start"]
    expected = [(*answer, len(names), sum(names.values())) for (_, *answer), names in found.items()]
    rows = traced.rows("kernel_families", "family, operation, precision, tensor_cores, name_count, dur_ns")
    assert sorted(rows, key=str) == sorted(expected, key=str)


IN_RANGES = {
    "fp32": ("fp32", "no"), "tf32": ("tf32", "yes"), "bf16": ("bf16", "yes"), "fp16": ("fp16", "yes"),
    "fp64": ("fp64", "yes"), "fp8": ("fp8", "yes"), "int8": ("int8", "yes"),
}  # fmt: skip
"""Products of a program whose ranges say what they multiply; the library took tensor cores for all but FP32."""


@pytest.mark.corpus
@pytest.mark.parametrize("traced", ["families"], indirect=True)
def test_products_are_what_the_program_says(traced: Traced) -> None:
    query = "SELECT DISTINCT nvtx_path, precision, tensor_cores FROM kernel_launches WHERE family = 'gemm' AND nvtx_path IN"
    rows = traced.db.sql(f"{query} {tuple(IN_RANGES)}").fetchall()
    assert {path: (precision, cores) for path, precision, cores in rows} == IN_RANGES
    assert len(rows) == len(IN_RANGES)


@pytest.mark.corpus
@pytest.mark.parametrize("traced", ["families"], indirect=True)
def test_families_of_the_ranges_of_a_program(traced: Traced) -> None:
    rows = traced.db.sql(
        "SELECT split_part(nvtx_path, '/', 1), family FROM kernel_launches WHERE nvtx_path IS NOT NULL"
    ).fetchall()
    found: dict[str, set[str]] = defaultdict(set)
    for path, family in rows:
        found[path].add(family)
    expected = {
        "conv": {"conv"}, "conv_half": {"conv"}, "attention": {"attention"}, "attention_fp32": {"attention"},
        "batched_gemv": {"linalg"}, "norm_softmax": {"norm", "softmax"}, "embed_gather": {"index"}, "sort_unique": {"sort", "scan"},
        "rnn": {"rnn", "gemm"}, "sparse_fft_linalg": {"sparse", "fft", "linalg"}, "triton_compile": {"reduction"},
    }  # fmt: skip
    assert {name: families & found[name] for name, families in expected.items()} == expected
    assert not any(None in families for families in found.values())
