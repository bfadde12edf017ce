"""tensor_core_use on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

import shutil
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import nsysql

from tests.blueprint import check
from tests.brute import family_of, rows_of
from tests.conftest import FIXTURES
from tests.queries.conftest import Traced, each_export

FAMILIES = "report_id,gpu_id,family,operation,precision,tensor_cores,kernel_count,dur_ns\n"


def test_time_on_tensor_cores_and_beside_them() -> None:
    check(
        rows={
            "kernel_families": FAMILIES
            + "1,0,gemm,nvjet,bf16,yes,3,60\n1,0,gemm,xmma,fp32,no,1,20\n1,0,gemm,gemm,,unknown,2,10\n1,0,conv,direct,,unknown,1,10"
            "\n1,0,copy,,,no,5,100\n1,1,attention,fmha,fp16,yes,1,7\n2,0,copy,,,no,1,1"
        },
        query="FROM tensor_core_use ORDER BY report_id, gpu_id, family",
        expect="""report_id,gpu_id,family,kernel_count,dur_ns,tensor_core_ns,cuda_core_ns,unknown_ns,tensor_core_ratio,dur_ratio
            1,0,conv,1,10,0,0,10,,0.05
            1,0,gemm,6,90,60,20,10,0.75,0.45
            1,1,attention,1,7,7,0,0,1.0,1.0""",
    )


@each_export("families", "nccl_payload_2026_2")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    found: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for k in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_KERNEL"):
        family, _, _, cores = family_of(texts[k["demangledName"]])[1]
        if family in ("gemm", "conv", "attention"):
            found[family][str(cores)] += k["end"] - k["start"]
    expected = sorted((family, *(ns[answer] for answer in ("yes", "no", "unknown"))) for family, ns in found.items())
    sums = "SELECT family, sum(tensor_core_ns), sum(cuda_core_ns), sum(unknown_ns) FROM tensor_core_use"
    assert traced.db.sql(f"{sums} WHERE report_id = {traced.report_id} GROUP BY family ORDER BY 1").fetchall() == expected


def test_slow_training_multiplies_without_tensor_cores(db: nsysql.Database) -> None:
    query = "SELECT DISTINCT precision, tensor_cores FROM kernel_families JOIN reports USING (report_id)"
    assert db.sql(f"{query} WHERE name = 'train_bad' AND family = 'gemm'").fetchall() == [("fp32", "no")]


def test_kernels_that_no_rule_knows_are_said(db: nsysql.Database, tmp_path: Path) -> None:
    assert db.bewares(db.catalog.get("tensor_core_use")) == []
    export = tmp_path / "mystery.sqlite"
    shutil.copy(FIXTURES / "tiny.sqlite", export)
    with closing(sqlite3.connect(export)) as con:
        con.execute("UPDATE StringIds SET value = 'mystery' WHERE id IN (SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL)")
        con.commit()
    nsysql.ingest([export], tmp_path / "x.duckdb")
    with nsysql.open(tmp_path / "x.duckdb") as own:
        assert own.query("tensor_core_use").fetchall() == []
        (message,) = own.bewares(own.catalog.get("tensor_core_use"))
        assert "no rule knows the kernels of 100 % of the kernel time" in message
