"""sync_wall on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.blueprint import check, stored_islands
from tests.brute import api_calls, busy_islands, capture_ns, covered_ns, process_islands
from tests.queries.api.test_waits import by_loop
from tests.queries.conftest import Traced, each_export

WAITS = "report_id,process_id,thread_id,call_id,start_ns,end_ns\n"
HEADER = "process_id,thread_count,wait_count,thread_wait_ns,wall_ns,wall_ratio,several_ns,gpu_busy_ns,gpu_idle_ns\n"


def walls(waits: str, expect: str, *, islands: str = "", duration: str = "1000") -> None:
    check(
        rows={
            "waits": WAITS + waits,
            "_busy_islands": stored_islands(islands),
            "process_gpus": "report_id,process_id,device_id,gpu_id,is_used\n1,5,0,0,true\n1,6,0,0,true",
            "_captures": f"report_id,duration_ns,start_ns,end_ns\n1,{duration},0,{duration}",
        },
        query=f"SELECT {HEADER.strip()} FROM sync_wall ORDER BY process_id",
        expect=HEADER + expect,
    )


def test_threads_that_wait_at_once_count_once() -> None:
    waits = "1,5,7,1,0,100\n1,5,8,2,50,120\n1,5,9,3,60,70\n1,5,7,4,300,380\n1,6,17,5,0,40"
    walls(waits, "5,3,4,260,200,0.2,50,30,170\n6,1,1,40,40,0.04,0,20,20", islands="1,0,20,40\n1,0,110,115\n1,0,375,400")


def test_waits_of_length_zero_and_unknown_gpus() -> None:
    walls("1,9,7,1,10,10", "9,1,1,0,0,0.0,0,,")


def test_only_time_inside_a_known_capture_makes_the_ratio() -> None:
    walls("1,5,7,1,-50,50\n1,5,7,2,90,150", "5,1,2,160,160,0.6,0,0,160", duration="100")
    walls("1,5,7,1,0,50", "5,1,1,50,50,,0,0,50", duration="")


@each_export()
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    calls = {c["_rowid"]: c for c in api_calls(traced.export)}
    islands, capture = process_islands(traced.export), capture_ns(traced.export)
    waits: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for number, wait in by_loop(traced.export).items():
        waits[calls[number]["process"]].append((calls[number]["start"], wait[2], calls[number]["globalTid"]))
    found: dict[int, tuple[Any, ...]] = {}
    for process, own in waits.items():
        union = busy_islands([(start, end) for start, end, _ in own])
        of_threads = [busy_islands([(s, e) for s, e, thread in own if thread == t]) for t in {t for *_, t in own}]
        crossings = [(max(a, c), min(b, d)) for x in of_threads for y in of_threads if x is not y for a, b in x for c, d in y]
        several = busy_islands([(a, b) for a, b in crossings if a < b])
        busy = sum(covered_ns(start, end, islands.get(process, [])) for start, end in union)
        inside = sum(covered_ns(start, end, [(0, capture)]) for start, end in union) if capture else None
        found[process] = (
            len(of_threads), len(own), sum(e - s for s, e, _ in own), sum(e - s for s, e in union),
            None if capture is None or inside is None else inside / capture, sum(e - s for s, e in several),
            busy if process in islands else None,
        )  # fmt: skip
    got = traced.rows(
        "sync_wall", "process_id, thread_count, wait_count, thread_wait_ns, wall_ns, wall_ratio, several_ns, gpu_busy_ns"
    )
    assert {row[0]: row[1:] for row in got} == found
