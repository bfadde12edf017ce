"""cuda_memset_sync by hand and against a loop over the source rows; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.queries.conftest import Traced, each_export
from tests.queries.nsys.copy_rules import OPS, calls_of, is_of_one_process, pairs


@pytest.mark.parametrize(
    ("name", "kind", "is_here"),
    [
        ("cudaMemset_v3020", "managed", True),
        ("cudaMemset2D_v3020", "pinned", True),
        ("cudaMemset_v3020", "device", False),
        ("cudaMemset_v3020", "managed_static", False),
        ("cudaMemset_v3020", "", False),
        ("cudaMemsetAsync_v3020", "managed", False),
        ("cuMemsetD8_v2", "managed", False),
    ],
)
def test_what_is_here(name: str, kind: str, is_here: bool) -> None:
    check(
        rows=calls_of(name) | {"memsets": f"{OPS},memory_kind\n1,1,83886080,0,1,7,100,20,4096,{kind}"},
        query="SELECT op_id FROM cuda_memset_sync",
        expect=f"op_id\n{1 if is_here else ''}",
    )


def test_columns() -> None:
    columns = "dur_ns,start_ns,memory_kind,size_bytes,pid,device_id,context_id,green_context_id,stream_id,api_name"
    check(
        rows=calls_of("cudaMemset_v3020") | {"memsets": f"{OPS},memory_kind\n1,1,83886080,0,1,7,100,20,4096,managed"},
        query=f"SELECT {columns} FROM cuda_memset_sync",
        expect=f"{columns}\n20,100,Managed,4096,5,0,1,,7,cudaMemset_v3020",
    )


@each_export("memcpy", "jetson_2024_5", "mpi_openacc_4proc")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    found = traced.rows("cuda_memset_sync", "start_ns, dur_ns, size_bytes, pid, api_name")
    assert found == sorted(
        (op["start"], op["end"] - op["start"], op["bytes"], op["globalPid"] >> 24 & 0xFFFFFF, call["name"])
        for op, call in pairs(traced.export, "MEMSET", "cudaMemset")
        if is_of_one_process(op, call) and "Async" not in call["name"] and op["memKind"] in (1, 4)
    )
