"""Exports through a real nsys, and what is said when that is not possible."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import nsysql
import pytest
from nsysql.errors import InputError, StorageError
from nsysql.exporter import TooNewError, export_by_any, export_report
from nsysql.nsys import Nsys, find_all, is_report

from tests.conftest import FIXTURES


def program(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return str(path)


def stand_in(path: Path, body: str, version: str = "2023.4.4.54") -> Path:
    """A program that answers as an nsys of that version does and exports by `body`, a script with $TARGET."""
    find_target = 'for a in "$@"; do case "$a" in --output=*) TARGET="${a#--output=}";; esac; done'
    answers = f'case "$*" in *--help*) exit 0;; --version) echo "NVIDIA Nsight Systems version {version}"; exit 0;; esac'
    return Path(program(path, f"{answers}\n{find_target}\n{body}"))


def test_reports_are_told_by_their_content(tmp_path: Path) -> None:
    assert is_report(FIXTURES / "pipeline.nsys-rep")
    assert not is_report(FIXTURES / "pipeline.sqlite")
    assert not is_report(tmp_path / "missing")


def test_no_nsys_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NSYSQL_NSYS", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="Install Nsight Systems"):
        nsysql.ingest([FIXTURES / "pipeline.nsys-rep"], tmp_path / "x.duckdb")
    assert not (tmp_path / "x.duckdb").exists()


def test_a_named_nsys_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--nsys"):
        find_all(str(tmp_path / "nsys"))


def test_the_environment_names_an_nsys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool = program(tmp_path / "nsys", "echo version 2024.1.1")
    monkeypatch.setenv("NSYSQL_NSYS", tool)
    assert (find_all()[0].path, find_all()[0].version) == (Path(tool), (2024, 1, 1))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("exit 0", "could not export"),
        ("echo 'Exportation error: Cannot read from stream.' >&2; exit 1", "Cannot read from stream.*damaged"),
        ('printf "no database" > "$TARGET"; exit 0', "incomplete"),
        (
            "echo 'Exportation error: Report was created in Nsight Systems version (2026.1.3), newer than your current version' >&2; exit 1",
            "newer nsys is needed",
        ),
    ],
)
def test_an_exit_code_of_0_proves_nothing(tmp_path: Path, body: str, message: str) -> None:
    tool = stand_in(tmp_path / "nsys", body)
    with pytest.raises(InputError, match=message):
        export_report(FIXTURES / "pipeline.nsys-rep", tmp_path / "out.sqlite", tool)


@pytest.mark.parametrize(
    "body",
    [
        'echo "Failed to close database connection: database or disk is full" >&2; touch "$TARGET"; exit 0',
        "kill -XFSZ $$",
        "echo 'Exportation error: unable to open database file' >&2; exit 1",
    ],
)
def test_no_room_for_the_export(tmp_path: Path, body: str) -> None:
    tool = stand_in(tmp_path / "nsys", body)
    with pytest.raises(StorageError, match="no room"):
        export_report(FIXTURES / "pipeline.nsys-rep", tmp_path / "out.sqlite", tool)


def test_an_export_without_its_last_row_is_incomplete(tmp_path: Path) -> None:
    cut = tmp_path / "cut.sqlite"
    shutil.copy(FIXTURES / "pipeline.sqlite", cut)
    with closing(sqlite3.connect(cut)) as db:
        db.execute("DELETE FROM META_DATA_EXPORT WHERE name = 'EXPORT_TIME'")
        db.commit()
    tool = stand_in(tmp_path / "nsys", f'cp {cut} "$TARGET"')
    with pytest.raises(InputError, match="writes last"):
        export_report(FIXTURES / "pipeline.nsys-rep", tmp_path / "out.sqlite", tool)


@pytest.mark.nsys
def test_a_real_export_equals_the_bundled_one(tmp_path: Path, nsys: str) -> None:
    target = tmp_path / "out.sqlite"
    export_report(FIXTURES / "nvtx_osrt.nsys-rep", target, Path(nsys))
    with closing(sqlite3.connect(target)) as made, closing(sqlite3.connect(FIXTURES / "nvtx_osrt.sqlite")) as bundled:
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'META_DATA_%' ORDER BY name"
        tables = [name for (name,) in made.execute(names)]
        assert tables == [name for (name,) in bundled.execute(names)]
        for table in tables:
            query = f"SELECT rowid, * FROM {table} ORDER BY rowid"
            assert made.execute(query).fetchall() == bundled.execute(query).fetchall(), table


@pytest.mark.nsys
def test_a_truncated_report(tmp_path: Path, nsys: str) -> None:
    with pytest.raises(InputError, match="damaged"):
        nsysql.ingest([FIXTURES / "truncated.nsys-rep"], tmp_path / "x.duckdb", nsys=nsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nsys
def test_a_report_and_its_export_are_one(tmp_path: Path, nsys: str) -> None:
    database = tmp_path / "x.duckdb"
    nsysql.ingest([FIXTURES / "nvtx_osrt.sqlite"], database)
    (done,) = nsysql.ingest([FIXTURES / "nvtx_osrt.nsys-rep"], database, nsys=nsys)
    assert (done.report_id, done.action) == (1, "replaced")
    (done,) = nsysql.ingest([FIXTURES / "nvtx_osrt.sqlite"], database)
    assert (done.report_id, done.action) == (1, "kept")
    nsysql.ingest([FIXTURES / "nvtx_osrt.sqlite"], tmp_path / "export.duckdb")
    with nsysql.open(database) as db, nsysql.open(tmp_path / "export.duckdb") as export:
        assert db.sql("SELECT count(*), any_value(source_kind) FROM reports").fetchall() == [(1, "nsys-rep")]
        rows = db.query("nvtx_sum").fetchall()
        assert len(rows) > 3 and rows == export.query("nvtx_sum").fetchall()


def newer(path: Path) -> Path:
    """The bundled report as if a later release had made it."""
    text = (FIXTURES / "pipeline.nsys-rep").read_bytes()
    path.write_bytes(text.replace(b"Report 2023@4@4@54", b"Report 2099@4@4@54", 1))
    return path


def test_another_nsys_is_tried_for_a_report_that_the_first_is_too_old_for(tmp_path: Path) -> None:
    too_old = "echo 'Exportation error: Version number is invalid.' >&2; echo partial > \"$TARGET\"; exit 1"
    first = Nsys(stand_in(tmp_path / "first", too_old), "PATH")
    second = Nsys(stand_in(tmp_path / "second", f'cp {FIXTURES / "pipeline.sqlite"} "$TARGET"'), "PATH")
    steps: list[str] = []
    export = tmp_path / "out.sqlite"
    used = export_by_any(FIXTURES / "pipeline.nsys-rep", export, [first, second], lambda step, done, total: steps.append(step))
    assert used == second and export.read_bytes() == (FIXTURES / "pipeline.sqlite").read_bytes()
    with pytest.raises(InputError, match=r"needs nsys 2023.4.4 or newer"):
        export_by_any(FIXTURES / "pipeline.nsys-rep", tmp_path / "x.sqlite", [first], lambda *_: None)


def test_the_progress_bar_of_nsys_is_read(tmp_path: Path) -> None:
    bar = r"printf '\nProcessing 9 events: [1%%   ]\rProcessing 9 events: [==50%%  ]\r' >&2"
    tool = stand_in(tmp_path / "nsys", f'{bar}; cp {FIXTURES / "pipeline.sqlite"} "$TARGET"')
    seen: list[tuple[str, int, int]] = []
    export_report(FIXTURES / "pipeline.nsys-rep", tmp_path / "x.sqlite", tool, lambda *step: seen.append(step))
    assert seen == [("export", 1, 100), ("export", 50, 100)]


def test_the_export_is_kept_beside_the_report(tmp_path: Path) -> None:
    report = tmp_path / "in" / "mine.nsys-rep"
    report.parent.mkdir()
    shutil.copy(FIXTURES / "pipeline.nsys-rep", report)
    tool = str(stand_in(tmp_path / "nsys", f'cp {FIXTURES / "pipeline.sqlite"} "$TARGET"'))
    (done,) = nsysql.ingest([report], tmp_path / "x.duckdb", nsys=tool, keep_sqlite=True)
    kept = report.with_suffix(".sqlite")
    assert kept.read_bytes() == (FIXTURES / "pipeline.sqlite").read_bytes()
    assert f"the export is kept as {kept}" in done.notes
    kept.write_text("something of mine")
    (done,) = nsysql.ingest([report], tmp_path / "x.duckdb", nsys=tool, keep_sqlite=True, replace=True)
    assert kept.read_text() == "something of mine"
    assert any("stays as it was" in note for note in done.notes)
    assert sorted(p.name for p in report.parent.iterdir()) == ["mine.nsys-rep", "mine.sqlite"]


@pytest.mark.nsys
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"some text", "neither a report nor a SQLite file"),
        (b"NVIDIA Tegra Profiler Report 1.\n", "could not export"),
    ],
    ids=["empty", "text", "only a header"],
)
def test_what_is_no_report(tmp_path: Path, nsys: str, content: bytes, message: str) -> None:
    path = tmp_path / "bad.nsys-rep"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        nsysql.ingest([path], tmp_path / "x.duckdb", nsys=nsys)
    assert not (tmp_path / "x.duckdb").exists()


@pytest.mark.nsys
def test_a_report_newer_than_the_tool(tmp_path: Path, nsys: str) -> None:
    report = newer(tmp_path / "newer.nsys-rep")
    with pytest.raises(InputError, match=r"needs nsys 2099.4.4 or newer; here are 20"):
        nsysql.ingest([report], tmp_path / "x.duckdb", nsys=nsys)
    with pytest.raises(TooNewError):
        export_report(report, tmp_path / "x.sqlite", Path(nsys))


@pytest.mark.nsys
def test_a_target_that_cannot_be_written(tmp_path: Path, nsys: str) -> None:
    with pytest.raises(StorageError, match="no room"):
        export_report(FIXTURES / "pipeline.nsys-rep", tmp_path / "none" / "x.sqlite", Path(nsys))


@pytest.mark.nsys
def test_a_full_disk(tmp_path: Path, nsys: str) -> None:
    code = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); sys.argv[0] = 'nsysql'; runpy.run_module('nsysql', run_name='__main__')"
    command = [
        sys.executable,
        "-c",
        code,
        "ingest",
        str(FIXTURES / "pipeline.nsys-rep"),
        "--db",
        str(tmp_path / "x.duckdb"),
        "--nsys",
        nsys,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, "no room" in done.stderr) == (9, True), done.stderr
    assert list(tmp_path.iterdir()) == []
