"""sched_slices: from one change of the scheduler to the next."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import pytest

from tests.blueprint import check
from tests.brute import capture_ns, rows_of
from tests.queries.conftest import Traced, each_export

HEADER = "report_id,_rowid,globalTid,start,cpu,isSchedIn,threadState\n"
COLUMNS = "slice_id,start_ns,end_ns,dur_ns,state,thread_state,cpu,is_open"


@pytest.mark.parametrize(
    ("changes", "duration", "slices"),
    [
        pytest.param(
            "1,1,7,10,3,1,0\n1,2,7,30,3,0,2",
            "100",
            "1,10,30,20,running,,3,False\n2,30,100,70,off,interruptible,3,True",
            id="on, off to the end of the capture",
        ),
        pytest.param(
            "1,1,7,10,3,1,0\n1,2,7,30,3,0,5",
            "100",
            "1,10,30,20,running,,3,False\n2,30,30,0,off,terminated,3,False",
            id="a thread that terminated is not off",
        ),
        pytest.param(
            "1,1,7,10,3,1,1\n1,2,8,15,4,1,1\n1,3,7,30,3,0,1",
            "100",
            "1,10,30,20,running,,3,False\n2,15,100,85,running,,4,True\n3,30,100,70,off,running,3,True",
            id="each thread its own; pushed off",
        ),
        pytest.param("1,1,7,10,3,0,", "", "1,10,,,off,,3,True", id="no length of the capture"),
        pytest.param("1,1,7,110,3,0,", "100", "1,110,,,off,,3,True", id="after the capture"),
        pytest.param(
            "1,1,7,10,3,1,\n1,2,7,20,4,1,\n1,3,7,20,4,0,",
            "100",
            "1,10,20,10,running,,3,False\n2,20,20,0,running,,4,False\n3,20,100,80,off,,4,True",
            id="a lost change, and two at one instant",
        ),
        pytest.param(
            "1,1,7,10,3,0,5\n1,2,7,10,3,1,0",
            "100",
            "1,10,10,0,off,terminated,3,False\n2,10,10,0,running,,3,False",
            id="nothing comes after the end of a thread",
        ),
    ],
)
def test_cases(changes: str, duration: str, slices: str) -> None:
    check(
        rows={"raw.SCHED_EVENTS": HEADER + changes, "raw.ANALYSIS_DETAILS": f"report_id,duration\n1,{duration}"},
        query=f"SELECT {COLUMNS} FROM sched_slices ORDER BY slice_id",
        expect=f"{COLUMNS}\n{slices}",
    )


def test_reports_do_not_mix() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "raw.SCHED_EVENTS": f"{HEADER}1,1,7,10,3,1,\n2,2,7,30,3,0,",
            "raw.ANALYSIS_DETAILS": "report_id,duration\n1,50\n2,60",
        },
        query="SELECT report_id, end_ns FROM sched_slices ORDER BY ALL",
        expect="report_id,end_ns\n1,50\n2,60",
    )


@each_export(
    "cpu_samples", "lanl_2021_5", "saxpy_mpi_2022_2", "gpu_metrics_a100", "file_access_2025_5", "jetson_2024_5", "wddm_windows"
)
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    threads = defaultdict(list)
    for e in rows_of(traced.export, "SCHED_EVENTS"):
        threads[e["globalTid"]].append(
            (e["start"], e.get("threadState") == 5, e["_rowid"], "running" if e["isSchedIn"] else "off")
        )
    capture = capture_ns(traced.export)
    expected = []
    for thread, changes in threads.items():
        changes.sort()
        for (start, _, row, state), following in pairwise([*changes, None]):
            if following:
                expected.append((row, thread, start, following[0], state, False))
            elif changes[-1][1]:
                expected.append((row, thread, start, start, state, False))
            else:
                expected.append((row, thread, start, capture if capture >= start else None, state, True))
    columns = "slice_id, thread_id, start_ns, end_ns, state, is_open"
    assert traced.rows("sched_slices", columns) == sorted(expected)
