"""gpu_ops: all GPU work once."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import gpu_ops_by_gpu
from tests.conftest import EXPORTS, FIXTURES

QUERY = "SELECT op_id, kind, name, start_ns, end_ns, dur_ns FROM gpu_ops ORDER BY op_id"
HEADER = "op_id,kind,name,start_ns,end_ns,dur_ns\n"
EMPTY = {
    "_kernel_ops": "report_id,op_id,gpu_id,short_name,start_ns,end_ns",
    "memcpys": "report_id,op_id,gpu_id,direction,start_ns,end_ns",
    "memsets": "report_id,op_id,gpu_id,memory_kind,start_ns,end_ns",
    "graph_launches": "report_id,op_id,gpu_id,graph_id,is_expanded,start_ns,end_ns",
}


def ops(expect: str, **rows: str) -> None:
    check(
        rows={name: f"{header}\n{rows.get(name, '')}" for name, header in EMPTY.items()},
        query=QUERY,
        expect=HEADER + expect,
    )


def test_four_kinds() -> None:
    ops(
        "8,kernel,f,1,2,1\n9,memcpy,memcpy HtoD,3,5,2\n10,memset,memset device,6,9,3\n11,graph_launch,graph 4,10,14,4",
        _kernel_ops="1,8,0,f,1,2",
        memcpys="1,9,0,HtoD,3,5",
        memsets="1,10,0,device,6,9",
        graph_launches="1,11,0,4,false,10,14",
    )


def test_an_execution_counts_by_its_nodes_or_by_its_launch_never_both() -> None:
    ops("8,kernel,f,1,2,1", _kernel_ops="1,8,0,f,1,2", graph_launches="1,11,0,4,true,1,2")


def test_what_cannot_be_placed_is_left_out() -> None:
    ops("24,kernel,h,1,2,1", _kernel_ops="1,8,0,f,,2\n1,16,0,g,1,\n1,24,0,h,1,2\n1,32,,i,1,2")


def test_an_end_before_the_start_counts_as_the_start() -> None:
    ops("8,kernel,f,5,5,0", _kernel_ops="1,8,0,f,5,3")


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export) -> None:
    report = db.report_ids([export.stem])[0]
    rows = db.sql(f"SELECT gpu_id, start_ns, end_ns FROM gpu_ops WHERE report_id = {report} ORDER BY ALL").fetchall()
    expected = [(gpu, *op) for gpu, ops in gpu_ops_by_gpu(export).items() for op in ops]
    assert rows == sorted(expected)


ON_OPS = (
    "gpu_ops", "gaps", "gpu_busy", "busy_islands", "gpu_utilization", "kernel_launches", "nvtx_kernels", "gap_causes",
    "idle_by_cause", "phases", "copy_compute_overlap", "copy_compute_overlap_by_direction", "comm_overlap", "nvtx_coverage",
    "nvtx_gpu_projection", "iterations", "verdicts",
)  # fmt: skip


def test_what_cannot_be_placed_is_said(tmp_path: Path) -> None:
    export = tmp_path / "train_bad.sqlite"
    shutil.copy(FIXTURES / "train_bad.sqlite", export)
    with sqlite3.connect(export) as con:
        for table in ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY"):  # without their NOT NULL
            con.executescript(f"CREATE TABLE t AS SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE t RENAME TO {table}")
        for table, column, most in (("KERNEL", "end", 10), ("KERNEL", "start", 12), ("MEMCPY", "deviceId", 50)):
            con.execute(f'UPDATE CUPTI_ACTIVITY_KIND_{table} SET "{column}" = NULL WHERE rowid <= {most}')
    con.close()
    nsysql.ingest([export], tmp_path / "n.duckdb")
    with nsysql.open(tmp_path / "n.duckdb") as db:
        expect = [f"train_bad: {n} without a start, an end or a device are left out" for n in ("12 kernels", "50 memcpys")]
        for view in ON_OPS:
            said = db.bewares(db.catalog.get(view))
            assert [line for line in said if "without a start" in line] == expect, view
        assert db.sql("SELECT kind, count(*) FROM gpu_ops GROUP BY kind ORDER BY kind").fetchall() == [
            ("kernel", 1864 - 12), ("memcpy", 107 - 50), ("memset", 100),
        ]  # fmt: skip
        assert db.sql("SELECT item, row_count FROM coverage WHERE state = 'not_placed' ORDER BY item").fetchall() == [
            ("kernel", 12), ("memcpy", 50),
        ]  # fmt: skip
