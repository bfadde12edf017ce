"""Ingest: what becomes of earlier reports, names, re-ingest, folders, bad inputs."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import duckdb
import nsysql
import pytest
from nsysql.errors import BusyError, InputError, StorageError, UsageError

from tests.conftest import FIXTURES


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "some.duckdb"


def listed(database: Path) -> list[tuple[int, str]]:
    with nsysql.open(database) as db:
        return db.sql("SELECT report_id, name FROM reports ORDER BY 1").fetchall()


def test_ids_go_by_argument_order(database: Path) -> None:
    done = nsysql.ingest([FIXTURES / "tiny.sqlite", FIXTURES / "nocuda.sqlite"], database)
    assert [(d.report_id, d.name, d.action) for d in done] == [(1, "tiny", "added"), (2, "nocuda", "added")]
    assert listed(database) == [(1, "tiny"), (2, "nocuda")]


def test_the_same_content_replaces_itself(database: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite", FIXTURES / "nocuda.sqlite"], database)
    (done,) = nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert (done.report_id, done.action) == (1, "replaced")
    with nsysql.open(database) as db:
        assert db.sql("SELECT count(*) FROM kernels").fetchall() == [(63,)]
    assert listed(database) == [(1, "tiny"), (2, "nocuda")]


def test_the_same_content_under_another_file_name_keeps_its_name(database: Path, tmp_path: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    shutil.copy(FIXTURES / "tiny.sqlite", tmp_path / "other.sqlite")
    nsysql.ingest([tmp_path / "other.sqlite"], database)
    assert listed(database) == [(1, "tiny")]


def test_a_name_with_other_content_is_refused(database: Path, tmp_path: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    clash = tmp_path / "x" / "tiny.sqlite"
    clash.parent.mkdir()
    shutil.copy(FIXTURES / "nocuda.sqlite", clash)
    with pytest.raises(UsageError, match="--replace"):
        nsysql.ingest([clash], database)
    assert listed(database) == [(1, "tiny")]
    (done,) = nsysql.ingest([clash], database, replace=True)
    assert (done.report_id, done.action) == (1, "replaced")
    with nsysql.open(database) as db:
        assert db.sql("SELECT count(*) FROM kernels").fetchall() == [(0,)]


def test_ids_are_never_reused(database: Path, tmp_path: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite", FIXTURES / "nocuda.sqlite"], database)
    clash = tmp_path / "x" / "nocuda.sqlite"
    clash.parent.mkdir()
    shutil.copy(FIXTURES / "tiny.sqlite", clash)
    from nsysql.ingestion import ingest_one

    ingest_one(clash, database, name="nocuda", replace=True)
    assert listed(database) == [(1, "nocuda")]
    (done,) = nsysql.ingest([FIXTURES / "nocuda.sqlite"], database, replace=True)
    assert done.report_id == 1
    (done,) = nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert done.report_id == 3


def test_reports_of_a_run_share_an_axis(database: Path) -> None:
    nsysql.ingest([FIXTURES / "ddp_rank0.sqlite", FIXTURES / "ddp_rank1.sqlite"], database, run="ddp")
    with nsysql.open(database) as db:
        rows = db.sql("SELECT start_utc_ns, offset_ns, run FROM reports").fetchall()
    first = min(r[0] for r in rows)
    assert [(r[0] - first, "ddp") for r in rows] == [(r[1], r[2]) for r in rows]


def test_a_folder_gives_its_reports_and_exports(tmp_path: Path, database: Path) -> None:
    folder = tmp_path / "ranks"
    folder.mkdir()
    for name in ("tiny", "nocuda"):
        shutil.copy(FIXTURES / f"{name}.sqlite", folder)
    (folder / "notes.txt").write_text("nothing of ours")
    assert [d.name for d in nsysql.ingest([folder], database)] == ["nocuda", "tiny"]


def test_a_folder_takes_the_report_before_its_export_if_it_can_be_read(tmp_path: Path) -> None:
    from nsysql.ingestion import expand_inputs

    for name in ("a.nsys-rep", "a.sqlite", "b.sqlite", "c.qdrep"):
        (tmp_path / name).touch()
    assert [p.name for p in expand_inputs([tmp_path], sys.executable)] == ["a.nsys-rep", "b.sqlite", "c.qdrep"]
    assert [p.name for p in expand_inputs([tmp_path], "/no/nsys")] == ["a.sqlite", "b.sqlite", "c.qdrep"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no"):
        expand_inputs([tmp_path / "empty"])


def test_a_bad_file_leaves_earlier_reports_as_they_were(tmp_path: Path, database: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    before = database.read_bytes()
    bad = tmp_path / "bad.sqlite"
    bad.write_bytes((FIXTURES / "train_bad.sqlite").read_bytes()[:200_000])
    with pytest.raises(InputError):
        nsysql.ingest([bad], database)
    assert database.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.sqlite", "some.duckdb"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.sqlite", "no such file"),
        ("raw.qdstrm", "QdstrmImporter"),
        ("text.nsys-rep", "not a SQLite file"),
        ("empty.nsys-rep", "is empty"),
    ],
)
def test_inputs_that_cannot_be_read(tmp_path: Path, database: Path, name: str, message: str) -> None:
    path = tmp_path / name
    if "missing" not in name:
        path.write_text("" if "empty" in name else "some text")
    with pytest.raises(InputError, match=message):
        nsysql.ingest([path], database)
    assert not database.exists()


def test_a_file_name_that_duckdb_would_mix_up(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="another name"):
        nsysql.ingest([FIXTURES / "tiny.sqlite"], tmp_path / "raw.duckdb")


def test_something_else_under_the_databases_name(database: Path) -> None:
    database.write_text("not a database")
    with pytest.raises(InputError, match="not a DuckDB database"):
        nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert database.read_text() == "not a database"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        nsysql.ingest([FIXTURES / "tiny.sqlite"], tmp_path / "nowhere" / "x.duckdb")


def test_an_open_database_of_this_process(database: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    with nsysql.open(database), pytest.raises(BusyError, match="this process"):
        nsysql.ingest([FIXTURES / "nocuda.sqlite"], database, wait_s=0)


def test_the_key_of_hashes_is_the_databases_own(tmp_path: Path) -> None:
    hashes = []
    for name in ("a", "b"):
        nsysql.ingest([FIXTURES / "tiny.sqlite", FIXTURES / "train_bad.sqlite"], tmp_path / f"{name}.duckdb")
        with nsysql.open(tmp_path / f"{name}.duckdb") as db:
            hashes.append({r[0] for r in db.sql("SELECT host FROM reports").fetchall()})
    assert [len(h) for h in hashes] == [1, 1]
    assert hashes[0] != hashes[1]


def test_users_own_views_survive_and_old_views_are_replaced(database: Path) -> None:
    import duckdb

    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    with duckdb.connect(str(database)) as con:
        con.execute("CREATE VIEW mine AS SELECT count(*) AS n FROM main.gaps")
        con.execute("UPDATE nsysql_meta.settings SET value = 'older' WHERE name = 'catalog'")
        con.execute("CREATE OR REPLACE VIEW v1.strings AS SELECT 1 AS outdated")
    with nsysql.open(database) as db:
        assert db.sql("SELECT n > 0 FROM mine").fetchall() == [(True,)]
        assert db.sql("FROM strings LIMIT 1").columns == ["report_id", "string_id", "value"]


def test_another_export_of_a_recording_takes_its_place_and_says_so(database: Path, tmp_path: Path) -> None:
    import sqlite3

    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    again = tmp_path / "again.sqlite"
    shutil.copy(FIXTURES / "tiny.sqlite", again)
    with sqlite3.connect(again) as db:
        db.execute("UPDATE META_DATA_EXPORT SET value = 'later' WHERE name = 'EXPORT_TIME_UTC'")
    (done,) = nsysql.ingest([again], database)
    assert (done.report_id, done.name, done.action) == (1, "tiny", "replaced")
    assert any("same recording as tiny.sqlite" in note for note in done.notes)


def test_a_name_of_digits_is_refused(database: Path, tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "tiny.sqlite", tmp_path / "7.sqlite")
    with pytest.raises(UsageError, match="number"):
        nsysql.ingest([tmp_path / "7.sqlite"], database)


def test_a_lesser_export_of_a_recording_replaces_only_when_told(database: Path, tmp_path: Path) -> None:
    import sqlite3

    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    lesser = tmp_path / "lesser.sqlite"
    shutil.copy(FIXTURES / "tiny.sqlite", lesser)
    with sqlite3.connect(lesser) as db:
        db.execute("DELETE FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION")
    with pytest.raises(UsageError, match="with more rows"):
        nsysql.ingest([lesser], database)
    (done,) = nsysql.ingest([lesser], database, replace=True)
    assert (done.report_id, done.name, done.action) == (1, "tiny", "replaced")


def test_a_database_without_reports_is_left_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    with duckdb.connect(str(other)) as con:
        con.execute("CREATE TABLE mine (x INTEGER)")
    with pytest.raises(UsageError, match="holds no reports of nsysql"):
        nsysql.open(other)
    with duckdb.connect(str(other)) as con:
        assert con.execute("SELECT count(*) FROM duckdb_schemas() WHERE schema_name = 'v1'").fetchall() == [(0,)]
