"""memory_pool_events: kinds and sizes."""

from __future__ import annotations

import pytest

from tests.blueprint import check

POOLS = "raw.CUDA_GPU_MEMORY_POOL_EVENTS"
HEADER = "report_id,_rowid,globalPid,deviceId,start,address,operationType,poolType,correlationId,minBytesToKeep,localMemoryPoolReleaseThreshold,localMemoryPoolSize,localMemoryPoolUtilizedSize\n"
COLUMNS = "pool_event_id,kind,time_ns,pool_address,is_imported,pool_size_bytes,pool_used_bytes,release_threshold_bytes,min_keep_bytes,correlation_id"


@pytest.mark.parametrize(
    ("row", "expect"),
    [
        pytest.param("1,1,9,0,10,-1,1,1,7,0,16,64,8", f"1,created,10,{2**64 - 1},False,64,8,16,,7", id="created"),
        pytest.param("1,1,9,0,10,4096,3,1,7,32,16,64,8", "1,trimmed,10,4096,False,64,8,16,32,7", id="trimmed"),
        pytest.param("1,1,9,0,10,4096,2,2,0,0,,,", "1,destroyed,10,4096,True,,,,,", id="imported"),
        pytest.param("1,1,9,0,10,4096,0,1,0,0,,,", "1,unknown,10,4096,False,,,,,", id="invalid"),
    ],
)
def test_cases(row: str, expect: str) -> None:
    check(rows={POOLS: HEADER + row}, query=f"SELECT {COLUMNS} FROM memory_pool_events", expect=f"{COLUMNS}\n{expect}")
