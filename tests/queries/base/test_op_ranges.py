"""op_ranges and what it stands on: cases by eye, random ranges of several threads, and a loop over every operation."""

from __future__ import annotations

from typing import Any

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st
from nsysql.connect import SETTINGS

from tests.blueprint import build, check
from tests.brute_ranges import innermost, open_at, owner_of, owners_by_loop
from tests.queries.base.test_nvtx_attribution import PUSH, START, Range, recordings
from tests.queries.conftest import Traced, each_export
from tests.recorded import HELPER, MAIN, OTHER, OTHER_PROCESS, PROCESS

SECOND = PROCESS | 16
EVENTS = "report_id,_rowid,globalTid,eventType,domainId,start,end,text"
CALLS = "report_id,_rowid,globalTid,eventClass,correlationId,start,end"
KERNELS = "report_id,_rowid,globalPid,correlationId,start,end,deviceId"


def source(ranges: list[tuple[Any, ...]], calls: list[tuple[int, int, int]], nobody: int = 0) -> dict[str, str]:
    """Source rows: ranges (number, thread, kind, domain, start, end); calls (thread, start, end), each with a kernel, and
    kernels that nobody called for."""
    created = [(900 + place, process | 1, 75, 3, 0, "", "NCCL") for place, process in enumerate((PROCESS, OTHER_PROCESS))]
    events = [(1, *r, "")[:8] for r in ranges] + [(1, *r) for r in created]
    api = [(1, n, thread, 0, n, start, end) for n, (thread, start, end) in enumerate(calls, 1)]
    kernels = [(1, n, thread >> 24 << 24, n, 5000 + n, 5001 + n, 0) for n, (thread, _, _) in enumerate(calls, 1)]
    kernels += [(1, 100 + n, PROCESS, 100 + n, 6000 + n, 6001 + n, 0) for n in range(nobody)]
    tables = {
        "NVTX_EVENTS": (EVENTS, events),
        "CUPTI_ACTIVITY_KIND_RUNTIME": (CALLS, api),
        "CUPTI_ACTIVITY_KIND_KERNEL": (KERNELS, kernels),
        "TARGET_INFO_GPU": ("report_id,id,cuDevice", [(1, 0, 0)]),
    }
    return {
        f"raw.{name}": "\n".join([head, *(",".join(map(str, row)) for row in rows)]) for name, (head, rows) in tables.items()
    }


def owned(ranges: list[tuple[Any, ...]], calls: list[tuple[int, int, int]], expect: str, nobody: int = 0) -> None:
    """Check range, via, application range, its via, is_ambiguous and reason of each operation."""
    query = "SELECT op_id // 8 AS op, range_id, via, application_range_id, application_via, is_ambiguous, reason FROM op_ranges ORDER BY 1"
    header = "op,range_id,via,application_range_id,application_via,is_ambiguous,reason"
    check(rows=source(ranges, calls, nobody), query=query, expect=f"{header}\n{expect}")


def test_the_innermost_range_around_the_call() -> None:
    owned(
        [(1, MAIN, PUSH, 0, 0, 100), (2, MAIN, PUSH, 0, 10, 50), (3, MAIN, START, 0, 20, 70)],
        [(MAIN, 12, 14), (MAIN, 25, 30), (MAIN, 48, 52), (MAIN, 90, 110)],
        """1,2,thread,2,thread,False,
        2,2,thread,2,thread,False,
        3,3,thread,3,thread,False,
        4,,,,,False,outside""",
    )


def test_a_range_of_a_library_and_the_range_around_it() -> None:
    owned(
        [(1, MAIN, PUSH, 0, 0, 100), (2, MAIN, PUSH, 3, 10, 50)],
        [(MAIN, 12, 14), (MAIN, 60, 61)],
        "1,2,thread,1,thread,False,\n2,1,thread,1,thread,False,",
    )
    owned(
        [(1, MAIN, PUSH, 0, 0, 100), (2, HELPER, PUSH, 3, 10, 50)],
        [(HELPER, 12, 14), (HELPER, 60, 61), (HELPER, 200, 201)],
        "1,2,thread,1,process,False,\n2,1,process,1,process,False,\n3,,,,,False,outside",
    )


def test_a_thread_with_ranges_of_its_own_works_for_itself() -> None:
    owned(
        [(1, MAIN, PUSH, 0, 0, 100), (2, HELPER, PUSH, 0, 500, 501)],
        [(HELPER, 12, 14), (OTHER, 12, 14)],
        "1,,,,,False,outside\n2,,,,,False,outside",
    )


def test_at_its_end_a_range_is_no_longer_open_on_another_thread() -> None:
    owned(
        [(1, MAIN, PUSH, 0, 10, 100)],
        [(HELPER, 9, 11), (HELPER, 10, 300), (HELPER, 99, 300), (HELPER, 100, 101)],
        "1,,,,,False,outside\n2,1,process,1,process,False,\n3,1,process,1,process,False,\n4,,,,,False,outside",
    )


def test_of_two_threads_the_one_that_changed_last() -> None:
    owned(
        [(1, MAIN, PUSH, 0, 0, 100), (2, SECOND, PUSH, 0, 20, 90), (3, MAIN, PUSH, 0, 30, 40)],
        [(HELPER, 5, 6), (HELPER, 25, 26), (HELPER, 35, 36), (HELPER, 45, 46), (HELPER, 95, 96)],
        """1,1,process,1,process,False,
        2,2,process,2,process,True,
        3,3,process,3,process,True,
        4,1,process,1,process,True,
        5,1,process,1,process,False,""",
    )


def test_work_that_nobody_called_for() -> None:
    owned([(1, MAIN, PUSH, 0, 0, 9000)], [(MAIN, 1, 2)], "1,1,thread,1,thread,False,\n100,,,,,False,no_call", nobody=1)


@st.composite
def of_threads(draw: st.DrawFn) -> tuple[dict[int, list[Range]], list[tuple[int, int, int]]]:
    """Random ranges of two threads, and calls of a third one."""
    first, calls = draw(recordings())
    second, _ = draw(recordings())
    moved = [Range(r.number + 100, r.kind, r.domain, r.start, r.end) for r in second]
    return {MAIN: first, SECOND: moved}, [(HELPER, *call) for call in calls]


def dicts(thread: int, ranges: list[Range]) -> list[dict[str, Any]]:
    """Ranges as the loops know them."""
    return [
        {
            "range_id": r.number, "thread_id": thread, "process_id": PROCESS, "start_ns": r.start, "latest_end": r.end,
            "style": "push_pop" if r.kind == PUSH else "start_end", "is_library": False,
        }
        for r in ranges
    ]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(of_threads())
def test_random_ranges_of_two_threads(recording: tuple[dict[int, list[Range]], list[tuple[int, int, int]]]) -> None:
    threads, calls = recording
    ranges = [(r.number, thread, r.kind, r.domain + 10, r.start, r.end) for thread, own in threads.items() for r in own]
    with duckdb.connect(config=SETTINGS) as con:
        build(con, source(ranges, calls), "report_id\n1", "FROM op_ranges _range_stretches")
        stretches = con.sql("SELECT thread_id, start_ns, end_ns, range_id FROM _range_stretches").fetchall()
        owners = con.sql("SELECT call_id, range_id, is_ambiguous FROM op_ranges").fetchall()
    application = {thread: dicts(thread, own) for thread, own in threads.items() if own}
    for thread in threads:
        for at in range(20):
            found = [number for t, start, end, number in stretches if t == thread and start <= at < end]
            expected = innermost(open_at(application.get(thread, []), at))
            assert found == ([] if expected is None else [expected])
    for number, (thread, start, end) in enumerate(calls, 1):
        owner = owner_of({"start": start, "end": end, "globalTid": thread, "process": PROCESS}, [], application)
        open_ones = {innermost(open_at(rows, start)) for rows in application.values()} - {None}
        (row,) = (row for row in owners if row[0] == number)
        assert row[2] == owner.is_ambiguous == (len(open_ones) > 1)
        assert row[1] in (open_ones or {None})


def test_a_longer_range_around_the_innermost_one_is_no_change() -> None:
    owned(
        [(1, MAIN, START, 0, 3, 30), (2, SECOND, START, 0, 1, 9), (3, SECOND, START, 0, 4, 20)],
        [(HELPER, 5, 6)],
        "1,1,process,1,process,True,",
    )


@each_export("families", "rank0", "rank1", "metrics", "um_faults", "cudf_2020", "saxpy_mpi_2022_2", "nccl_payload_2026_2")
def test_equals_a_loop(traced: Traced) -> None:
    columns = "op_id, range_id, via, application_range_id, application_via, is_ambiguous, reason, call_id"
    expected = {
        (
            op, o.range_id, o.via, o.application_range_id, o.application_via, o.is_ambiguous, o.reason,
            o.call["_rowid"] if o.call else None,
        )
        for op, o in owners_by_loop(traced.export, traced.db, traced.report_id).items()
    }  # fmt: skip
    rows = traced.rows("op_ranges", columns)
    assert len(rows) == len(expected)
    assert set(rows) == expected
