"""busy_islands on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute import busy_islands, gpu_ops_by_gpu
from tests.conftest import EXPORTS

OPS = "report_id,op_id,gpu_id,start_ns,end_ns,name\n"
QUERY = "SELECT gpu_id, island, start_ns, end_ns, busy_before_ns, op_count, first_op, last_op FROM busy_islands ORDER BY ALL"
HEADER = "gpu_id,island,start_ns,end_ns,busy_before_ns,op_count,first_op,last_op\n"


@pytest.mark.parametrize(
    ("ops", "expect"),
    [
        pytest.param(
            "1,8,0,10,20,a\n1,16,0,20,30,b\n1,24,0,40,45,c", "0,1,10,30,0,2,a,b\n0,2,40,45,20,1,c,c", id="touching are one"
        ),
        pytest.param("1,8,0,10,50,a\n1,16,0,15,20,b", "0,1,10,50,0,2,a,a", id="the one that ends last"),
        pytest.param("1,8,0,10,20,a\n1,16,0,10,20,b", "0,1,10,20,0,2,a,b", id="ties by number"),
        pytest.param("1,8,0,10,20,a\n1,16,1,15,20,b", "0,1,10,20,0,1,a,a\n1,1,15,20,0,1,b,b", id="each GPU its own"),
        pytest.param("1,8,0,10,10,a", "0,1,10,10,0,1,a,a", id="zero length"),
    ],
)
def test_cases(ops: str, expect: str) -> None:
    check(rows={"gpu_ops": OPS + ops}, query=QUERY, expect=HEADER + expect)


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: Database, export: Path) -> None:
    report = db.report_ids([export.stem])[0]
    rows = db.sql(f"SELECT gpu_id, start_ns, end_ns FROM busy_islands WHERE report_id = {report} ORDER BY ALL").fetchall()
    assert rows == sorted((gpu, *island) for gpu, ops in gpu_ops_by_gpu(export).items() for island in busy_islands(ops))
