"""kernel_gaps on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from collections import defaultdict

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.conftest import EXPORTS

KERNELS = "report_id,op_id,process_id,gpu_id,context_id,stream_id,short_name,start_ns,end_ns\n"
QUERY = "SELECT op_id, previous_op_id, start_ns, end_ns, gap_ns, is_overlap FROM kernel_gaps ORDER BY op_id"
HEADER = "op_id,previous_op_id,start_ns,end_ns,gap_ns,is_overlap"


@pytest.mark.parametrize(
    ("kernels", "expect"),
    [
        pytest.param("1,8,5,0,1,7,a,10,20", "", id="the first of a stream has none"),
        pytest.param("1,8,5,0,1,7,a,10,20\n1,16,5,0,1,7,b,25,30", "16,8,20,25,5,False", id="a gap"),
        pytest.param("1,8,5,0,1,7,a,10,20\n1,16,5,0,1,7,b,15,30", "16,8,20,15,-5,True", id="an overlap is negative"),
        pytest.param("1,8,5,0,1,7,a,10,20\n1,16,5,0,1,7,b,20,30", "16,8,20,20,0,False", id="touching"),
        pytest.param("1,8,5,0,1,7,a,10,20\n1,16,6,0,1,7,b,25,30", "", id="equal numbers in two processes"),
        pytest.param("1,8,5,0,1,7,a,10,20\n1,16,5,1,2,7,b,25,30", "", id="equal stream numbers in two contexts"),
        pytest.param("1,16,5,0,1,7,a,10,20\n1,8,5,0,1,7,b,25,30", "8,16,20,25,5,False", id="time decides, not number"),
    ],
)
def test_cases(kernels: str, expect: str) -> None:
    check(rows={"kernels": KERNELS + kernels}, query=QUERY, expect=f"{HEADER}\n{expect}")


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export) -> None:
    streams = defaultdict(list)
    for k in rows_of(export, "CUPTI_ACTIVITY_KIND_KERNEL"):
        streams[k["globalPid"], k["contextId"], k["streamId"]].append((k["start"], k["end"], k["_rowid"]))
    expected = set()
    for kernels in streams.values():
        kernels.sort()
        expected |= {(b[2] * 8, b[0] - a[1]) for a, b in zip(kernels, kernels[1:])}
    report = db.report_ids([export.stem])[0]
    assert set(db.sql(f"SELECT op_id, gap_ns FROM kernel_gaps WHERE report_id = {report}").fetchall()) == expected
