"""Ingest: what becomes of earlier reports, names, re-ingest, folders, bad inputs."""

from __future__ import annotations

import shutil
import signal
import sqlite3
from pathlib import Path

import duckdb
import nsysql
import pytest
from nsysql import loading, merging
from nsysql.errors import BusyError, InputError, KeyChangedError, StorageError, UsageError
from nsysql.locks import held
from nsysql.workers import Worker, WorkerDiedError

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


@pytest.mark.parametrize(("replace", "action"), [(False, "kept"), (True, "replaced")])
def test_the_same_content_takes_its_own_place(database: Path, replace: bool, action: str) -> None:
    first, _ = nsysql.ingest([FIXTURES / "tiny.sqlite", FIXTURES / "nocuda.sqlite"], database)
    (done,) = nsysql.ingest([FIXTURES / "tiny.sqlite"], database, replace=replace)
    assert (done.report_id, done.name, done.action, done.row_count) == (1, "tiny", action, first.row_count)
    with nsysql.open(database) as db:
        assert db.sql("SELECT count(*) FROM kernels").fetchall() == [(63,)]
    assert listed(database) == [(1, "tiny"), (2, "nocuda")]


def test_what_another_nsysql_loaded_is_loaded_again(database: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    with duckdb.connect(str(database)) as con:
        con.execute("UPDATE nsysql_meta.report_files SET loader_hash = 'of another'")
    (done,) = nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert (done.report_id, done.action) == (1, "replaced")


def test_a_new_name_or_run_for_the_same_content(database: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    (done,) = nsysql.ingest([FIXTURES / "tiny.sqlite"], database, name="small", run="first")
    assert (done.report_id, done.action) == (1, "replaced")
    with nsysql.open(database) as db:
        assert db.sql("SELECT name, run FROM reports").fetchall() == [("small", "first")]


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
    nsysql.ingest([clash], database, name="nocuda", replace=True)
    assert listed(database) == [(1, "nocuda")]
    (done,) = nsysql.ingest([FIXTURES / "nocuda.sqlite"], database, replace=True)
    assert done.report_id == 1
    (done,) = nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert done.report_id == 3


def test_dropped_reports_are_gone_and_their_ids_too(database: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite", FIXTURES / "nocuda.sqlite", FIXTURES / "pipeline.sqlite"], database)
    assert nsysql.drop(["tiny", 3], database) == ["tiny", "pipeline"]
    assert listed(database) == [(2, "nocuda")]
    with nsysql.open(database) as db:
        tables = db.sql(
            "SELECT schema_name || '.' || table_name FROM duckdb_columns() WHERE column_name = 'report_id' AND schema_name IN ('raw', 'derived')"
        ).fetchall()
        assert {r for (t,) in tables for (r,) in db.sql(f"SELECT DISTINCT report_id FROM {t}").fetchall()} == {2}
    (done,) = nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert done.report_id == 4


def test_values_that_nothing_can_be_made_of_are_told_of_their_file_alone(database: Path, tmp_path: Path) -> None:
    export = tmp_path / "odd.sqlite"
    shutil.copy(FIXTURES / "pipeline.sqlite", export)
    with sqlite3.connect(export) as con:
        con.execute("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -9223372036854775807 WHERE rowid = 50")
    con.close()
    with pytest.raises(InputError, match=r"odd\.sqlite: its values cannot be worked with: .*Overflow"):
        nsysql.ingest([FIXTURES / "tiny.sqlite", export, FIXTURES / "nocuda.sqlite"], database)
    assert [name for _, name in listed(database)] == ["tiny", "nocuda"]


def test_a_device_number_that_is_none(database: Path, tmp_path: Path) -> None:
    """uint32 -1, by which exports say that there is none elsewhere."""
    export = tmp_path / "odd.sqlite"
    shutil.copy(FIXTURES / "pipeline.sqlite", export)
    with sqlite3.connect(export) as con:
        con.execute("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 4294967295 WHERE rowid = 50")
        con.execute("UPDATE TARGET_INFO_CUDA_CONTEXT_INFO SET deviceId = 4294967295")
    con.close()
    nsysql.ingest([export], database)
    with nsysql.open(database) as db:
        assert db.bewares(db.catalog.get("gpu_ops")) == ["odd: 1 kernels without a start, an end or a device are left out"]
        assert db.sql("SELECT DISTINCT device_id, gpu_id FROM contexts").fetchall() == [(None, None)]


def test_a_report_is_dropped_by_what_it_is_found_by(database: Path) -> None:
    """Its name or id comes before a run of the same name, as in --report."""
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    nsysql.ingest([FIXTURES / "nocuda.sqlite"], database, run="1")
    nsysql.ingest([FIXTURES / "pipeline.sqlite", FIXTURES / "multiproc.sqlite"], database, run="nocuda")
    with nsysql.open(database) as db:
        assert [db.report_ids(name) for name in ("1", "nocuda")] == [[1], [2]]
    assert nsysql.drop(["1"], database) == ["tiny"]
    assert nsysql.drop(["nocuda"], database) == ["nocuda"]
    assert nsysql.drop(["nocuda"], database) == ["pipeline", "multiproc"]


def test_dropping_all_or_nothing(database: Path, tmp_path: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    with pytest.raises(UsageError, match="no report 'other'"):
        nsysql.drop(["tiny", "other"], database)
    assert listed(database) == [(1, "tiny")]
    with pytest.raises(UsageError, match="no database"):
        nsysql.drop(["tiny"], tmp_path / "none.duckdb")
    assert not (tmp_path / "none.duckdb").exists()
    with duckdb.connect(str(tmp_path / "other.duckdb")) as con:
        con.execute("CREATE TABLE mine (x INTEGER)")
    with pytest.raises(UsageError, match="no reports of nsysql"):
        nsysql.drop(["tiny"], tmp_path / "other.duckdb")


def test_several_at_once_give_the_same_as_one_by_one(tmp_path: Path) -> None:
    files = [*sorted(FIXTURES.glob("*.sqlite")), FIXTURES / "truncated.nsys-rep"]
    databases = {jobs: tmp_path / f"{jobs}.duckdb" for jobs in (1, 3)}
    rows = {}
    for jobs, database in databases.items():
        with pytest.raises(InputError, match="truncated"):
            nsysql.ingest(files, database, jobs=jobs, nsys="/bin/false")
        with nsysql.open(database) as db:
            rows[jobs] = [
                db.sql(f"SELECT count(*), sum(hash(COLUMNS(*))) FROM {t}").fetchall()
                for t in ("gpu_ops", "nvtx_ranges", "gaps")
            ]
            rows[jobs] += db.sql("SELECT * EXCLUDE (ingested_at, host) FROM reports ORDER BY 1").fetchall()
    assert rows[1] == rows[3]
    assert len(listed(databases[1])) == len(files) - 1


def test_the_first_report_has_the_rows_that_it_has_as_a_later_one(tmp_path: Path) -> None:
    """The database that it was loaded into becomes the user's; others are copied there."""
    rows = []
    for number, files in enumerate((["pipeline", "tiny"], ["tiny", "pipeline"])):
        database = tmp_path / f"{number}.duckdb"
        nsysql.ingest([FIXTURES / f"{name}.sqlite" for name in files], database)
        with nsysql.open(database) as db:
            report = db.report_ids(["pipeline"])[0]
            assert report == files.index("pipeline") + 1
            query = (
                "SELECT DISTINCT schema_name || '.' || table_name FROM duckdb_columns() WHERE schema_name IN ('raw', 'derived')"
            )
            tables = sorted(t for (t,) in db.sql(query).fetchall())
            of_table = "SELECT count(*), sum(hash(COLUMNS(* EXCLUDE (report_id)))) FROM {} WHERE report_id = {}"
            rows.append({t: db.sql(of_table.format(t, report)).fetchall() for t in tables})
        assert sorted(p.name for p in tmp_path.iterdir() if p.suffix != ".lock") == [f"{n}.duckdb" for n in range(number + 1)]
    hashed = {"raw.TARGET_INFO_SYSTEM_ENV", "raw.TARGET_INFO_GPU", "raw.TARGET_INFO_CUDA_DEVICE"}
    assert {t for t in rows[0] if rows[0][t] != rows[1][t]} <= hashed
    assert sum(count for ((count, *_),) in rows[0].values()) > 5000


def test_a_database_that_another_ingest_makes_meanwhile(database: Path, tmp_path: Path) -> None:
    """What was loaded to become the database is copied there if the key is the same; else it is told to begin again."""
    folder = tmp_path / "work"
    folder.mkdir()
    becomes = {"name": None, "run": None}
    given = {
        "known": [],
        "tools": [],
        "keep_sqlite": False,
        "thread_count": 1,
        "becomes": becomes,
        "progress": lambda *step: None,
    }
    loaded = {
        key: loading.load(str(FIXTURES / f"{name}.sqlite"), str(folder), key, **given)
        for key, name in {"a" * 32: "tiny", "b" * 32: "nocuda"}.items()
    }
    loaded_too = loading.load(str(FIXTURES / "pipeline.sqlite"), str(folder), "a" * 32, **given)
    rest = {"wait_s": 1, "name": None, "run": None, "replace": False, "fresh": [], "progress": lambda *step: None}
    merging.merge(loaded["a" * 32], str(database), "a" * 32, **rest)
    with pytest.raises(KeyChangedError):
        merging.merge(loaded["b" * 32], str(database), "b" * 32, **rest)
    assert merging.merge(loaded_too, str(database), "a" * 32, **rest)["report_id"] == 2
    assert listed(database) == [(1, "tiny"), (2, "pipeline")]


def test_a_link_to_a_database_that_is_not_there_yet_stays_a_link(database: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    database.symlink_to(tmp_path / "elsewhere" / "real.duckdb")
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert database.is_symlink()
    assert listed(tmp_path / "elsewhere" / "real.duckdb") == [(1, "tiny")]


@pytest.mark.parametrize("name", ["m", "k", "gaps", "kernels"])
def test_a_database_named_like_something_in_a_view(tmp_path: Path, name: str) -> None:
    database = tmp_path / f"{name}.duckdb"
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    with nsysql.open(database) as db:
        for view in db.catalog.order:
            if not view.is_private and not view.is_macro:
                db.sql(f"FROM {view.name} LIMIT 1").fetchall()


def test_folders_that_dead_ingests_left_go(database: Path, tmp_path: Path) -> None:
    left = tmp_path / ".some.duckdb.ingest-dead"
    left.mkdir()
    (left / "lock").touch()
    alive = tmp_path / ".some.duckdb.ingest-alive"
    alive.mkdir()
    with held(alive / "lock", "it"):
        nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".some.duckdb.ingest-alive", ".some.duckdb.lock", "some.duckdb"]


def test_a_worker_that_dies_is_a_message(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)

    def die(self: Worker, function: str, progress: object = None, **arguments: object) -> object:
        if function == "merging.merge":
            raise WorkerDiedError(-signal.SIGABRT)
        return run(self, function, None, **arguments)

    run = Worker.run
    monkeypatch.setattr(Worker, "run", die)
    with pytest.raises(StorageError, match="by signal 6; what was there before is unharmed"):
        nsysql.ingest([FIXTURES / "nocuda.sqlite"], database)
    assert listed(database) == [(1, "tiny")]


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
    tool = tmp_path / "nsys"
    tool.write_text("#!/bin/sh\necho NVIDIA Nsight Systems version 2023.4.4.54")
    tool.chmod(0o755)
    assert [p.name for p in expand_inputs([tmp_path], str(tool))] == ["a.nsys-rep", "b.sqlite", "c.qdrep"]
    assert [p.name for p in expand_inputs([tmp_path / "b.sqlite", tmp_path], str(tool))] == [
        "b.sqlite",
        "a.nsys-rep",
        "c.qdrep",
    ]
    assert [p.name for p in expand_inputs([tmp_path], "/no/nsys")] == ["a.sqlite", "b.sqlite", "c.qdrep"]
    (tmp_path / "empty").mkdir()
    assert expand_inputs([tmp_path / "empty"]) == [tmp_path / "empty"]
    with pytest.raises(InputError, match="holds no"):
        nsysql.ingest([tmp_path / "empty"], tmp_path / "x.duckdb")


def test_a_bad_file_leaves_earlier_reports_as_they_were(tmp_path: Path, database: Path) -> None:
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    before = database.read_bytes()
    bad = tmp_path / "bad.sqlite"
    bad.write_bytes((FIXTURES / "train_bad.sqlite").read_bytes()[:200_000])
    with pytest.raises(InputError):
        nsysql.ingest([bad], database)
    assert database.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == [".some.duckdb.lock", "bad.sqlite", "some.duckdb"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.sqlite", "no such file"),
        ("raw.qdstrm", "QdstrmImporter"),
        ("text.nsys-rep", "neither a report nor a SQLite file"),
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
    with nsysql.open(database), pytest.raises(BusyError, match="which started this; close"):
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
