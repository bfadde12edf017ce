"""Exports through a real nsys, and what is said when that is not possible."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import nsysql
import pytest
from nsysql.errors import InputError, StorageError
from nsysql.exporter import export_report
from nsysql.nsys import find_all, is_report

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
        for table in ("NVTX_EVENTS", "OSRT_API", "StringIds"):
            query = f"SELECT count(*), sum(rowid) FROM {table}"
            assert made.execute(query).fetchall() == bundled.execute(query).fetchall()


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
    with nsysql.open(database) as db:
        assert db.sql("SELECT count(*), any_value(source_kind) FROM reports").fetchall() == [(1, "nsys-rep")]
