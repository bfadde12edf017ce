"""memcpys: directions, kinds of memory, migrations."""

from __future__ import annotations

import pytest

from tests.blueprint import check

COPIES = "raw.CUPTI_ACTIVITY_KIND_MEMCPY"
HEADER = "report_id,_rowid,globalPid,deviceId,contextId,streamId,start,end,copyKind,bytes,srcKind,dstKind,copyCount,migrationCause,virtualAddress\n"


@pytest.mark.parametrize(
    ("row", "expect"),
    [
        pytest.param("1,1,9,0,1,7,10,20,1,100,0,2,,,", "9,HtoD,pageable,device,1,False,,1,7,", id="pageable"),
        pytest.param("1,1,9,0,1,7,10,20,2,100,2,1,3,,", "9,DtoH,device,pinned,3,False,,1,7,", id="batched"),
        pytest.param(
            "1,1,9,0,0,0,10,20,11,100,7,7,,2,-1",
            "9,HtoD,unknown,unknown,1,True,page_fault,,,18446744073709551615",
            id="migration",
        ),
        pytest.param("1,1,9,0,1,7,10,20,99,100,,,,,", "9,unknown,,,1,False,,1,7,", id="a kind of tomorrow"),
    ],
)
def test_cases(row: str, expect: str) -> None:
    check(
        rows={COPIES: HEADER + row},
        query="SELECT op_id, direction, src_kind, dst_kind, copy_count, is_migration, migration_cause, context_id, stream_id, virtual_address FROM memcpys",
        expect=f"op_id,direction,src_kind,dst_kind,copy_count,is_migration,migration_cause,context_id,stream_id,virtual_address\n{expect}",
    )
