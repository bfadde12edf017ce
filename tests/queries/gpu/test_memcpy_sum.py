"""memcpy_sum on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from collections import defaultdict

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.conftest import EXPORTS
from tests.queries.conftest import Traced, each_export

COPIES = "report_id,op_id,process_id,gpu_id,direction,src_kind,dst_kind,is_migration,size_bytes,copy_count,dur_ns\n"


def test_sums_by_direction_and_memory() -> None:
    check(
        rows={
            "memcpys": COPIES
            + "1,9,5,0,HtoD,pageable,device,false,100,1,10\n1,17,5,0,HtoD,pageable,device,false,300,4,30\n"
            + "1,25,5,0,HtoD,pinned,device,false,50,1,0\n1,33,5,0,HtoD,,,true,8,1,4",
            "_copies": "report_id,op_id\n1,9\n1,17\n1,25\n1,33",
        },
        query="""SELECT src_kind, is_migration, op_count, copy_count, size_bytes, dur_ns, bytes_per_s, mean_bytes, min_ns, max_ns
            FROM memcpy_sum ORDER BY size_bytes DESC""",
        expect="""src_kind,is_migration,op_count,copy_count,size_bytes,dur_ns,bytes_per_s,mean_bytes,min_ns,max_ns
            pageable,False,2,5,400,40,10000000000.0,200.0,10,30
            pinned,False,1,1,50,0,,50.0,0,0
            ,True,1,1,8,4,2000000000.0,8.0,4,4""",
    )


def test_what_copies_of_a_kind_of_memory_cost() -> None:
    check(
        rows={
            "memcpys": COPIES
            + "1,9,5,0,HtoD,pageable,device,false,100,1,20\n1,17,5,0,HtoD,pageable,device,false,300,1,20\n"
            + "1,25,5,0,HtoD,pinned,device,false,50,1,10\n1,33,5,0,HtoD,unknown,unknown,true,8,1,4",
            "_copies": """report_id,op_id,memory_kind,hidden_ns,call_id,op_number,call_ns,is_async,is_waited,waited_ns
                1,9,pageable,5,1,1,50,true,true,20\n1,17,pageable,0,1,2,50,true,false,12
                1,25,pinned,10,2,1,7,false,false,0\n1,33,managed,0,,,,,,""",
        },
        query="""SELECT memory_kind, hidden_ns, exposed_ns, hidden_ratio, called_count, async_count, waited_count, waited_ns, call_ns
            FROM memcpy_sum ORDER BY dur_ns DESC""",
        expect="""memory_kind,hidden_ns,exposed_ns,hidden_ratio,called_count,async_count,waited_count,waited_ns,call_ns
            pageable,5,35,0.125,2,2,1,32,50
            pinned,10,0,1.0,1,0,0,0,7
            managed,0,4,0.0,0,0,0,,""",
    )


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export) -> None:
    directions = {1: "HtoD", 2: "DtoH", 8: "DtoD", 10: "PtoP", 11: "HtoD", 12: "DtoH"}
    kinds = {0: "pageable", 1: "pinned", 2: "device", 7: "unknown"}
    sums = defaultdict(lambda: [0, 0, 0])
    for m in rows_of(export, "CUPTI_ACTIVITY_KIND_MEMCPY"):
        key = m["globalPid"], directions[m["copyKind"]], kinds[m["srcKind"]], kinds[m["dstKind"]]
        for i, value in enumerate((1, m["bytes"], m["end"] - m["start"])):
            sums[key][i] += value
    report = db.report_ids([export.stem])[0]
    columns = "process_id, direction, src_kind, dst_kind, op_count, size_bytes, dur_ns"
    rows = db.sql(f"SELECT {columns} FROM memcpy_sum WHERE report_id = {report}").fetchall()
    assert set(rows) == {(*key, *values) for key, values in sums.items()}


@each_export("memcpy", "nccl_payload_2026_2", "saxpy_mpi_2022_2")
def test_hidden_and_waited_are_the_sums_over_copies(traced: Traced) -> None:
    sums: dict[tuple[object, ...], list[int]] = defaultdict(lambda: [0] * 6)
    calls: dict[tuple[object, ...], dict[int, int]] = defaultdict(dict)
    columns = (
        "process_id, direction, src_kind, dst_kind, is_migration, hidden_ns, call_id, is_async, is_waited, waited_ns, call_ns"
    )
    for *key, hidden, call, is_async, is_waited, waited, call_ns in traced.rows("copies", columns):
        values = (1, hidden, call is not None, is_async or 0, is_waited or 0, waited or 0)
        sums[tuple(key)] = [a + b for a, b in zip(sums[tuple(key)], values, strict=True)]
        if call is not None:
            calls[tuple(key)][call] = call_ns
    summed = "process_id, direction, src_kind, dst_kind, is_migration, op_count, hidden_ns, called_count, async_count, waited_count, coalesce(waited_ns, 0), coalesce(call_ns, 0)"
    rows = traced.rows("memcpy_sum", summed)
    assert {row[:5]: row[5:] for row in rows} == {k: (*v, sum(calls[k].values())) for k, v in sums.items()}
