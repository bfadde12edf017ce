"""sync_waits on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from tests.blueprint import check
from tests.brute import api_calls, nvtx_ranges, rows_of
from tests.queries.api.test_waits import by_loop
from tests.queries.conftest import Traced, each_export

WAITS = (
    "report_id,process_id,thread_id,api,name,kind,call_id,call_count,class,dur_ns,gpu_busy_ns,gpu_idle_ns,nvtx_name,nvtx_path\n"
)


def test_steps_are_one_phase_and_functions_and_threads_are_not() -> None:
    waits = (
        "1,5,7,runtime,cudaStreamSynchronize,sync,1,1,ok_waiting,100,80,20,copy,step_1/copy\n"
        "1,5,7,runtime,cudaStreamSynchronize,sync,2,1,idle_wait,50,0,50,copy,step_22/copy\n"
        "1,5,7,runtime,cudaStreamSynchronize,sync,3,1,,0,0,0,copy,step_3/copy\n"
        "1,5,7,runtime,cudaEventQuery,poll,4,9,idle_wait,30,10,20,copy,step_3/copy\n"
        "1,5,8,runtime,cudaStreamSynchronize,sync,5,1,ok_waiting,7,7,0,copy,step_1/copy\n"
        "1,5,7,runtime,cudaStreamSynchronize,sync,6,1,ok_waiting,5,5,0,h2d_2,h2d_2\n"
        "1,5,7,runtime,cudaStreamSynchronize,sync,7,1,idle_wait,3,1,2,,\n"
    )
    check(
        rows={"waits": WAITS + waits},
        query="SELECT thread_id, name, nvtx_name, nvtx_path, wait_count, call_count, wait_ns, max_ns, gpu_busy_ns, gpu_idle_ns, "
        "ok_waiting_count AS ok, idle_wait_count AS idle FROM sync_waits ORDER BY wait_ns DESC",
        expect="""thread_id,name,nvtx_name,nvtx_path,wait_count,call_count,wait_ns,max_ns,gpu_busy_ns,gpu_idle_ns,ok,idle
            7,cudaStreamSynchronize,copy,step_*/copy,3,3,150,100,80,70,1,1
            7,cudaEventQuery,copy,step_*/copy,1,9,30,30,10,20,0,1
            8,cudaStreamSynchronize,copy,step_*/copy,1,1,7,7,7,0,1,0
            7,cudaStreamSynchronize,h2d_*,h2d_*,1,1,5,5,5,0,1,0
            7,cudaStreamSynchronize,,,1,1,3,3,1,2,0,1""",
    )


def test_without_known_gpus() -> None:
    check(
        rows={"waits": WAITS + "1,5,7,driver,cuCtxSynchronize,sync,1,1,,100,,,,"},
        query="SELECT wait_ns, gpu_busy_ns, gpu_idle_ns, ok_waiting_count AS ok, idle_wait_count AS idle FROM sync_waits",
        expect="wait_ns,gpu_busy_ns,gpu_idle_ns,ok,idle\n100,,,0,0",
    )


def folded(text: str | None) -> str | None:
    """Numbers at the ends of the names in a path become stars; the fixtures have no other numbers that count as such."""
    return None if text is None else "/".join(re.sub(r"\d+$", "*", name) for name in text.split("/"))


@each_export()
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    calls = {c["_rowid"]: c for c in api_calls(traced.export)}
    paths = {number: path for number, _, _, path, _, _ in nvtx_ranges(traced.export)} if calls else {}
    found: dict[tuple[Any, ...], list[Any]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for number, (kind, call_count, end, busy, range_id) in by_loop(traced.export).items():
        call = calls[number]
        dur = end - call["start"]
        name = re.sub(r"(_v\d+|_ptsz|_ptds)+$", "", texts[call["nameId"]])
        sums = found[call["globalTid"], name, kind, folded(paths.get(range_id))]
        is_ok = busy is not None and dur > 0 and 2 * busy >= dur
        for place, value in enumerate((1, call_count, dur, busy or 0, is_ok)):
            sums[place] += value
    got = traced.rows(
        "sync_waits", "thread_id, name, kind, nvtx_path, wait_count, call_count, wait_ns, gpu_busy_ns, ok_waiting_count"
    )
    assert {row[:4]: list(row[4:]) for row in got} == dict(found)
