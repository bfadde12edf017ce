"""The headers inside the database and as JSON; databases of newer and older nsysql versions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import nsysql
import pytest
from nsysql.catalog import load_catalog
from nsysql.database import Database
from nsysql.errors import BusyError

from tests.conftest import FIXTURES


def test_the_documentation_is_a_table(db: Database) -> None:
    public = {v.name: v for v in load_catalog().views.values() if not v.is_private}
    views = db.sql("SELECT name, summary, version, grain, needs FROM nsysql_views").fetchall()
    assert views == [(v.name, v.summary, v.version, list(v.grain), list(v.needs.views)) for v in public.values()]
    columns = db.sql("SELECT view_name, position, name, type, unit, description FROM nsysql_columns").fetchall()
    assert columns == [
        (v.name, i, c.name, c.type, c.unit, c.doc) for v in public.values() for i, c in enumerate(v.columns, start=1)
    ]
    params = db.sql("SELECT name, type, default_value FROM nsysql_params WHERE view_name = 'gpu_utilization'").fetchall()
    assert params == [(p.name, p.type, p.default) for p in public["gpu_utilization"].params]


def test_the_documentation_is_that_of_the_relations(db: Database) -> None:
    rows = db.sql(
        "SELECT d.view_name, d.name FROM nsysql_columns AS d INNER JOIN nsysql_views AS v ON v.name = d.view_name "
        "LEFT JOIN duckdb_columns() AS c ON c.schema_name = 'main' AND c.table_name = d.view_name AND c.column_name = d.name "
        "AND c.column_index = d.position WHERE c.column_name IS NULL AND v.kind IN ('view', 'table') "
        "AND NOT EXISTS (FROM nsysql_params AS p WHERE p.view_name = v.name AND p.default_value IS NULL)"
    ).fetchall()
    assert rows == []


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_the_manifest_for_programs(tmp_path: Path, format: str) -> None:
    command = [sys.executable, "-m", "nsysql", "views", "--format", format]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    subprocess.run([*command, "-o", str(tmp_path / "views.out")], check=True)
    assert (tmp_path / "views.out").read_text() == text
    objects = json.loads(text) if format == "json" else [json.loads(line) for line in text.splitlines()]
    gaps = next(o for o in objects if o["name"] == "gaps")
    assert gaps["columns"][0] == {
        "name": "report_id",
        "type": "INTEGER",
        "unit": "id",
        "description": load_catalog().views["gaps"].columns[0].doc,
    }
    assert len(objects) == sum(not v.is_private for v in load_catalog().views.values())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with one report."""
    nsysql.ingest([FIXTURES / "tiny.sqlite"], tmp_path / "x.duckdb")
    return tmp_path / "x.duckdb"


def as_if_by(database: Path, version: str) -> None:
    """Make a database look as if an nsysql of that version had made it, with a view of its own."""
    with duckdb.connect(str(database)) as con:
        con.execute("UPDATE nsysql_meta.settings SET value = ? WHERE name = 'nsysql_version'", [version])
        con.execute("UPDATE nsysql_meta.settings SET value = 'other' WHERE name = 'catalog'")
        con.execute("CREATE OR REPLACE VIEW main.gaps AS SELECT 1 AS report_id, 42 AS dur_ns")


def test_a_newer_nsysqls_database_is_read_and_not_written(database: Path) -> None:
    as_if_by(database, "99.0.1")
    before = database.read_bytes()
    with nsysql.open(database) as db:
        assert db.notes == (f"{database} was made by nsysql 99.0.1, which is newer than this one: its own views are used",)
        assert db.query("gaps", order="dur_ns").fetchall() == [(1, 42)]
    for write in (lambda: nsysql.ingest([FIXTURES / "nocuda.sqlite"], database), lambda: nsysql.drop([1], database)):
        with pytest.raises(BusyError, match=r"99\.0\.1, which is newer than this one"):
            write()
    assert database.read_bytes() == before


def test_an_older_nsysqls_database_gets_the_current_views(database: Path) -> None:
    as_if_by(database, "0.0.9")
    with duckdb.connect(str(database)) as con:
        con.execute("CREATE VIEW mine AS SELECT count(*) AS n FROM kernels")
        con.execute("CREATE TABLE derived.gaps_of_old (report_id INTEGER)")
    with nsysql.open(database) as db:
        assert db.notes == ()
        assert db.sql("SELECT count(*) FROM gaps").fetchall()[0][0] > 1
        assert db.sql("FROM mine").fetchall() == [(63,)]
        assert db.sql("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'gaps_of_old'").fetchall() == [(0,)]


def test_a_reader_that_cannot_write_uses_the_views_that_are_there(database: Path) -> None:
    as_if_by(database, "0.0.9")
    code = "import duckdb, sys, time; con = duckdb.connect(sys.argv[1], read_only=True); print(flush=True); time.sleep(60)"
    reader = subprocess.Popen([sys.executable, "-c", code, str(database)], stdout=subprocess.PIPE)
    assert reader.stdout is not None
    reader.stdout.readline()
    with nsysql.open(database, wait_s=0) as db:
        assert db.query("gaps", order="dur_ns").fetchall() == [(1, 42)]
    assert "of another nsysql version and were left so" in db.notes[0]
    reader.kill()
    reader.communicate()
