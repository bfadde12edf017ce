"""waits on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import nsysql
import pytest

from tests.blueprint import check, stored_islands
from tests.brute import (
    api_calls,
    covered_ns,
    enclosing_calls,
    launching_calls,
    process_islands,
    rows_of,
)
from tests.queries.conftest import Traced, each_export

CALLS = "report_id,process_id,thread_id,api,call_id,name,start_ns,end_ns,dur_ns,result,is_nested\n"
COPIES = "report_id,op_id,start_ns,end_ns,src_kind,dst_kind\n"
STRETCHES = "report_id,thread_id,start_ns,end_ns,range_id\n"


def called(*rows: str, thread: int = 7) -> str:
    """Rows of calls, given as `number function start end result nested`, the last two if not 0."""
    lines = []
    for row in rows:
        number, name, start, end, result, nested = (*row.split(), "0", "0")[:6]
        api = "runtime" if name.startswith("cuda") else "driver"
        lines.append(f"1,5,{thread},{api},{number},{name},{start},{end},{int(end) - int(start)},{result},{nested == '1'}\n")
    return "".join(lines)


def rows(calls: str, *, islands: str = "", copies: str = "", matches: str = "", stretches: str = "") -> dict[str, str]:
    return {
        "api_calls": CALLS + calls,
        "_busy_islands": stored_islands(islands),
        "process_gpus": "report_id,process_id,device_id,gpu_id,is_used\n1,5,0,0,true",
        "memcpys": COPIES + copies,
        "_op_calls": "report_id,op_id,call_id\n" + matches,
        "_range_stretches": STRETCHES + stretches,
        "nvtx_ranges": "report_id,range_id,name,path\n1,1,step,step\n1,2,load,step/load",
    }


def test_a_wait_with_a_busy_gpu_and_one_for_nothing() -> None:
    calls = called(
        "1 cudaStreamSynchronize 0 100",
        "2 cuEventSynchronize 200 300",
        "3 cudaLaunchKernel 300 400",
        "4 cudaDeviceSynchronize 500 500",
    )
    check(
        rows=rows(calls, islands="1,0,40,90\n1,0,290,350"),
        query="SELECT call_id, kind, class, dur_ns, gpu_busy_ns, gpu_idle_ns FROM waits ORDER BY call_id",
        expect="call_id,kind,class,dur_ns,gpu_busy_ns,gpu_idle_ns\n1,sync,ok_waiting,100,50,50\n2,sync,idle_wait,100,10,90\n4,sync,,0,0,0",
    )


def test_a_process_without_known_gpus() -> None:
    check(
        rows=rows(called("1 cudaStreamSynchronize 0 100").replace("1,5,7", "1,9,7")),
        query="SELECT call_id, class, gpu_busy_ns, gpu_idle_ns FROM waits",
        expect="call_id,class,gpu_busy_ns,gpu_idle_ns\n1,,,",
    )


def test_a_wait_inside_a_wait_is_the_same_and_one_inside_another_call_is_not() -> None:
    calls = called(
        "1 cudaStreamSynchronize 0 100",
        "2 cuStreamSynchronize 10 90 0 1",
        "3 cudaFree 200 300",
        "4 cuCtxSynchronize 210 290 0 1",
    ) + called("5 cudaStreamSynchronize 20 80", thread=8)
    check(
        rows=rows(calls),
        query="SELECT call_id, thread_id, dur_ns FROM waits ORDER BY call_id",
        expect="call_id,thread_id,dur_ns\n1,7,100\n4,7,80\n5,8,60",
    )


@pytest.mark.parametrize(
    ("name", "memory", "op", "islands", "waits"),
    [
        ("cudaMemcpy", "device,pageable", (20, 90), "", True),
        ("cudaMemcpy", "device,pageable", (20, 101), "1,0,20,60", False),
        ("cudaMemcpy", "pageable,device", (90, 110), "1,0,0,110", True),  # behind other work
        ("cudaMemcpy", "pageable,device", (100, 110), "1,0,0,110", False),  # not begun
        ("cudaMemcpyAsync", "pageable,device", (10, 110), "1,0,10,110", True),
        ("cudaMemcpyAsync", "pageable,device", (90, 110), "1,0,90,110", False),
        ("cudaMemcpyAsync", "device,pinned", (20, 90), "1,0,0,110", False),
        ("cudaMemcpyAsync", "device,device", (20, 90), "1,0,0,110", False),
        ("cudaMemcpyAsync", "device,", (20, 90), "", True),
        ("cudaMemcpyAsync", "unknown,device", (20, 90), "", True),
        ("cuMemcpyDtoHAsync", "device,pageable", (20, 90), "", True),
        ("cudaGraphLaunch", "device,pageable", (20, 90), "", False),
    ],
)
def test_copies_that_wait(name: str, memory: str, op: tuple[int, int], islands: str, waits: bool) -> None:
    check(
        rows=rows(called(f"1 {name} 0 100"), islands=islands, copies=f"1,9,{op[0]},{op[1]},{memory}", matches="1,9,1"),
        query="SELECT kind, dur_ns FROM waits",
        expect="kind,dur_ns\ncopy,100" if waits else "kind,dur_ns",
    )


def test_a_copy_of_several_operations_waits_for_the_last() -> None:
    calls = called("1 cudaMemcpy 0 100", "2 cudaMemcpy 200 300")
    check(
        rows=rows(
            calls,
            copies="1,9,10,20,device,pageable\n1,17,30,90,device,pageable\n1,25,210,220,device,pageable\n1,33,230,310,device,pageable",
            matches="1,9,1\n1,17,1\n1,25,2\n1,33,2",
        ),
        query="SELECT call_id FROM waits",
        expect="call_id\n1",
    )


@pytest.mark.parametrize(
    ("calls", "expect"),
    [
        (("1 cudaEventQuery 0 10 600", "2 cudaEventQuery 20 30 600", "3 cudaEventQuery 40 50"), "1,3,0,50"),
        (("1 cuStreamQuery 0 10 600", "2 cuStreamQuery 20 30 600"), "1,2,0,30"),  # gave up
        (("1 cudaEventQuery 0 10", "2 cudaEventQuery 20 30"), ""),  # both done
        (("1 cudaEventQuery 0 10 600", "2 cudaStreamSynchronize 20 30"), "2,1,20,30"),
        (("1 cudaEventQuery 0 10 600", "2 cudaEventQuery 100010 100020"), "1,2,0,100020"),
        (("1 cudaEventQuery 0 10 600", "2 cudaEventQuery 100011 100020"), ""),  # slept
        (("1 cudaEventQuery 0 10 600", "2 cudaLaunchKernel 12 15", "3 cudaEventQuery 20 30"), ""),
        (("1 cudaEventQuery 0 10 600", "2 cudaGetLastError 12 13", "3 cudaEventQuery 20 30"), "1,2,0,30"),
        (("1 cudaEventQuery 0 10 34", "2 cudaEventQuery 20 30"), "1,2,0,30"),  # an old runtime
        (("1 cudaEventQuery 0 10 700", "2 cudaEventQuery 20 30"), ""),  # an error
        (("1 cudaEventQuery 0 10 600", "2 cuEventQuery 2 8 600 1", "3 cudaEventQuery 20 30"), "1,2,0,30"),
        (
            ("1 cudaEventQuery 0 10 600", "2 cudaEventQuery 20 30", "3 cudaEventQuery 35 40 600", "4 cudaEventQuery 45 50"),
            "1,2,0,30\n3,2,35,50",
        ),
    ],
)
def test_polling(calls: tuple[str, ...], expect: str) -> None:
    check(
        rows=rows(called(*calls)),
        query="SELECT call_id, call_count, start_ns, end_ns FROM waits ORDER BY call_id",
        expect=f"call_id,call_count,start_ns,end_ns\n{expect}",
    )


def test_questions_of_two_threads_are_no_loop() -> None:
    calls = called("1 cudaEventQuery 0 10 600") + called("2 cudaEventQuery 20 30 600", thread=8)
    check(rows=rows(calls), query="SELECT count(*) AS n FROM waits", expect="n\n0")


def test_the_range_is_that_of_the_thread_at_the_start() -> None:
    calls = called("1 cudaStreamSynchronize 10 50", "2 cudaStreamSynchronize 55 60", "3 cudaStreamSynchronize 200 210")
    check(
        rows=rows(calls, stretches="1,7,0,20,1\n1,7,20,60,2\n1,8,190,300,1"),
        query="SELECT call_id, range_id, nvtx_name, nvtx_path FROM waits ORDER BY call_id",
        expect="call_id,range_id,nvtx_name,nvtx_path\n1,1,step,step\n2,2,load,step/load\n3,,,",
    )


def is_question_of_another_kind(name: str) -> bool:
    """Asks for something without waiting, and does nothing else."""
    does = "^cu(da)?((Graph)?Launch|Mem(cpy|set|Prefetch)|(Module|Library|Link)Get[^L])|Synchronize$"
    return bool(re.search("Query|IsCapturing|Occupancy|PeekAt|Get", name) and not re.search(does, name))


def loops(calls: list[dict[str, Any]], around: dict[int, list[int]]) -> list[list[dict[str, Any]]]:
    """Runs of two or more questions; one call after the other."""
    found, threads = [], defaultdict(list)
    for call in sorted(calls, key=lambda c: (c["start"], c["_rowid"])):
        if not around[call["_rowid"]]:
            threads[call["globalTid"]].append(call)
    for own in threads.values():
        run: list[dict[str, Any]] = []
        for call in own:
            asks = re.fullmatch("cu(da)?(Stream|Event)Query", call["name"])
            if not asks and is_question_of_another_kind(call["name"]):
                continue
            goes_on = asks and run and run[-1]["returnValue"] == 600 and call["start"] - run[-1]["end"] <= 100_000
            if not goes_on:
                found.append(run)
                run = []
            run += [call] if asks else []
        found.append(run)
    return [run for run in found if len(run) > 1]


def held_up(call: dict[str, Any], copies: list[dict[str, Any]], busy: int) -> bool:
    """The copies of a call made it wait."""
    copies = [c for c in copies if c["start"] < call["end"]]
    if call["name"].endswith("Async"):
        copies = [c for c in copies if {c["srcKind"], c["dstKind"]} & {0, 7, None}]
    ended = all(c["end"] <= call["end"] for c in copies)
    return bool(copies) and (ended or busy * 2 >= call["end"] - call["start"])


def application_ranges(export: Path) -> list[dict[str, Any]]:
    """Closed ranges of the application's domains: the reports with CUDA here have no open ones."""
    events = rows_of(export, "NVTX_EVENTS")
    libraries = {e["domainId"] for e in events if e["eventType"] == 75 and e["text"] in ("NCCL", "libcudf")}
    return [e for e in events if e["eventType"] in (59, 60) and e["domainId"] not in libraries]


def innermost(call: dict[str, Any], ranges: list[dict[str, Any]]) -> int | None:
    """The shortest range of the thread that is open when the call begins."""
    at = call["start"]
    open_ones = [r for r in ranges if r["globalTid"] == call["globalTid"] and r["start"] <= at < r["end"]]
    return min(open_ones, key=lambda r: (r["end"] - r["start"], -r["start"], -r["_rowid"]))["_rowid"] if open_ones else None


def by_loop(export: Path) -> dict[int, tuple[Any, ...]]:
    """First call -> kind, calls, end, busy, range; one call after the other."""
    texts = {r["id"]: r["value"] for r in rows_of(export, "StringIds")}
    calls = [c | {"name": re.sub(r"(_v\d+|_ptsz|_ptds)+$", "", texts[c["nameId"]])} for c in api_calls(export)]
    around, islands, launched_by = enclosing_calls(calls), process_islands(export), launching_calls(export)
    copies = defaultdict(list)
    for copy in rows_of(export, "CUPTI_ACTIVITY_KIND_MEMCPY"):
        if (copy["globalPid"], copy["correlationId"]) in launched_by:
            copies[launched_by[copy["globalPid"], copy["correlationId"]]["_rowid"]].append(copy)
    found = {}
    for call in calls:
        busy = covered_ns(call["start"], call["end"], islands.get(call["process"], []))
        if call["name"].startswith("cu") and call["name"].endswith("Synchronize"):
            found[call["_rowid"]] = ("sync", 1, call["end"], busy)
        elif re.match("cu(da)?Mem(cpy|set|Prefetch)", call["name"]) and held_up(call, copies[call["_rowid"]], busy):
            found[call["_rowid"]] = ("copy", 1, call["end"], busy)
    for run in loops(calls, around):
        busy = covered_ns(run[0]["start"], run[-1]["end"], islands.get(run[0]["process"], []))
        found[run[0]["_rowid"]] = ("poll", len(run), run[-1]["end"], busy)
    by_number, ranges = {c["_rowid"]: c for c in calls}, application_ranges(export)
    return {
        number: (*wait[:3], wait[3] if by_number[number]["process"] in islands else None, innermost(by_number[number], ranges))
        for number, wait in found.items()
        if not any(outer in found for outer in around[number])
    }


@each_export("mpi_openacc_4proc", "memcpy", "cudf_2020")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    got = traced.rows("waits", "call_id, kind, call_count, end_ns, gpu_busy_ns, range_id")
    assert {row[0]: row[1:] for row in got} == by_loop(traced.export)


def test_rows_of_syncs_are_waits_of_the_same_calls(db: nsysql.Database) -> None:
    missing = """SELECT count(*) FROM syncs AS s
        JOIN api_calls AS c USING (report_id, process_id, correlation_id)
        ANTI JOIN waits AS w ON w.report_id = c.report_id AND w.call_id = c.call_id
        WHERE s.kind <> 'stream_wait_event' AND NOT c.is_nested AND NOT ends_with(c.name, 'Query')"""
    assert db.sql(missing).fetchall() == [(0,)]
