"""The blank database in the user's cache folder: what is copied from it is what would be installed."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import duckdb
import nsysql
import pytest
from nsysql import blank
from nsysql.catalog import load_catalog

from tests.conftest import FIXTURES

TINY = FIXTURES / "tiny.sqlite"
OBJECTS = """
SELECT 'view', schema_name, view_name, sql, comment FROM duckdb_views() WHERE NOT internal
UNION ALL SELECT 'table', schema_name, table_name, sql, comment FROM duckdb_tables()
UNION ALL SELECT 'column', schema_name, table_name || '.' || column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal
UNION ALL SELECT function_type, schema_name, function_name, macro_definition || parameters::VARCHAR || parameter_types::VARCHAR, comment
FROM duckdb_functions() WHERE NOT internal
ORDER BY ALL
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, which is not there yet."""
    folder = tmp_path / "deep" / "cache"
    monkeypatch.setenv("NSYSQL_CACHE", str(folder))
    return folder


def ingested(folder: Path, name: str = "a") -> Path:
    path = folder / f"{name}.duckdb"
    nsysql.ingest([TINY], path)
    return path


def content(path: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as con:
        tables = con.execute("SELECT schema_name || '.' || table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
        counts = [(name, con.execute(f"SELECT count(*) FROM {name}").fetchall()) for (name,) in tables]
        return [*con.execute(OBJECTS).fetchall(), *counts]


def test_a_copied_database_is_an_installed_one(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ingested(tmp_path, "first")
    made = {path: path.stat().st_mtime_ns for path in cache.iterdir()}
    second = ingested(tmp_path, "second")
    assert {path: path.stat().st_mtime_ns for path in cache.iterdir()} == made and len(made) == 1
    monkeypatch.setenv("NSYSQL_CACHE", "")
    without = ingested(tmp_path, "without")
    assert content(first) == content(second) == content(without)


def test_nothing_of_a_report_is_in_it(tmp_path: Path, cache: Path) -> None:
    ingested(tmp_path)
    (kept,) = cache.iterdir()
    with duckdb.connect(str(kept), read_only=True) as con:
        tables = con.execute("SELECT schema_name || '.' || table_name FROM duckdb_tables()").fetchall()
        filled = {name for (name,) in tables if con.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]}
        settings = {name for (name,) in con.execute("SELECT name FROM nsysql_meta.settings").fetchall()}
    assert filled == {"nsysql_meta.documentation", "nsysql_meta.settings"}
    assert settings == {"catalog", "nsysql_version", "objects"}


@pytest.mark.parametrize("left, put", [(4096, b""), (9000, b"x"), (0, b"")])
def test_a_damaged_one_is_made_anew(tmp_path: Path, cache: Path, left: int, put: bytes) -> None:
    ingested(tmp_path, "first")
    (kept,) = cache.iterdir()
    whole = content(kept)
    data = kept.read_bytes()
    kept.write_bytes(data[:left] + put + (data[left + 1 :] if put else b""))
    second = ingested(tmp_path, "second")
    assert content(second) == content(tmp_path / "first.duckdb")
    (anew,) = cache.iterdir()
    assert content(anew) == whole


@pytest.mark.parametrize("place", ["/proc/nowhere", "file/below", "what?"])
def test_without_a_folder_that_can_be_written_all_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NSYSQL_CACHE", str(tmp_path / place))
    monkeypatch.chdir(tmp_path)
    with nsysql.open(ingested(tmp_path)) as db:
        assert db.sql("SELECT name FROM reports").fetchall() == [("tiny",)]
    assert (tmp_path / "file").read_text() == ""
    assert {path.name for path in tmp_path.iterdir()} == {"file", "a.duckdb", ".a.duckdb.lock"}


@pytest.mark.skipif(sys.platform != "linux", reason="where the folder is, is of the system")
def test_a_user_without_a_home_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NSYSQL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert blank.cache_folder() is None


def test_what_was_made_long_ago_goes_when_one_is_made(tmp_path: Path, cache: Path) -> None:
    cache.mkdir(parents=True)
    old = time.time() - 40 * 24 * 3600
    number = "0123456789abcdef"
    doomed, recent = f"nsysql-{number}-{number}.duckdb", f"nsysql-{number[::-1]}-{number}.duckdb"
    others = {"notes.txt", "my-runs.duckdb", "nsysql-runs.duckdb"}
    for name in (doomed, recent, *others):
        (cache / name).write_text(name)
    broken_off = cache / ".nsysql-making-1234"
    broken_off.mkdir()
    (broken_off / "blank.duckdb").write_text("")
    for name in (doomed, broken_off.name, *others):
        os.utime(cache / name, (old, old))
    ingested(tmp_path)
    left = {path.name for path in cache.iterdir()}
    assert left > {recent, *others} and len(left) == 5 and doomed not in left


def test_other_code_makes_another(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = load_catalog()
    key = blank._key(catalog)
    monkeypatch.setattr(duckdb, "__version__", "9.9.9")
    assert blank._key(catalog) != key


@pytest.mark.skipif(sys.platform != "linux", reason="where the folder is, is of the system")
def test_it_is_kept_in_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NSYSQL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    ingested(tmp_path)
    assert [path.suffix for path in (tmp_path / "cache" / "nsysql").iterdir()] == [".duckdb"]
