"""gaps on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import busy_islands, capture_ns, gpu_ops_by_gpu
from tests.conftest import EXPORTS

QUERY = "SELECT gap_id, gpu_id, position, start_ns, end_ns, dur_ns, previous_op_id, next_op_id FROM gaps ORDER BY gap_id"
HEADER = "gap_id,gpu_id,position,start_ns,end_ns,dur_ns,previous_op_id,next_op_id"


@pytest.mark.parametrize(
    ("ops", "duration", "expect"),
    [
        pytest.param("8,0,10,20", "30", "1,0,lead_in,0,10,10,,8\n2,0,tail,20,30,10,8,", id="one operation"),
        pytest.param("8,0,0,20\n16,0,25,30", "30", "2,0,between,20,25,5,8,16", id="no lead_in, no tail"),
        pytest.param("8,0,0,20\n16,0,20,30", "30", "", id="touching"),
        pytest.param(
            "8,0,0,20\n16,0,5,10\n24,0,22,30",
            "30",
            "2,0,between,20,22,2,8,24",
            id="previous is the one that ended last",
        ),
        pytest.param("8,0,0,20\n9,0,10,20\n16,0,25,30\n17,0,25,28", "30", "2,0,between,20,25,5,9,16", id="ties by number"),
        pytest.param("8,0,0,10\n16,1,5,30", "30", "2,0,tail,10,30,20,8,\n3,1,lead_in,0,5,5,,16", id="each GPU its own"),
        pytest.param(
            "8,0,5,10\n16,0,12,12\n24,0,15,30",
            "30",
            "1,0,lead_in,0,5,5,,8\n2,0,between,10,12,2,8,16\n3,0,between,12,15,3,16,24",
            id="zero length parts a gap",
        ),
        pytest.param("8,0,5,10", "", "1,0,lead_in,0,5,5,,8", id="unknown length of the capture: no tail"),
        pytest.param("8,0,-5,10\n16,0,20,40", "30", "2,0,between,10,20,10,8,16", id="work outside the capture"),
    ],
)
def test_cases(ops: str, duration: str, expect: str) -> None:
    rows = {
        "gpu_ops": "report_id,op_id,gpu_id,start_ns,end_ns,name\n" + "\n".join(f"1,{line},x" for line in ops.splitlines()),
        "_captures": f"report_id,duration_ns,start_ns,end_ns\n1,{duration},0,{duration}",
    }
    check(rows=rows, query=QUERY, expect=f"{HEADER}\n{expect}")


def test_reports_do_not_mix() -> None:
    rows = {
        "gpu_ops": "report_id,op_id,gpu_id,start_ns,end_ns\n1,8,0,0,10\n2,8,0,20,30",
        "_captures": "report_id,duration_ns,start_ns,end_ns\n1,10,0,10\n2,30,0,30",
    }
    check(
        reports="report_id\n1\n2",
        rows=rows,
        query="SELECT report_id, gap_id, position, dur_ns FROM gaps ORDER BY ALL",
        expect="report_id,gap_id,position,dur_ns\n2,1,lead_in,20",
    )


def test_tail_is_flagged_when_the_length_is_unknown() -> None:
    rows = {
        "gpu_ops": "report_id,op_id,gpu_id,start_ns,end_ns\n1,8,0,5,10",
        "_captures": "report_id,duration_ns,start_ns,end_ns\n1,,0,",
    }
    check(rows=rows, query="SELECT position, is_tail_known FROM gaps", expect="position,is_tail_known\nlead_in,False")


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export) -> None:
    expected = set()
    for gpu, ops in gpu_ops_by_gpu(export).items():
        islands = busy_islands(ops)
        edges = [(0, 0), *islands, (capture_ns(export),) * 2]
        expected |= {(gpu, a[1], b[0]) for a, b in zip(edges, edges[1:]) if b[0] > a[1]}
    text = f"SELECT gpu_id, start_ns, end_ns FROM gaps WHERE report_id = {db.report_ids([export.stem])[0]}"
    rows = db.sql(text).fetchall()
    assert len(rows) == len(set(rows))
    assert set(rows) == expected


def test_next_and_previous_touch_the_gap(db: nsysql.Database) -> None:
    wrong = db.sql(
        """SELECT * FROM gaps g
        LEFT JOIN gpu_ops p ON p.report_id = g.report_id AND p.op_id = g.previous_op_id
        LEFT JOIN gpu_ops n ON n.report_id = g.report_id AND n.op_id = g.next_op_id
        WHERE p.end_ns <> g.start_ns OR n.start_ns <> g.end_ns OR p.gpu_id <> g.gpu_id OR n.gpu_id <> g.gpu_id
            OR (p.op_id IS NULL) <> (g.position = 'lead_in') OR (n.op_id IS NULL) <> (g.position = 'tail')"""
    ).fetchall()
    assert wrong == []
