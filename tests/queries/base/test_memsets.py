"""memsets: bytes and kind of memory."""

from __future__ import annotations

from tests.blueprint import check


def test_one() -> None:
    check(
        rows={
            "raw.CUPTI_ACTIVITY_KIND_MEMSET": "report_id,_rowid,globalPid,deviceId,start,end,bytes,value,memKind\n1,2,9,0,10,25,64,255,4\n1,3,9,0,30,31,8,0,"
        },
        query="SELECT op_id, gpu_id, dur_ns, size_bytes, fill_value, memory_kind FROM memsets ORDER BY op_id",
        expect="op_id,gpu_id,dur_ns,size_bytes,fill_value,memory_kind\n18,0,15,64,255,managed\n26,0,1,8,0,",
    )
