"""allocations: kinds, addresses, static variables, pools."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

USAGE = "raw.CUDA_GPU_MEMORY_USAGE_EVENTS"
HEADER = "report_id,_rowid,globalPid,deviceId,contextId,streamId,start,address,bytes,memKind,memoryOperationType,name,correlationId,localMemoryPoolAddress,localMemoryPoolSize,localMemoryPoolUtilizedSize\n"
COLUMNS = "kind,memory_kind,context_id,stream_id,time_ns,address,size_bytes,name,correlation_id,pool_address,pool_size_bytes,pool_used_bytes"
KINDS = ["pageable", "pinned", "device", "array", "managed", "device_static", "managed_static", "unknown"]


@pytest.mark.parametrize(
    ("row", "expect"),
    [
        pytest.param("1,1,9,0,1,,10,4096,100,2,0,,7,,,", "alloc,device,1,,10,4096,100,,7,,,", id="device"),
        pytest.param("1,1,9,0,1,,10,4096,100,4,1,,7,0,,", "free,managed,1,,10,4096,100,,7,,,", id="free"),
        pytest.param(
            "1,1,9,0,0,,10,4096,15,5,0,table,0,,,", "alloc,device_static,,,10,4096,15,table,,,,", id="static variable"
        ),
        pytest.param(
            "1,1,9,0,1,13,10,-1,8,2,0,,7,-2,64,8", f"alloc,device,1,13,10,{2**64 - 1},8,,7,{2**64 - 2},64,8", id="pool"
        ),
        pytest.param("1,1,9,0,1,,10,4096,100,99,9,,7,,,", "unknown,,1,,10,4096,100,,7,,,", id="kinds of tomorrow"),
    ],
)
def test_cases(row: str, expect: str) -> None:
    check(rows={USAGE: HEADER + row}, query=f"SELECT {COLUMNS} FROM allocations", expect=f"{COLUMNS}\n{expect}")


@each_export("memcpy", "um_faults")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    expected = sorted(
        (m["_rowid"], ["alloc", "free"][m["memoryOperationType"]], KINDS[m["memKind"]], m["start"], m["address"], m["bytes"], 0)
        for m in rows_of(traced.export, "CUDA_GPU_MEMORY_USAGE_EVENTS")
    )
    columns = "memory_event_id, kind, memory_kind, time_ns, address, size_bytes, gpu_id"
    assert traced.rows("allocations", columns) == expected
