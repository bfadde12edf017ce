"""memcpy_sum on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from collections import defaultdict

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.conftest import EXPORTS

COPIES = "report_id,op_id,process_id,gpu_id,direction,src_kind,dst_kind,is_migration,size_bytes,copy_count,dur_ns\n"


def test_sums_by_direction_and_memory() -> None:
    check(
        rows={
            "memcpys": COPIES
            + "1,9,5,0,HtoD,pageable,device,false,100,1,10\n1,17,5,0,HtoD,pageable,device,false,300,4,30\n"
            + "1,25,5,0,HtoD,pinned,device,false,50,1,0\n1,33,5,0,HtoD,,,true,8,1,4"
        },
        query="""SELECT src_kind, is_migration, op_count, copy_count, size_bytes, dur_ns, bytes_per_s, mean_bytes, min_ns, max_ns
            FROM memcpy_sum ORDER BY size_bytes DESC""",
        expect="""src_kind,is_migration,op_count,copy_count,size_bytes,dur_ns,bytes_per_s,mean_bytes,min_ns,max_ns
            pageable,False,2,5,400,40,10000000000.0,200.0,10,30
            pinned,False,1,1,50,0,,50.0,0,0
            ,True,1,1,8,4,2000000000.0,8.0,4,4""",
    )


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export) -> None:
    directions = {1: "HtoD", 2: "DtoH", 8: "DtoD", 10: "PtoP"}
    kinds = {0: "pageable", 1: "pinned", 2: "device"}
    sums = defaultdict(lambda: [0, 0, 0])
    for m in rows_of(export, "CUPTI_ACTIVITY_KIND_MEMCPY"):
        key = m["globalPid"], directions[m["copyKind"]], kinds[m["srcKind"]], kinds[m["dstKind"]]
        for i, value in enumerate((1, m["bytes"], m["end"] - m["start"])):
            sums[key][i] += value
    report = db.report_ids([export.stem])[0]
    columns = "process_id, direction, src_kind, dst_kind, op_count, size_bytes, dur_ns"
    rows = db.sql(f"SELECT {columns} FROM memcpy_sum WHERE report_id = {report}").fetchall()
    assert set(rows) == {(*key, *values) for key, values in sums.items()}
