"""nvtx_range_sum: inclusive and exclusive time by hand, and against a loop over every nanosecond edge of real ranges."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute import busy_ns, nvtx_ranges, rows_of
from tests.conftest import EXPORTS

RANGES = "report_id,range_id,process_id,thread_id,style,name,is_library,start_ns,end_ns,dur_ns,depth,parent_id\n"
QUERY = "SELECT name, range_count, open_count, inclusive_ns, exclusive_ns, is_wrapper FROM nvtx_range_sum ORDER BY name"
HEADER = "name,range_count,open_count,inclusive_ns,exclusive_ns,is_wrapper\n"


def summed(rows: str, expect: str) -> None:
    check(rows={"nvtx_ranges": RANGES + rows}, query=QUERY, expect=HEADER + expect)


def test_inclusive_exclusive_and_wrapper() -> None:
    summed(
        "1,1,5,7,push_pop,step,false,0,100,100,0,\n1,2,5,7,push_pop,load,false,0,40,40,1,1\n1,3,5,7,push_pop,work,false,45,100,55,1,1",
        "load,1,0,40,40,False\nstep,1,0,100,5,True\nwork,1,0,55,55,False",
    )


def test_children_that_overlap_count_once() -> None:
    summed(
        "1,1,5,7,push_pop,a,false,0,100,100,0,\n1,2,5,7,start_end,s,false,10,60,50,1,1\n1,3,5,7,start_end,t,false,50,80,30,1,1",
        "a,1,0,100,30,False\ns,1,0,50,50,False\nt,1,0,30,30,False",
    )


def test_library_ranges_belong_to_the_range_around_them() -> None:
    summed(
        "1,1,5,7,push_pop,a,false,0,100,100,0,\n1,2,5,7,push_pop,nccl,true,10,60,50,1,1\n1,3,5,7,push_pop,b,false,20,30,10,2,2",
        "a,1,0,100,90,False\nb,1,0,10,10,False",
    )


def test_open_ranges_are_counted_apart() -> None:
    summed("1,1,5,7,push_pop,a,false,0,,,0,\n1,2,5,7,push_pop,a,false,0,10,10,0,", "a,1,1,10,10,False")


@pytest.mark.parametrize("export", [e for e in EXPORTS if e.stem not in ("nvtx_coarse", "nvtx_edges")], ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: Database, export: Path) -> None:
    library = {
        (r["globalTid"] >> 24, r["domainId"])
        for r in rows_of(export, "NVTX_EVENTS")
        if r["eventType"] == 75 and r["text"] in ("NCCL", "CCCL")
    }
    events = {r["_rowid"]: r for r in rows_of(export, "NVTX_EVENTS")}
    own = {n[0]: n for n in nvtx_ranges(export) if (events[n[0]]["globalTid"] >> 24, events[n[0]]["domainId"]) not in library}
    parents = {n[0]: n[1] for n in nvtx_ranges(export)}

    def owner(i: int) -> int | None:
        parent = parents[i]
        return parent if parent is None or parent in own else owner(parent)

    children = defaultdict(list)
    for i in own:
        children[owner(i)].append((events[i]["start"], events[i]["end"]))
    sums = defaultdict(lambda: [0, 0, 0])
    for i, (*_, dur, is_open) in own.items():
        if not is_open:
            key = events[i]["text"], events[i]["domainId"], events[i]["globalTid"] >> 24
            for k, value in enumerate((1, dur, dur - busy_ns(children[i]))):
                sums[key][k] += value
    report = db.report_ids([export.stem])[0]
    rows = db.sql(
        f"SELECT range_count, inclusive_ns, exclusive_ns FROM nvtx_range_sum WHERE report_id = {report} AND range_count > 0"
    ).fetchall()
    assert sorted(rows) == sorted(tuple(v) for v in sums.values())
