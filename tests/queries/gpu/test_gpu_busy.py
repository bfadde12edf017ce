"""gpu_busy on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import busy_ns, gpu_ops_by_gpu
from tests.conftest import EXPORTS

QUERY = """SELECT gpu_id, op_count, process_count, busy_ns, busy_ratio, active_ratio, op_dur_ns, lead_in_ns, between_ns,
    tail_ns, idle_ns, gap_count FROM gpu_busy ORDER BY gpu_id"""
HEADER = (
    "gpu_id,op_count,process_count,busy_ns,busy_ratio,active_ratio,op_dur_ns,lead_in_ns,between_ns,tail_ns,idle_ns,gap_count"
)
TRACED = "report_id,source,state\n1,kernels,recorded\n1,memcpys,none\n2,kernels,not_traced\n3,kernels,unknown"
OPS = "report_id,op_id,process_id,gpu_id,start_ns,end_ns,dur_ns\n"


def test_overlapping_streams_count_once() -> None:
    rows = {
        "gpu_ops": OPS + "1,8,5,0,10,30,20\n1,16,5,0,20,40,20\n1,24,6,0,50,60,10",
        "trace_states": TRACED,
        "_captures": "report_id,duration_ns,start_ns,end_ns\n1,100,0,100",
        "gpus": "report_id,gpu_id\n1,0",
    }
    check(rows=rows, query=QUERY, expect=f"{HEADER}\n0,3,2,40,0.4,0.8,50,10,10,40,60,1")


def test_a_gpu_without_work_was_idle_all_the_time() -> None:
    rows = {
        "gpu_ops": OPS + "1,8,5,0,0,100,100",
        "trace_states": TRACED,
        "_captures": "report_id,duration_ns,start_ns,end_ns\n1,100,0,100",
        "gpus": "report_id,gpu_id\n1,0\n1,1",
    }
    check(rows=rows, query=QUERY, expect=f"{HEADER}\n0,1,1,100,1.0,1.0,100,0,0,0,0,0\n1,0,0,0,0.0,,0,,,,100,0")


def test_what_was_not_traced_was_not_idle() -> None:
    rows = {
        "gpu_ops": OPS + "1,8,5,0,0,100,100",
        "trace_states": TRACED,
        "_captures": "report_id,duration_ns,start_ns,end_ns\n1,100,0,100\n2,100,0,100\n3,100,0,100",
        "gpus": "report_id,gpu_id\n1,0\n2,0\n3,0",
    }
    query = "SELECT report_id, busy_ns FROM gpu_busy ORDER BY report_id"
    check(rows=rows, query=query, expect="report_id,busy_ns\n1,100", reports="report_id\n1\n2\n3")


def test_unknown_length_of_the_capture() -> None:
    rows = {
        "gpu_ops": OPS + "1,8,5,0,10,20,10",
        "trace_states": TRACED,
        "_captures": "report_id,duration_ns,start_ns,end_ns\n1,,0,",
        "gpus": "report_id,gpu_id\n1,0",
    }
    check(rows=rows, query=QUERY, expect=f"{HEADER}\n0,1,1,10,,1.0,10,10,0,,,0")


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export) -> None:
    report = db.report_ids([export.stem])[0]
    rows = db.sql(f"SELECT gpu_id, op_count, busy_ns FROM gpu_busy WHERE report_id = {report} AND op_count > 0").fetchall()
    assert set(rows) == {(gpu, len(ops), busy_ns(ops)) for gpu, ops in gpu_ops_by_gpu(export).items()}


def test_busy_and_gaps_fill_the_capture(db: nsysql.Database) -> None:
    rows = db.sql(
        """SELECT report_id, gpu_id, b.capture_ns, b.busy_ns, b.idle_ns, sum(g.dur_ns)
        FROM gpu_busy b JOIN gaps g USING (report_id, gpu_id) GROUP BY ALL"""
    ).fetchall()
    assert rows
    for *_, capture, busy, idle, gaps in rows:
        assert capture == busy + gaps
        assert idle == gaps
