"""memcpys: directions, kinds of memory, migrations, labels."""

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


def test_labels_are_the_exports_own_words() -> None:
    check(
        rows={
            COPIES: "report_id,_rowid,globalPid,deviceId,start,end,copyKind\n1,1,9,0,1,2,1\n1,2,9,0,1,2,11\n1,3,9,0,1,2,99\n1,4,9,0,1,2,98",
            "raw.ENUM": """report_id,source,id,label
                1,ENUM_CUDA_MEMCPY_OPER,1,Up
                1,ENUM_CUDA_MEMCPY_OPER,1,Up
                1,ENUM_CUDA_MEMCPY_OPER,99,Sideways
                1,ENUM_CUDA_MEM_KIND,98,Other
                2,ENUM_CUDA_MEMCPY_OPER,11,Down""",
        },
        query="SELECT op_id, direction, label FROM memcpys ORDER BY op_id",
        expect="op_id,direction,label\n9,HtoD,Up\n17,HtoD,Unified Host-to-Device\n25,unknown,Sideways\n33,unknown,",
    )


def test_labels_of_an_export_without_names() -> None:
    check(
        rows={
            COPIES: "report_id,_rowid,globalPid,deviceId,start,end,copyKind\n"
            + "\n".join(f"1,{k},9,0,1,2,{k}" for k in (0, 1, 8, 13))
        },
        query="SELECT direction, label FROM memcpys ORDER BY op_id",
        expect="direction,label\nunknown,Unknown\nHtoD,Host-to-Device\nDtoD,Device-to-Device\nDtoD,Unified Device-to-Device",
    )
