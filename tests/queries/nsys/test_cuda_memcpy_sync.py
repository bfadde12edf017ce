"""cuda_memcpy_sync by hand and against a loop over the source rows; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.queries.conftest import Traced, each_export
from tests.queries.nsys.copy_rules import OPS, calls_of, is_of_one_process, pairs


@pytest.mark.parametrize(
    ("name", "copy", "is_here"),
    [
        ("cudaMemcpy_v3020", "64001,HtoD,,", True),
        ("cudaMemcpy_v3020", "64000,HtoD,,", False),
        ("cudaMemcpy_v3020", "1,DtoH,,", True),
        ("cudaMemcpyToSymbol_v3020", "99999,HtoD,,", True),
        ("cudaMemcpy_v3020", "99999,DtoD,0,0", False),
        ("cudaMemcpyPeer_v4000", "99999,PtoP,0,1", True),
        ("cudaMemcpy_v3020", "99999,DtoD,0,", True),
        ("cudaMemcpyAsync_v3020", "99999,DtoH,,", False),
        ("cuMemcpyDtoH_v2", "99999,DtoH,,", False),
    ],
)
def test_what_is_here(name: str, copy: str, is_here: bool) -> None:
    ops = OPS.removesuffix(",size_bytes")
    check(
        rows=calls_of(name)
        | {"memcpys": f"{ops},size_bytes,direction,src_device_id,dst_device_id\n1,1,83886080,0,1,7,100,20,{copy}"},
        query="SELECT op_id FROM cuda_memcpy_sync",
        expect=f"op_id\n{1 if is_here else ''}",
    )


@each_export("memcpy", "mpi_openacc_4proc", "saxpy_mpi_2022_2", "gpu_metrics_a100")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    found = traced.rows("cuda_memcpy_sync", "start_ns, dur_ns, size_bytes, pid, api_name")
    assert found == sorted(
        (op["start"], op["end"] - op["start"], op["bytes"], op["globalPid"] >> 24 & 0xFFFFFF, call["name"])
        for op, call in pairs(traced.export, "MEMCPY", "cudaMemcpy")
        if is_of_one_process(op, call)
        and "Async" not in call["name"]
        and not (op["copyKind"] == 1 and op["bytes"] <= 64000)
        and (op["srcDeviceId"] is None or op["srcDeviceId"] != op["dstDeviceId"])
    )
