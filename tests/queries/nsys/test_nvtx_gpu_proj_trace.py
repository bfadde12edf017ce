"""nvtx_gpu_proj_trace by hand and against a loop over the source rows; NVIDIA's numbers: test_oracle and test_made_up."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from nsysql.database import Database

from tests.blueprint import check
from tests.brute import rows_of
from tests.brute_ranges import ranges_of
from tests.oracle import VIEWS, csv_path, printed, rows_in
from tests.queries.conftest import Traced, each_export
from tests.queries.nsys.made_up_nvtx import HELPER, MAIN, PROCESS, PUSH, START, Line, source

ORACLE = Path(__file__).parents[2] / "oracle"
PLACE = "range_id, proj_start_ns, proj_ns, op_count, level, child_count, parent_id, range_stack"


def projected(expect: str, *events: Line, calls: list[Line], kernels: list[Line], call: str = "") -> None:
    rows = source(*events, calls=calls, kernels=kernels)
    check(
        rows=rows,
        query=f"SELECT {PLACE} FROM nvtx_gpu_proj_trace {call} ORDER BY range_id",
        expect=f"{PLACE.replace(' ', '')}\n{expect}",
    )


def test_the_envelope_and_the_tree_of_ranges_that_launched_nothing_themselves() -> None:
    projected(
        "1,200,110,2,0,1,,:1\n2,200,110,2,1,1,1,:1:2\n4,300,10,1,2,0,2,:1:2:4",
        (MAIN, PUSH, 0, 0, 100, "out"),
        (MAIN, PUSH, 0, 5, 90, "between"),
        (MAIN, PUSH, 0, 6, 9, "idle"),
        (MAIN, PUSH, 0, 30, 40, "in"),
        calls=[(MAIN, 7, 20, 25), (MAIN, 8, 30, 35)],
        kernels=[(PROCESS, 7, 200, 210), (PROCESS, 8, 300, 310)],
    )


def test_a_call_with_many_operations_and_calls_of_one_number_count_once() -> None:
    projected(
        "1,200,50,1,0,0,,:1",
        (MAIN, PUSH, 0, 0, 100, "graph"),
        calls=[(MAIN, 7, 10, 20), (MAIN, 7, 11, 19)],
        kernels=[(PROCESS, 7, 200, 210), (PROCESS, 7, 220, 250)],
    )


def test_what_no_range_is_around_is_a_row_in_2023_alone() -> None:
    events: list[Line] = [(MAIN, PUSH, 0, 0, 30, "in"), (MAIN, START, 0, 0, 99, "handed over", HELPER)]
    calls: list[Line] = [(MAIN, 1, 20, 25), (MAIN, 2, 40, 50), (HELPER, 3, 20, 25)]
    kernels: list[Line] = [(PROCESS, 1, 300, 400), (PROCESS, 2, 100, 120), (PROCESS, 3, 110, 180), (PROCESS, 99, 1, 900)]
    inside = "1,300,100,1,0,0,,:1"
    projected(f"{inside}\n,100,80,2,,0,,", *events, calls=calls, kernels=kernels)
    projected(inside, *events, calls=calls, kernels=kernels, call="(like_nsys := '2025.3')")
    check(
        rows=source(*events, calls=calls, kernels=kernels),
        query="SELECT pid, tid, range_name, style, start_ns FROM nvtx_gpu_proj_trace WHERE range_id IS NULL",
        expect="pid,tid,range_name,style,start_ns\n5,2,,,",
    )


def test_a_report_without_nvtx_has_no_row() -> None:
    projected("", calls=[(MAIN, 1, 20, 25)], kernels=[(PROCESS, 1, 300, 400)])


def test_the_order_is_that_of_the_export_behind_what_is_outside(db: Database) -> None:
    view = VIEWS["nvtx_gpu_proj_trace"]
    theirs = rows_in(csv_path(ORACLE, "um_faults", view.name), view)
    ours = db.query(view.name, reports=["um_faults"]).project(", ".join(name for name, _ in printed(view).headers)).fetchall()
    place = [name for name, _ in printed(view).headers].index("range_id")
    assert [row[place] for row in ours] == [row[place] for row in theirs]
    assert theirs[0][place] is None


def test_names_of_2025() -> None:
    check(
        rows=source((MAIN, PUSH, 0, 0, 30, "a")),
        query="SELECT range_name, start_ns, dur_ns, pid, tid FROM nvtx_gpu_proj_trace (like_nsys := '2025.3')",
        expect="range_name,start_ns,dur_ns,pid,tid\n:a,0,30,5,1",
    )


def projections_by_loop(traced: Traced) -> dict[int | None, tuple[Any, ...]]:
    """Range -> start, length and number of calls: each call of each operation is added to each range around it."""
    ranges, work = ranges_of(traced.db, traced.report_id), defaultdict(list)
    calls = defaultdict(list)
    for call in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_RUNTIME"):
        calls[call["globalTid"] >> 24 << 24, call["correlationId"]].append(call)
    for kind in ("KERNEL", "MEMCPY", "MEMSET"):
        for op in rows_of(traced.export, f"CUPTI_ACTIVITY_KIND_{kind}"):
            key = op["globalPid"], op["correlationId"]
            for call in calls[key] if op["correlationId"] else []:
                around = [
                    number
                    for number, r in ranges.items()
                    if r["thread_id"] == call["globalTid"] and r["start_ns"] <= call["start"] and r["latest_end"] >= call["end"]
                ]
                for number in around or [None]:
                    work[number].append((op["start"], op["end"], key))
    if not rows_of(traced.export, "NVTX_EVENTS"):
        work.pop(None, None)
    return {
        number: (min(s for s, _, _ in ops), max(e for _, e, _ in ops) - min(s for s, _, _ in ops), len({k for _, _, k in ops}))
        for number, ops in work.items()
    }


@each_export("families", "flood", "memcpy", "metrics", "osrt", "rank0", "um_faults", "saxpy_mpi_2022_2")
def test_like_a_loop(traced: Traced) -> None:
    rows = traced.rows("nvtx_gpu_proj_trace", "range_id, proj_start_ns, proj_ns, op_count")
    assert {number: tuple(rest) for number, *rest in rows} == projections_by_loop(traced)
