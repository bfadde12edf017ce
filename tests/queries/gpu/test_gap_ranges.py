"""Ranges of gaps on rows that can be checked by eye, and against a loop over every stretch of every gap."""

from __future__ import annotations

from tests.blueprint import check
from tests.brute_ranges import gap_ranges_by_loop
from tests.queries.conftest import Traced, each_export
from tests.recorded import COLUMNS, HELPER, MAIN, PROCESS, recorded

SECOND = PROCESS | 16


def ranges_of_gaps(ranges: list[tuple[int, int, str, int, int]], thread: int, expect: str, duration: int = 0) -> None:
    """Check the gap from 100 to 200 before work that `thread` launched at 190; ranges (number, thread, name, start, end)."""
    calls = [(MAIN, "cudaLaunchKernel", 0, 5, 1), (thread, "cudaLaunchKernel", 190, 195, 2)]
    source = recorded(calls, [(1, 0, 100), (2, 200, 300)], duration=duration)
    rows = {
        table: "\n".join([names, *source[table]])
        for table, names in COLUMNS.items()
        if table not in ("raw.OSRT_API", "raw.PROFILER_OVERHEAD")
    }
    events = [f"1,{number},{owner},59,0,{start},{end},{name}" for number, owner, name, start, end in ranges]
    rows["raw.NVTX_EVENTS"] = "\n".join(["report_id,_rowid,globalTid,eventType,domainId,start,end,text", *events])
    columns = "position, range_id, nvtx_path, launch_range_id, launch_nvtx_path"
    check(rows=rows, query=f"SELECT {columns} FROM gaps ORDER BY gap_id", expect=f"{columns.replace(' ', '')}\n{expect}")


def test_the_range_with_the_largest_share() -> None:
    ranges = [(1, MAIN, "step", 0, 400), (2, MAIN, "load", 90, 150), (3, MAIN, "idle", 160, 185), (4, MAIN, "copy", 188, 197)]
    ranges_of_gaps(ranges, MAIN, "between,2,step/load,4,step/copy")


def test_shares_of_one_range_add_up_and_of_equal_ones_the_first_recorded_has_it() -> None:
    ranges_of_gaps([(1, MAIN, "step", 0, 400), (2, MAIN, "load", 120, 160)], MAIN, "between,1,step,1,step")
    ranges_of_gaps([(2, MAIN, "a", 0, 150), (1, MAIN, "b", 150, 400)], MAIN, "between,1,b,1,b")
    ranges_of_gaps([(1, MAIN, "a", 0, 150), (2, MAIN, "b", 150, 400)], MAIN, "between,1,a,2,b")


def test_no_range_in_the_gap_or_none_at_the_launch() -> None:
    ranges_of_gaps([(1, MAIN, "before", 0, 100), (2, MAIN, "launch", 189, 400)], MAIN, "between,2,launch,2,launch")
    ranges_of_gaps([(1, MAIN, "load", 0, 150)], MAIN, "between,1,load,,")
    ranges_of_gaps([(1, MAIN, "before", 0, 100)], MAIN, "between,,,,")


def test_a_thread_without_ranges_stands_for_the_only_one_that_has_some() -> None:
    ranges_of_gaps([(1, MAIN, "backward", 0, 400)], HELPER, "between,1,backward,1,backward")
    ranges_of_gaps([(1, MAIN, "backward", 0, 400), (2, SECOND, "other", 900, 901)], HELPER, "between,,,1,backward")
    ranges_of_gaps([(1, MAIN, "backward", 0, 400), (2, HELPER, "own", 900, 901)], HELPER, "between,,,,")


def test_a_tail_follows_the_thread_of_the_last_work() -> None:
    ranges = [(1, MAIN, "save", 350, 390), (2, HELPER, "other", 0, 400)]
    ranges_of_gaps(ranges, MAIN, "between,,,,\ntail,1,save,,", duration=400)


@each_export(
    "families", "rank0", "metrics", "um_faults", "cudf_2020", "gpu_metrics_a100", "saxpy_mpi_2022_2", "nccl_payload_2026_2"
)
def test_equals_a_loop(traced: Traced) -> None:
    rows = traced.rows("gaps", "gap_id, range_id, launch_range_id")
    assert {row[0]: row[1:] for row in rows} == gap_ranges_by_loop(traced.export, traced.db, traced.report_id)
