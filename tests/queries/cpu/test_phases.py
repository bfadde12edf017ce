"""phases on rows that can be checked by eye, and against a loop over the source rows of each process."""

from __future__ import annotations

from typing import Any

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute import api_calls, busy_ns, capture_ns, covered_ns, enclosing_calls, gpu_ops, process_islands
from tests.queries.conftest import Traced, each_export
from tests.recorded import COLUMNS, HELPER, MAIN, OTHER, OTHER_PROCESS, recorded

TIMES = "before_cuda_ns, after_cuda_ns, gpu_busy_ns, cuda_call_ns, module_load_ns, sync_ns, profiler_ns"


def phased(*recordings: dict[str, list[str]], columns: str, expect: str) -> None:
    """Check some columns, in the order of the view."""
    rows = {table: "\n".join([head, *(line for r in recordings for line in r[table])]) for table, head in COLUMNS.items()}
    gpus = [f"{place},0,0,0" for place, _ in enumerate(recordings, 1)]
    rows["raw.TARGET_INFO_GPU"] = "\n".join(["report_id,vmId,id,cuDevice", *gpus])
    check(
        rows={table: text for table, text in rows.items() if table != "raw.OSRT_API"},
        query=f"SELECT {columns} FROM phases ORDER BY report_id, process_id, end_ns NULLS LAST, phase = 'tail'",
        expect=f"{columns.replace(' ', '')}\n{expect}",
        reports="\n".join(["report_id", *(str(place) for place, _ in enumerate(recordings, 1))]),
    )


def test_three_phases_and_what_filled_them() -> None:
    source = recorded(
        calls=[
            (MAIN, "cuModuleLoadData", 20, 40, 0),
            (MAIN, "cudaLaunchKernel", 90, 100, 1),
            (MAIN, "cudaLaunchKernel", 200, 210, 2),
            (MAIN, "cudaDeviceSynchronize", 210, 330, 0),
            (MAIN, "cudaFree", 350, 360, 0),
        ],
        ops=[(1, 110, 150), (2, 220, 300)],
        overheads=[(MAIN, "CUDA profiling initialization", 0, 15), (MAIN, "Lazy function loading", 35, 50)],
        duration=400,
    )
    phased(
        source,
        columns=f"phase, start_ns, end_ns, dur_ns, {TIMES}, op_count, call_count",
        expect="""lead_in,0,110,110,20,0,0,30,30,0,15,0,2
            active,110,300,190,0,0,120,100,0,90,0,2,2
            tail,300,400,100,0,40,0,40,0,30,0,0,1""",
    )


def test_threads_at_once_count_once_and_nested_calls_not_again() -> None:
    source = recorded(
        calls=[
            (MAIN, "cudaStreamSynchronize", 100, 200, 0),
            (MAIN, "cuStreamSynchronize", 110, 190, 0),
            (HELPER, "cudaEventSynchronize", 150, 250, 0),
            (HELPER, "cudaLaunchKernel", 300, 350, 1),
            (HELPER, "cuLibraryLoadData", 310, 330, 0),
        ],
        ops=[(1, 400, 410)],
    )
    phased(
        source,
        columns="phase, cuda_call_ns, sync_ns, module_load_ns, call_count",
        expect="lead_in,200,150,20,5\nactive,0,0,0,0\ntail,0,0,0,0",
    )


@pytest.mark.parametrize(
    ("duration", "expect"),
    [
        pytest.param(400, "no_gpu_work,0,400,400,50,340,10,1", id="known length"),
        pytest.param("", "no_gpu_work,0,,,50,,10,1", id="unknown length"),
    ],
)
def test_a_process_without_gpu_work(duration: Any, expect: str) -> None:
    source = recorded(calls=[(MAIN, "cudaMalloc", 50, 60, 0)], ops=[(9, 0, 0)], duration=400)
    source["raw.CUPTI_ACTIVITY_KIND_KERNEL"], source["raw.ANALYSIS_DETAILS"] = [], [f"1,{duration}"]
    phased(
        source,
        columns="phase, start_ns, end_ns, dur_ns, before_cuda_ns, after_cuda_ns, cuda_call_ns, call_count",
        expect=expect,
    )


def test_work_without_any_recorded_call() -> None:
    phased(
        recorded(calls=[], ops=[(0, 100, 150)], duration=400),
        columns=f"phase, dur_ns, {TIMES}, op_count, call_count",
        expect="lead_in,100,,,0,0,0,0,0,0,0\nactive,50,,,50,0,0,0,0,1,0\ntail,250,,,0,0,0,0,0,0,0",
    )


def test_a_tail_without_an_end() -> None:
    source = recorded(calls=[(MAIN, "cudaLaunchKernel", 0, 10, 1), (MAIN, "cudaFree", 200, 230, 0)], ops=[(1, 20, 100)])
    source["raw.ANALYSIS_DETAILS"] = ["1,"]
    phased(
        source,
        columns="phase, start_ns, end_ns, dur_ns, before_cuda_ns, after_cuda_ns, cuda_call_ns, call_count",
        expect="lead_in,0,20,20,0,0,10,1\nactive,20,100,80,0,0,0,0\ntail,100,,,0,,30,1",
    )


def test_work_outside_of_the_capture() -> None:
    phased(
        recorded(calls=[(MAIN, "cudaLaunchKernel", 0, 10, 1)], ops=[(1, -20, 100), (2, 300, 500)], duration=400),
        columns="phase, start_ns, end_ns, dur_ns, gpu_busy_ns, op_count, call_count",
        expect="lead_in,0,0,0,0,0,0\nactive,0,500,500,300,2,1\ntail,500,500,0,0,0,0",
    )


def test_each_report_and_process_for_itself_on_a_gpu_of_both() -> None:
    calls = [(MAIN, "cudaLaunchKernel", 0, 10, 1), (OTHER, "cudaLaunchKernel", 40, 60, 1)]
    source = recorded(calls=calls, ops=[(1, 20, 100), (1, 80, 160, "k", OTHER_PROCESS)], duration=200)
    phased(
        source,
        recorded(calls=calls[:1], ops=[(1, 50, 60)], duration=100, report=2),
        columns="report_id, phase, start_ns, end_ns, gpu_busy_ns, cuda_call_ns, op_count, call_count",
        expect="""1,lead_in,0,20,0,10,0,1
            1,active,20,100,80,0,1,0
            1,tail,100,200,60,0,0,0
            1,lead_in,0,80,60,20,0,1
            1,active,80,160,80,0,1,0
            1,tail,160,200,0,0,0,0
            2,lead_in,0,50,0,10,0,1
            2,active,50,60,10,0,1,0
            2,tail,60,100,0,0,0,0""",
    )


def phases_by_loop(traced: Traced) -> list[tuple[Any, ...]]:
    """What each phase of each process holds, from the source rows."""
    calls, ops, end = api_calls(traced.export), gpu_ops(traced.export), capture_ns(traced.export)
    around, islands = enclosing_calls(calls), process_islands(traced.export)
    kinds = dict(traced.rows("api_calls", "call_id, _api_kind(name)"))
    overheads = traced.rows("overheads", "process_id, kind, is_profiler_cost, start_ns, end_ns")
    found: list[tuple[Any, ...]] = []
    for process in {c["process"] for c in calls} | {o["globalPid"] for o in ops}:
        own = [c for c in calls if c["process"] == process]
        work = [(o["start"], o["end"]) for o in ops if o["globalPid"] == process]
        outer = [c for c in own if not around[c["_rowid"]]]
        costs = [row[1:] for row in overheads if row[0] == process]
        doings = [
            [(c["start"], c["end"]) for c in outer],
            [(c["start"], c["end"]) for c in own if kinds[c["_rowid"]] == "module"]
            + [(a, b) for kind, _, a, b in costs if kind in ("jit", "module_load", "lazy_function_load")],
            [(c["start"], c["end"]) for c in outer if kinds[c["_rowid"]] == "sync"],
            [(a, b) for _, is_cost, a, b in costs if is_cost],
        ]
        first_call, last_call = min((c["start"] for c in own), default=None), max((c["end"] for c in own), default=None)
        if not work:
            spans = [("no_gpu_work", 0, end)]
        else:
            first, last = max(0, min(a for a, _ in work)), max(0, max(b for _, b in work))
            spans = [("lead_in", 0, first), ("active", first, last), ("tail", last, None if end is None else max(end, last))]
        for phase, start, stop in spans:
            until = 1 << 62 if stop is None else stop

            def in_phase(at: int, phase: str = phase, spans: Any = tuple(spans)) -> bool:
                return (
                    phase == ([name for name, a, _ in spans if a < at or (name == "active" and a <= at)] or [spans[0][0]])[-1]
                )

            def cut(rows: list[tuple[int, int]], start: int = start, until: int = until) -> int:
                return busy_ns([(max(a, start), min(b, until)) for a, b in rows if a < until and b > start])

            found.append((
                process, phase, start, stop, None if stop is None else stop - start,
                None if first_call is None else max(0, min(first_call, until) - start),
                None if last_call is None or stop is None else max(0, stop - max(last_call, start)),
                covered_ns(start, until, islands.get(process, [])), *map(cut, doings),
                len(work) if phase == "active" else 0, sum(in_phase(c["start"]) for c in own),
            ))  # fmt: skip
    return found


@each_export(
    "families", "rank0", "metrics", "osrt", "um_faults", "cudf_2020", "gpu_metrics_a100", "lanl_2021_5", "saxpy_mpi_2022_2",
    "um_2023_4", "nccl_payload_2026_2",
)  # fmt: skip
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    rows = traced.rows("phases", f"process_id, phase, start_ns, end_ns, dur_ns, {TIMES}, op_count, call_count")
    expected = phases_by_loop(traced)
    assert len(rows) == len(expected)
    assert set(rows) == set(expected)


def test_train_bad_has_one_process_and_three_phases(db: Database) -> None:
    number = db.report_ids(["train_bad"])[0]
    text = f"FROM phases WHERE report_id = {number}"
    assert db.sql(f"SELECT phase, op_count {text} ORDER BY start_ns").fetchall() == [
        ("lead_in", 0),
        ("active", 2071),
        ("tail", 0),
    ]
    capture = db.sql(f"SELECT duration_ns FROM reports WHERE report_id = {number}").fetchall()
    assert db.sql(f"SELECT sum(dur_ns)::BIGINT {text}").fetchall() == capture
    busy = db.sql(f"SELECT sum(busy_ns)::BIGINT FROM gpu_busy WHERE report_id = {number}").fetchall()
    assert db.sql(f"SELECT sum(gpu_busy_ns)::BIGINT {text}").fetchall() == busy
