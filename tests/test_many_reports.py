"""Many reports in one database: ingested at once, broken off and run again, and looked at one at a time."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import nsysql
import pytest

from tests.conftest import FIXTURES


def copies(folder: Path, count: int) -> Path:
    """A folder of exports that differ in when they were recorded."""
    folder.mkdir()
    for number in range(count):
        path = folder / f"rank{number:02}.sqlite"
        path.write_bytes((FIXTURES / "tiny.sqlite").read_bytes())
        with closing(sqlite3.connect(path)) as db:
            db.execute("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + ?", [number])
            db.commit()
    return folder


def contents(database: Path) -> list[Any]:
    """Reports, and rows and hash of some views for each."""
    with nsysql.open(database) as db:
        rows = db.sql("SELECT report_id, name, start_utc_ns, source_sha256 FROM reports ORDER BY ALL").fetchall()
        for view in ("kernels", "api_calls", "nvtx_ranges", "gaps"):
            columns = ", ".join(c for c in db.sql(f"FROM {view}").columns if c != "gpu_id")
            query = f"SELECT report_id, count(*), sum(hash({columns})) FROM {view} GROUP BY ALL ORDER BY ALL"
            rows += db.sql(query).fetchall()
    return rows


def test_killed_half_way_and_run_again(tmp_path: Path) -> None:
    folder = copies(tmp_path / "ranks", 32)
    nsysql.ingest([folder], tmp_path / "whole.duckdb", jobs=1)
    database = tmp_path / "broken.duckdb"
    command = [sys.executable, "-m", "nsysql", "ingest", "--jobs", "2", "--db", str(database), str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for _ in range(9):
        assert "added" in process.stderr.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = nsysql.ingest([folder], database, jobs=2)
    assert [d.name for d in done] == [f"rank{n:02}" for n in range(32)]
    assert {d.action for d in done[:9]} == {"kept"}
    assert done[-1].action == "added"
    assert contents(database) == contents(tmp_path / "whole.duckdb")
    assert not [p.name for p in tmp_path.iterdir() if ".ingest-" in p.name]


def test_an_ingest_waits_for_another(tmp_path: Path) -> None:
    database = tmp_path / "x.duckdb"
    files = [FIXTURES / f"{name}.sqlite" for name in ("tiny", "nocuda", "pipeline")]
    nsysql.ingest(files[:1], database)
    command = [sys.executable, "-m", "nsysql", "ingest", "--db", str(database)]
    processes = [subprocess.Popen([*command, str(f)], stderr=subprocess.PIPE, text=True) for f in files[1:]]
    while any(p.poll() is None for p in processes):
        with nsysql.open(database) as db:
            assert db.sql("SELECT count(*) FROM kernels WHERE report_id = 1").fetchall() == [(63,)]
        time.sleep(0.01)
    assert [p.returncode for p in processes] == [0, 0], [p.communicate()[1] for p in processes]
    with nsysql.open(database) as db:
        assert {r[0] for r in db.sql("SELECT name FROM reports").fetchall()} == {"tiny", "nocuda", "pipeline"}


@pytest.fixture(scope="module")
def two_hundred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of one report 200 times, the others named r2 to r200."""
    database = tmp_path_factory.mktemp("many") / "many.duckdb"
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    with duckdb.connect(str(database)) as con:
        tables = con.execute(
            "SELECT DISTINCT schema_name || '.' || table_name FROM duckdb_columns() INNER JOIN duckdb_tables() USING "
            "(schema_name, table_name) WHERE column_name = 'report_id' AND schema_name IN ('raw', 'derived', 'nsysql_meta')"
        ).fetchall()
        for (table,) in tables:
            named = ", 'r' || new_id AS name" if table.endswith(".report_files") else ""
            con.execute(
                f"INSERT INTO {table} BY NAME SELECT * EXCLUDE (new_id) REPLACE (new_id::INTEGER AS report_id{named}) "
                f"FROM {table}, (SELECT unnest(range(2, 201)) AS new_id) WHERE report_id = 1 ORDER BY new_id"
            )
    return database


def unfiltered(plan: dict[str, Any], report_id: int) -> list[str]:
    """Tables that a plan scans without a condition on the report."""
    facts = plan.get("extra_info", {})
    table = str(facts.get("Table", ""))
    filters = str(facts.get("Filters", "")).replace(" ", "")
    is_missed = any(f".{s}." in table for s in ("raw", "derived", "nsysql_meta")) and f"report_id={report_id}" not in filters
    return [table] * is_missed + [t for child in plan["children"] for t in unfiltered(child, report_id)]


@pytest.mark.parametrize("view", ["gaps", "kernels", "nvtx_ranges", "kernel_sum", "busy_islands"])
def test_one_of_many_reports_is_a_constant_in_the_plan(two_hundred: Path, view: str) -> None:
    with nsysql.open(two_hundred) as db:
        text = db.query_text(db.catalog.get(view), reports=["r77"])
        (plan,) = json.loads(db.sql(f"EXPLAIN (FORMAT json) {text}").fetchall()[0][1])
        assert unfiltered(plan, 77) == []
        assert {r[0] for r in db.sql(text).select("report_id").fetchall()} <= {77}
