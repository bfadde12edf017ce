"""cuda_memcpy_async by hand and against a loop over the source rows; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.queries.conftest import Traced, each_export
from tests.queries.nsys.copy_rules import OPS, calls_of, is_of_one_process, pairs


@pytest.mark.parametrize(
    ("name", "kinds", "is_here"),
    [
        ("cudaMemcpyAsync_v3020", "pageable,device", True),
        ("cudaMemcpyAsync_ptsz_v7000", "device,pageable", True),
        ("cudaMemcpy2DAsync_v3020", "pageable,pinned", True),
        ("cudaMemcpyAsync_v3020", "pinned,device", False),
        ("cudaMemcpyAsync_v3020", ",device", False),
        ("cudaMemcpy_v3020", "pageable,device", False),
        ("cuMemcpyHtoDAsync_v2", "pageable,device", False),
        ("cudaGraphLaunch_v10000", "pageable,device", False),
    ],
)
def test_what_is_here(name: str, kinds: str, is_here: bool) -> None:
    check(
        rows=calls_of(name) | {"memcpys": f"{OPS},src_kind,dst_kind\n1,1,83886080,0,1,7,100,20,4096,{kinds}"},
        query="SELECT op_id FROM cuda_memcpy_async",
        expect=f"op_id\n{1 if is_here else ''}",
    )


def test_columns() -> None:
    columns = "dur_ns,start_ns,src_kind,dst_kind,size_bytes,pid,device_id,context_id,green_context_id,stream_id,api_name"
    check(
        rows=calls_of("cudaMemcpyAsync_v3020")
        | {"memcpys": f"{OPS},src_kind,dst_kind,green_context_id\n1,1,83886080,0,1,7,100,20,4096,pageable,device_static,3"},
        query=f"SELECT {columns} FROM cuda_memcpy_async",
        expect=f"{columns}\n20,100,Pageable,Device Static,4096,5,0,1,3,7,cudaMemcpyAsync_v3020",
    )


@each_export("memcpy", "mpi_openacc_4proc", "nccl_payload_2026_2", "saxpy_mpi_2022_2")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    found = traced.rows("cuda_memcpy_async", "start_ns, dur_ns, size_bytes, pid, api_name")
    assert found == sorted(
        (op["start"], op["end"] - op["start"], op["bytes"], op["globalPid"] >> 24 & 0xFFFFFF, call["name"])
        for op, call in pairs(traced.export, "MEMCPY", "cudaMemcpy")
        if is_of_one_process(op, call) and "Async" in call["name"] and 0 in (op["srcKind"], op["dstKind"])
    )
