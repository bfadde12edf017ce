"""osrt_calls: nesting, waiting, calls cut off by the end of the capture."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.brute import capture_ns, rows_of
from tests.queries.conftest import Traced, each_export

HEADER = "report_id,_rowid,eventClass,globalTid,start,end,nestingLevel\n"


@pytest.mark.parametrize(
    ("calls", "nested"),
    [
        pytest.param("1,1,27,7,0,100,0\n1,2,27,7,10,20,1\n1,3,27,7,100,110,0", "1,False\n2,True\n3,False", id="recorded level"),
        pytest.param(
            "1,1,27,7,5,5,0\n1,2,27,7,5,5,0\n1,3,27,7,5,9,0", "1,False\n2,False\n3,False", id="recorded level of a coarse clock"
        ),
        pytest.param(
            "1,1,27,7,0,100,\n1,2,27,7,10,20,\n1,3,27,7,12,18,\n1,4,27,7,20,30,",
            "1,False\n2,True\n3,True\n4,True",
            id="by times",
        ),
        pytest.param("1,1,27,7,0,10,\n1,2,27,7,10,20,", "1,False\n2,False", id="by times: touching"),
        pytest.param("1,1,27,7,10,20,\n1,2,27,7,0,100,\n", "1,True\n2,False", id="by times: any order of rows"),
        pytest.param("1,1,27,7,0,100,\n1,2,27,8,10,20,", "1,False\n2,False", id="by times: each thread its own"),
        pytest.param("1,1,27,7,0,100,\n2,2,27,7,10,20,", "1,False\n2,False", id="by times: each report its own"),
        pytest.param("1,1,27,7,0,100,0\n1,2,31,7,10,10,\n1,3,32,7,10,10,", "1,False", id="start and finish marks"),
    ],
)
def test_nesting(calls: str, nested: str) -> None:
    check(
        rows={"raw.OSRT_API": HEADER + calls},
        query="SELECT call_id, is_nested FROM osrt_calls ORDER BY ALL",
        expect=f"call_id,is_nested\n{nested}",
    )


@pytest.mark.parametrize(
    ("name", "is_blocking"),
    [
        ("poll", True),
        ("pthread_cond_timedwait", True),
        ("read", True),
        ("recvmsg", True),
        ("waitpid", True),
        ("pthread_mutex_trylock", False),
        ("write", False),
        ("ioctl", False),
        ("", False),
    ],
)
def test_blocking(name: str, is_blocking: bool) -> None:
    check(
        rows={
            "raw.OSRT_API": f"report_id,_rowid,eventClass,globalTid,start,end,nestingLevel,nameId\n1,1,27,{(5 << 24) + 7},10,25,0,0",
            "raw.StringIds": f"report_id,id,value\n1,0,{name}",
        },
        query="SELECT name, is_blocking, process_id, dur_ns, nesting_level FROM osrt_calls",
        expect=f"name,is_blocking,process_id,dur_ns,nesting_level\n{name},{is_blocking},{5 << 24},15,0",
    )


@pytest.mark.parametrize(("duration", "is_open"), [("100", True), ("101", False), ("", "")])
def test_a_call_that_ends_with_the_capture_is_open(duration: str, is_open: object) -> None:
    check(
        rows={"raw.OSRT_API": HEADER + "1,1,27,7,0,100,0", "raw.ANALYSIS_DETAILS": f"report_id,duration\n1,{duration}"},
        query="SELECT end_ns, is_open FROM osrt_calls",
        expect=f"end_ns,is_open\n100,{is_open}",
    )


@each_export("cpu_samples", "osrt", "um_faults", "lanl_2021_5", "gpu_metrics_a100", "file_access_2025_5")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    capture = capture_ns(traced.export)
    expected = sorted(
        (c["_rowid"], c["start"], c["end"], c["globalTid"], texts[c["nameId"]], c["nestingLevel"] > 0, c["end"] >= capture)
        for c in rows_of(traced.export, "OSRT_API")
        if c["eventClass"] == 27
    )
    assert traced.rows("osrt_calls", "call_id, start_ns, end_ns, thread_id, name, is_nested, is_open") == expected
