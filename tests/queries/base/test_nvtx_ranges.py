"""nvtx_ranges: parents, depths, paths, open ranges; by hand, and against a slow loop over the source rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute import nvtx_ranges
from tests.conftest import EXPORTS

EVENTS = "raw.NVTX_EVENTS"
HEADER = "report_id,_rowid,globalTid,eventType,domainId,start,end,text,endGlobalTid\n"
CAPTURE = {"raw.ANALYSIS_DETAILS": "report_id,duration\n1,1000"}
NESTED = "SELECT range_id, parent_id, depth, path, dur_ns, is_open, open_at_least_ns FROM nvtx_ranges ORDER BY range_id"
EXPECT = "range_id,parent_id,depth,path,dur_ns,is_open,open_at_least_ns\n"
PUSH, START = 59, 60


def nested(rows: str, expect: str) -> None:
    check(rows={EVENTS: HEADER + rows, **CAPTURE}, query=NESTED, expect=EXPECT + expect)


def row(
    number: int, kind: int, start: int, end: int | str, name: str, domain: int = 0, thread: int = 7, closer: int | str = ""
) -> str:
    return f"1,{number},{thread},{kind},{domain},{start},{end},{name},{closer}\n"


def test_a_stack() -> None:
    nested(
        row(1, PUSH, 0, 100, "a") + row(2, PUSH, 10, 40, "b") + row(3, PUSH, 20, 30, "c") + row(4, PUSH, 50, 60, "d"),
        "1,,0,a,100,False,\n2,1,1,a/b,30,False,\n3,2,2,a/b/c,10,False,\n4,1,1,a/d,10,False,",
    )


def test_touching_ranges_are_siblings() -> None:
    nested(row(1, PUSH, 0, 10, "a") + row(2, PUSH, 10, 20, "b"), "1,,0,a,10,False,\n2,,0,b,10,False,")


def test_equal_bounds_go_by_number() -> None:
    nested(row(1, PUSH, 0, 10, "a") + row(2, PUSH, 0, 10, "b"), "1,,0,a,10,False,\n2,1,1,a/b,10,False,")


def test_equal_start_or_end() -> None:
    nested(
        row(1, PUSH, 0, 5, "in") + row(2, PUSH, 0, 10, "out") + row(3, PUSH, 6, 10, "last"),
        "1,2,1,out/in,5,False,\n2,,0,out,10,False,\n3,2,1,out/last,4,False,",
    )


def test_threads_do_not_nest() -> None:
    nested(row(1, PUSH, 0, 10, "a") + row(2, PUSH, 2, 8, "b", thread=8), "1,,0,a,10,False,\n2,,0,b,6,False,")


def test_domains_nest_in_each_other() -> None:
    nested(
        row(1, PUSH, 0, 100, "a") + row(2, PUSH, 10, 50, "lib", domain=3) + row(3, PUSH, 20, 30, "b"),
        "1,,0,a,100,False,\n2,1,1,a/lib,40,False,\n3,2,2,a/lib/b,10,False,",
    )


def test_crossing_ranges_lie_in_what_holds_both_ends() -> None:
    nested(
        row(1, PUSH, 0, 100, "a")
        + row(2, START, 10, 60, "s")
        + row(3, START, 50, 80, "t")
        + row(4, PUSH, 55, 58, "b")
        + row(5, PUSH, 62, 78, "c"),
        "1,,0,a,100,False,\n2,1,1,a/s,50,False,\n3,1,1,a/t,30,False,\n4,3,2,a/t/b,3,False,\n5,3,2,a/t/c,16,False,",
    )


def test_a_range_that_another_thread_closes_stands_alone() -> None:
    nested(row(1, START, 0, 100, "s", closer=8) + row(2, PUSH, 10, 20, "a"), "1,,0,s,100,False,\n2,,0,a,10,False,")


def test_open_ranges_have_a_lower_bound_and_no_length() -> None:
    nested(row(1, PUSH, 0, "", "a") + row(2, PUSH, 10, 20, "b"), "1,,0,a,,True,1000\n2,1,1,a/b,10,False,")


def test_an_end_with_the_capture_is_open_too() -> None:
    nested(row(1, PUSH, 100, 1000, "a") + row(2, PUSH, 200, 300, "b"), "1,,0,a,,True,900\n2,1,1,a/b,100,False,")


def test_where_open_ranges_get_the_stop_time_no_end_means_no_length() -> None:
    nested(row(1, PUSH, 100, 1000, "a") + row(2, PUSH, 200, "", "z"), "1,,0,a,,True,900\n2,1,1,a/z,0,False,")


def test_a_range_left_open_in_a_closed_one_ends_there_at_the_latest() -> None:
    nested(
        row(1, PUSH, 0, 50, "frame") + row(2, PUSH, 10, "", "left") + row(3, PUSH, 20, 30, "in") + row(4, PUSH, 60, 70, "next"),
        "1,,0,frame,50,False,\n2,1,1,frame/left,,True,990\n3,2,2,frame/left/in,10,False,\n4,,0,next,10,False,",
    )


def test_zero_length_lies_in_the_shortest_around_it() -> None:
    nested(
        row(1, PUSH, 0, 20, "a") + row(2, PUSH, 5, 10, "b") + row(3, PUSH, 10, 10, "z") + row(4, PUSH, 10, 10, "y"),
        "1,,0,a,20,False,\n2,1,1,a/b,5,False,\n3,2,2,a/b/z,0,False,\n4,3,3,a/b/z/y,0,False,",
    )


def test_names_domains_categories_colors_payloads() -> None:
    process = 1 << 48 | 5 << 24
    check(
        rows={
            EVENTS: "report_id,_rowid,globalTid,eventType,domainId,start,end,text,textId,category,color,uint64Value,doubleValue\n"
            f"1,1,{process + 6},75,3,0,,NCCL,,,,,\n1,2,{process + 7},75,3,1,,NCCL,,,,,\n1,3,{process + 6},33,3,2,,io,,4,,,\n"
            f"1,4,{process + 7},59,3,10,20,,0,4,4278255360,-1,\n1,5,{process + 7},59,0,30,40,plain,,9,,,0.5",
            "raw.StringIds": "report_id,id,value\n1,0,registered",
            **CAPTURE,
        },
        query="SELECT range_id, name, domain, is_library, category, color, payload FROM nvtx_ranges ORDER BY range_id",
        expect="range_id,name,domain,is_library,category,color,payload\n4,registered,NCCL,True,io,#FF00FF00,1.8446744073709552e+19\n5,plain,,False,,,0.5",
    )


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: Database, export: Path) -> None:
    report = db.report_ids([export.stem])[0]
    columns = "range_id, parent_id, depth, path, dur_ns, is_open"
    rows = db.sql(f"SELECT {columns} FROM nvtx_ranges WHERE report_id = {report} ORDER BY range_id").fetchall()
    assert rows == nvtx_ranges(export)
