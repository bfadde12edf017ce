"""Contract versions: what vN shows when views and macros have changed since, in every supported DuckDB."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from nsysql.catalog import Catalog, CatalogError
from nsysql.connect import NEW_FILE
from nsysql.header import HeaderError
from nsysql.install import install

from tests.conftest import FIXTURES

FILES = {
    "lib/twice.sql": "-- Doubles.\n--\n-- @version 1\n-- @kind scalar\n-- @param v ANY - - A value.\n-- @column y ANY - Its double.\nSELECT 2 * v\n",
    "base/ops.sql": "-- Work, renamed.\n--\n-- @version 2\n-- @grain op_id\n-- @column op_id INTEGER id Work.\n-- @column dur_ns BIGINT ns Length.\nSELECT 1 AS op_id, 70::BIGINT AS dur_ns\n",
    "base/ops.v1.sql": "-- Work.\n--\n-- @version 1\n-- @grain op_id\n-- @column op_id INTEGER id Work.\n-- @column dur BIGINT ns Length.\nSELECT op_id, dur_ns AS dur FROM ops\n",
    "gpu/busy.sql": "-- Busy, doubled since.\n--\n-- @version 2\n-- @grain busy_ns\n-- @column busy_ns BIGINT ns Time.\nSELECT CAST(twice(sum(dur_ns)) AS BIGINT) AS busy_ns FROM ops\n",
    "gpu/busy.v1.sql": "-- Busy.\n--\n-- @version 1\n-- @grain busy_ns\n-- @column busy_ns BIGINT ns Time.\nSELECT busy_ns // 2 AS busy_ns FROM busy\n",
    "gpu/bins.sql": "-- Bins, of other meaning.\n--\n-- @version 2\n-- @grain bin\n-- @param step INTEGER 3 - Step.\n-- @column bin BIGINT - Bin.\nSELECT dur_ns // step AS bin FROM ops\n",
    "gpu/bins.v1.sql": "-- Bins.\n--\n-- @version 1\n-- @grain bin\n-- @param step INTEGER 5 - Step.\n-- @column bin BIGINT - Bin.\nSELECT dur_ns % step AS bin FROM ops\n",
    "gpu/same.sql": "-- Not changed.\n--\n-- @version 1\n-- @grain op_id\n-- @column op_id INTEGER id Work.\nSELECT op_id FROM ops WHERE dur_ns > 0\n",
    "gpu/new.sql": "-- New with the second contract.\n--\n-- @version 2\n-- @grain x\n-- @column x INTEGER - One.\nSELECT 1 AS x\n",
}
QUERIES = {
    "SELECT dur FROM v1.ops": "70",
    "SELECT dur_ns FROM v2.ops": "70",
    "SELECT dur_ns FROM main.ops": "70",
    "SELECT busy_ns FROM v1.busy": "70",
    "SELECT busy_ns FROM v2.busy": "140",
    "SELECT bin FROM v1.bins": "0",
    "SELECT bin FROM v2.bins": "23",
    "SELECT op_id FROM v1.same": "1",
    "SELECT op_id FROM v2.same": "1",
    "SELECT x FROM v2.new": "1",
}
MACROS = {
    "SELECT bin FROM v1.bins(step := 40)": "30",
    "SELECT bin FROM v2.bins(step := 40)": "1",
    "SELECT bin FROM bins(step := 40)": "1",
    "SELECT v1.twice(4)": "8",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of two views and a macro that have a second version, one that has not, and a new one."""
    folder = tmp_path_factory.mktemp("versions")
    catalog = Catalog.read(write(folder / "queries", FILES))
    assert (catalog.contract, catalog.schema) == (2, "v2")
    path = folder / "versions.duckdb"
    with duckdb.connect(str(path), config=NEW_FILE) as con:
        install(con, catalog)
        con.execute("CREATE SCHEMA other; CREATE VIEW other.ops AS SELECT 9 AS op_id, 9 AS dur_ns")
    return path


def answers(python_path: str | None, database: Path, queries: dict[str, str], prefix: str = "") -> dict[str, str]:
    """What a DuckDB says to each query: the installed one, or that at `python_path`."""
    code = (
        "import duckdb, json, sys\n"
        "con = duckdb.connect(sys.argv[1] or ':memory:', read_only=bool(sys.argv[1]))\n"
        "for setting in sys.argv[3:]: con.execute(setting)\n"
        "print(json.dumps({q: str(con.execute(q).fetchall()[0][0]) for q in json.loads(sys.argv[2])}))\n"
    )
    env = {"PYTHONPATH": python_path} if python_path else None
    given = (
        ["", json.dumps(list(queries)), f"ATTACH '{database}' AS versions (READ_ONLY)"]
        if prefix
        else [str(database), json.dumps(list(queries))]
    )
    done = subprocess.run([sys.executable, "-c", code, *given], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


DUCKDBS = ("lowest", "between", "installed")
"""1.4.4, 1.5, and what `make test` installs beside nsysql."""


def place_of(name: str) -> str | None:
    """Where one of DUCKDBS is imported from, None for the installed one; the test is skipped if it is not there."""
    place = Path(sys.prefix) / name
    if name != "installed" and not place.is_dir():
        pytest.skip(f"the {name} duckdb is not installed: make test does it")
    return None if name == "installed" else str(place)


@pytest.fixture(params=DUCKDBS)
def python_path(request: pytest.FixtureRequest) -> str | None:
    """Where the DuckDB of a test is imported from."""
    return place_of(request.param)


def test_each_schema_shows_its_version(database: Path, python_path: str | None) -> None:
    expected = QUERIES | MACROS
    assert answers(python_path, database, expected) == expected


def test_attached_too(database: Path, python_path: str | None) -> None:
    expected = {q.replace(" FROM ", " FROM versions."): a for q, a in QUERIES.items()}
    assert answers(python_path, database, expected, "versions.") == expected


def test_in_a_shell_of_a_version_between(database: Path) -> None:
    shell = shutil.which("duckdb", path=Path(sys.executable).parent)
    assert shell, "duckdb-cli is part of the dev extra"
    for query, answer in (QUERIES | MACROS).items():
        done = subprocess.run([shell, "-readonly", "-csv", "-noheader", str(database), query], capture_output=True, text=True)
        assert done.stdout.strip() == answer, (query, done.stderr)
    for query, answer in QUERIES.items():
        attached = f"ATTACH '{database}' AS versions (READ_ONLY); {query.replace(' FROM ', ' FROM versions.')}"
        done = subprocess.run([shell, "-csv", "-noheader", "-c", attached], capture_output=True, text=True)
        assert done.stdout.strip() == answer, (query, done.stderr)


def test_the_search_path_does_not_matter(database: Path) -> None:
    with duckdb.connect(str(database), read_only=True) as con:
        for schema in ("other", "v1", "v2", "main"):
            con.execute(f"SET schema = '{schema}'")
            for query, answer in (QUERIES | MACROS).items():
                if " FROM bins(" not in query:
                    assert str(con.execute(query).fetchall()[0][0]) == answer, (schema, query)


def test_a_view_that_is_new_is_not_in_the_earlier_contract(database: Path) -> None:
    with duckdb.connect(str(database), read_only=True) as con, pytest.raises(duckdb.CatalogException):
        con.execute("FROM v1.new")


@pytest.fixture(scope="module", params=DUCKDBS)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that nsysql made on one of the DuckDBs."""
    database = tmp_path_factory.mktemp(request.param) / "written.duckdb"
    nsysql(place_of(request.param), "ingest", "--db", str(database), str(FIXTURES / "tiny.sqlite"))
    return database


def nsysql(python_path: str | None, *arguments: str) -> str:
    """What nsysql prints on a DuckDB."""
    env = os.environ | ({"PYTHONPATH": python_path} if python_path else {})
    done = subprocess.run([sys.executable, "-m", "nsysql", *arguments], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_one_duckdb_wrote_another_reads(written: Path, python_path: str | None) -> None:
    shown = nsysql(python_path, "query", "gaps", "--db", str(written), "--where", "position = 'between'")
    bundled = nsysql(python_path, "sql", "SELECT count(*) AS n FROM v1.gaps WHERE position = 'between'", "--db", str(written))
    assert len(shown.splitlines()) - 1 == int(bundled.split()[1]) > 0
    nsysql(python_path, "ingest", "--replace", "--db", str(written), str(FIXTURES / "tiny.sqlite"))
    assert nsysql(None, "query", "gaps", "--db", str(written), "--where", "position = 'between'") == shown


@pytest.mark.parametrize(
    ("files", "error", "message"),
    [
        ({"base/ops.v1.sql": FILES["base/ops.v1.sql"]}, CatalogError, "no later version of it in ops.sql"),
        ({"base/ops.sql": FILES["base/ops.sql"], "base/ops.v3.sql": FILES["base/ops.v1.sql"]}, HeaderError, "says version 3"),
        ({"base/ops.sql": FILES["base/ops.v1.sql"], "gpu/ops.sql": FILES["base/ops.v1.sql"]}, CatalogError, "is also"),
    ],
)
def test_files_that_do_not_fit(tmp_path: Path, files: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Catalog.read(write(tmp_path, files))
