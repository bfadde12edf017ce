"""queue_depth on rows that can be checked by eye, and against a loop over the stretches."""

from __future__ import annotations

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import capture_ns
from tests.conftest import EXPORTS

STRETCHES = "report_id,process_id,gpu_id,start_ns,end_ns,dur_ns,queued_count,running_count\n"
HEADER = "bin,start_ns,end_ns,max_queued_count,mean_queued_count,mean_running_count,empty_ns\n"


def bins(stretches: list[tuple[int, int, int, int]], duration: str, count: int, expect: str) -> None:
    lines = [f"1,5,0,{start},{end},{end - start},{queued},{running}\n" for start, end, queued, running in stretches]
    check(
        rows={
            "pending_launches": STRETCHES + "".join(lines),
            "_captures": f"report_id,duration_ns,start_ns,end_ns\n1,{duration},0,{duration}",
        },
        query=f"SELECT {HEADER.strip()} FROM queue_depth(bin_count := {count}) ORDER BY bin",
        expect=HEADER + expect,
    )


def test_means_are_over_time_and_a_stretch_is_cut_at_the_edges() -> None:
    bins(
        [(5, 8, 10, 0), (8, 25, 2, 1), (25, 32, 0, 1)],
        "40", 4,
        "0,0,10,10,3.4,0.2,5\n1,10,20,2,2.0,1.0,0\n2,20,30,2,1.0,1.0,0\n3,30,40,0,0.0,0.2,8",
    )  # fmt: skip


def test_a_hole_between_operations_is_empty() -> None:
    bins([(0, 10, 1, 0), (10, 30, 0, 0), (30, 40, 0, 3)], "40", 2, "0,0,20,1,0.5,0.0,10\n1,20,40,0,0.0,1.5,10")


def test_what_lies_outside_of_the_capture_does_not_count() -> None:
    bins([(-10, 5, 4, 0), (5, 50, 1, 0)], "20", 2, "0,0,10,4,2.5,0.0,0\n1,10,20,1,1.0,0.0,0")


def test_the_last_bin_is_shorter_and_may_be_missing() -> None:
    bins([(0, 10, 1, 0)], "10", 3, "0,0,4,1,1.0,0.0,0\n1,4,8,1,1.0,0.0,0\n2,8,10,1,1.0,0.0,0")
    bins([(0, 2, 1, 0)], "2", 5, "0,0,1,1,1.0,0.0,0\n1,1,2,1,1.0,0.0,0")


def test_without_a_known_length_the_bins_end_with_the_last_operation() -> None:
    bins([(0, 10, 1, 0)], "", 2, "0,0,5,1,1.0,0.0,0\n1,5,10,1,1.0,0.0,0")


@pytest.mark.parametrize(
    "export", [e for e in EXPORTS if e.stem in ("backpressure", "ddp_one", "multiproc", "graphs_node")], ids=lambda p: p.stem
)
def test_equals_a_loop_over_the_stretches(db: nsysql.Database, export) -> None:
    report, capture = db.report_ids([export.stem])[0], capture_ns(export)
    columns = "process_id, gpu_id, start_ns, end_ns, queued_count, running_count"
    stretches = db.sql(f"SELECT {columns} FROM pending_launches WHERE report_id = {report}").fetchall()
    rows = db.query("queue_depth", {"bin_count": 37}, reports=[report]).fetchall()
    assert {row[1:3] for row in rows} == {s[:2] for s in stretches} and max(row[5] for row in rows) == capture
    for _, process, gpu, _, start, end, highest, queued, running, empty in rows:
        inside = [
            (min(e, end) - max(s, start), q, r)
            for p, g, s, e, q, r in stretches
            if (p, g) == (process, gpu) and s < end and e > start
        ]
        assert highest == max((q for _, q, _ in inside), default=0)
        assert queued == pytest.approx(sum(t * q for t, q, _ in inside) / (end - start))
        assert running == pytest.approx(sum(t * r for t, _, r in inside) / (end - start))
        assert empty == end - start - sum(t for t, q, r in inside if q or r)


def test_the_queue_of_backpressure_is_full(db: nsysql.Database) -> None:
    rows = db.query("queue_depth", reports=["backpressure"])
    assert rows.aggregate("max(max_queued_count) BETWEEN 1000 AND 1024").fetchall() == [(True,)]
