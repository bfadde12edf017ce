"""gpu_utilization on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import busy_islands, gpu_ops_by_gpu
from tests.conftest import EXPORTS

OPS = "report_id,op_id,process_id,gpu_id,start_ns,end_ns,dur_ns\n"
HEADER = "bin,start_ns,end_ns,busy_ns,busy_ratio"


def bins(ops: str, duration: str, count: int, expect: str) -> None:
    rows = {
        "gpu_ops": OPS + ops,
        "_captures": f"report_id,duration_ns,start_ns,end_ns\n1,{duration},0,{duration}",
        "trace_states": "report_id,source,state\n1,kernels,recorded",
        "gpus": "report_id,gpu_id\n1,0",
    }
    query = f"SELECT bin, start_ns, end_ns, busy_ns, busy_ratio FROM gpu_utilization(bin_count := {count}) ORDER BY bin"
    check(rows=rows, query=query, expect=f"{HEADER}\n{expect}")


def test_an_operation_is_cut_at_the_edges() -> None:
    bins("1,8,5,0,5,25,20", "40", 4, "0,0,10,5,0.5\n1,10,20,10,1.0\n2,20,30,5,0.5\n3,30,40,0,0.0")


def test_overlap_counts_once() -> None:
    bins("1,8,5,0,0,10,10\n1,16,5,0,5,10,5", "20", 2, "0,0,10,10,1.0\n1,10,20,0,0.0")


def test_the_last_bin_is_shorter() -> None:
    bins("1,8,5,0,0,10,10", "10", 3, "0,0,4,4,1.0\n1,4,8,4,1.0\n2,8,10,2,1.0")


def test_more_bins_than_time() -> None:
    bins("1,8,5,0,1,2,1", "2", 5, "0,0,1,0,0.0\n1,1,2,1,1.0")


def test_without_a_known_length_the_bins_end_with_the_last_operation() -> None:
    bins("1,8,5,0,0,10,10", "", 2, "0,0,5,5,1.0\n1,5,10,5,1.0")


def test_negative_times_are_before_the_first_bin() -> None:
    bins("1,8,5,0,-10,5,15", "10", 2, "0,0,5,5,1.0\n1,5,10,0,0.0")


@pytest.mark.parametrize(
    "export", [e for e in EXPORTS if e.stem in ("train_bad", "ddp_one", "multiproc")], ids=lambda p: p.stem
)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export) -> None:
    report = db.report_ids([export.stem])[0]
    rows = db.query("gpu_utilization", {"bin_count": 37}, reports=[report]).fetchall()
    assert rows
    for gpu, ops in gpu_ops_by_gpu(export).items():
        islands = busy_islands(ops)
        for _, _, _, start, end, busy, _ in (row for row in rows if row[1] == gpu):
            assert busy == sum(max(0, min(b, end) - max(a, start)) for a, b in islands)
