"""Numbers that were computed from the source files by other means than nsysql, ns."""

from __future__ import annotations

import nsysql
import pytest
from nsysql.database import Database

# report: operations, busy, lead_in, tail, gaps between, their sum, the longest, those of 1 ms and more
KNOWN = {
    "pipeline": (203, 7_361_642, 624_178_302, 132_013_684, 143, 104_346_725, 5_254_278, 20),
    "train_bad": (2_071, 93_224_998, 4_933_240_579, 1_015_046_380, 2_070, 7_046_072_889, 5_361_275_662, 70),
    "train_good": (1_971, 93_170_853, 3_813_268_586, 1_081_870_562, 1_970, 4_855_248_152, None, None),
    "graphs_graph": (143, 2_930_774, None, None, None, None, None, None),
    "backpressure": (7_906, 461_129_446, None, None, 7_905, 125_899_598, None, None),
}


def measured(db: Database, report: str) -> tuple[int, ...]:
    return db.sql(
        f"""SELECT any_value(op_count), any_value(busy_ns),
            sum(dur_ns) FILTER (position = 'lead_in'), sum(dur_ns) FILTER (position = 'tail'),
            count(*) FILTER (position = 'between'), sum(dur_ns) FILTER (position = 'between'),
            max(dur_ns) FILTER (position = 'between'), count(*) FILTER (position = 'between' AND dur_ns >= 1_000_000)
        FROM gaps JOIN gpu_busy USING (report_id, gpu_id) WHERE report_id = {db.report_ids([report])[0]}"""
    ).fetchall()[0]


@pytest.mark.parametrize("report", KNOWN)
def test_known_numbers(db: Database, report: str) -> None:
    for got, known in zip(measured(db, report), KNOWN[report], strict=True):
        assert known is None or got == known


def test_graph_launches_are_operations(db: Database) -> None:
    kinds = dict(
        db.sql(
            "SELECT kind, count(*) FROM gpu_ops JOIN reports r USING (report_id) WHERE r.name = 'graphs_graph' GROUP BY ALL"
        ).fetchall()
    )
    assert kinds["graph_launch"] == 30


def test_two_processes_share_one_gpu(db: Database) -> None:
    rows = db.query("gpu_busy", reports=["multiproc"]).fetchall()
    assert [(r[1], r[4]) for r in rows] == [(0, 2)]


def test_two_gpus(db: Database) -> None:
    assert len(db.query("gpu_busy", where="op_count > 0", reports=["ddp_one"]).fetchall()) == 2


@pytest.mark.nsys
def test_the_report_itself_gives_the_same_rows(tmp_path, fixtures_dir, nsys, db: Database) -> None:
    target = tmp_path / "one.duckdb"
    nsysql.ingest([fixtures_dir / "pipeline.nsys-rep"], target, nsys=nsys)
    with nsysql.open(target) as own:
        assert measured(own, "pipeline") == KNOWN["pipeline"]
        columns = "gpu_id, position, start_ns, end_ns, previous_op, next_op"
        from_report = own.sql(f"SELECT {columns} FROM gaps ORDER BY ALL").fetchall()
    from_export = db.sql(
        f"SELECT {columns} FROM gaps WHERE report_id = {db.report_ids(['pipeline'])[0]} ORDER BY ALL"
    ).fetchall()
    assert from_report == from_export
