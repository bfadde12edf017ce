"""The loader on exports that hold what real ones sometimes hold: odd types, odd text, old names, other tools' tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import nsysql
import pytest
from nsysql.database import Database
from nsysql.errors import InputError

from tests.conftest import FIXTURES

Edit = Callable[[sqlite3.Connection], object]


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Database]:
    """Ingest an export made by SQL statements, or a bundled one edited by them."""

    def loaded(*statements: str, base: str | None = None) -> Database:
        export = tmp_path / "edited.sqlite"
        if base:
            export.write_bytes((FIXTURES / f"{base}.sqlite").read_bytes())
        with closing(sqlite3.connect(export)) as db:
            db.text_factory = bytes
            for statement in statements:
                db.execute(statement)
            db.commit()
        nsysql.ingest([export], tmp_path / "one.duckdb")
        return nsysql.open(tmp_path / "one.duckdb")

    return loaded


KERNEL = 'CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, "end" INTEGER, deviceId INTEGER, streamId INTEGER, globalPid INTEGER, shortName INTEGER)'
STRINGS = "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)"
PROCESS = 1 << 48 | 5 << 24


def test_values_of_another_type_become_null_and_are_counted(load) -> None:
    db = load(
        KERNEL,
        STRINGS,
        f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7, {PROCESS}, 0), ('abc', 5, 0, 7, {PROCESS}, 0), (6, 7.5, 0, x'00', {PROCESS}, NULL)",
    )
    assert db.sql('SELECT start, "end", streamId FROM raw.CUPTI_ACTIVITY_KIND_KERNEL ORDER BY _rowid').fetchall() == [
        (1, 2, 7),
        (None, 5, 7),
        (6, None, None),
    ]
    counts = dict(
        db.sql("SELECT column_name, mistyped_count FROM nsysql_meta.source_columns WHERE mistyped_count > 0").fetchall()
    )
    assert counts == {"start": 1, "end": 1, "streamId": 1}


def test_a_wrong_type_after_the_first_batch_is_found_too(load) -> None:
    rows = ", ".join(f"({i}, {i + 1}, 0, 7, {PROCESS}, 0)" for i in range(70_000))
    db = load(
        KERNEL,
        STRINGS,
        f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES {rows}",
        f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ('late', 1, 0, 7, {PROCESS}, 0)",
    )
    assert db.sql("SELECT count(*), count(start) FROM raw.CUPTI_ACTIVITY_KIND_KERNEL").fetchall() == [(70_001, 70_000)]


def test_text_that_is_not_utf8_is_repaired_and_counted(load) -> None:
    db = load(
        KERNEL,
        STRINGS,
        f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7, {PROCESS}, 0)",
        "INSERT INTO StringIds VALUES (0, CAST(x'61ff62' AS TEXT))",
    )
    assert db.sql("SELECT short_name FROM kernels").fetchall() == [("a\ufffdb",)]
    assert db.sql("SELECT sum(invalid_text_count) FROM nsysql_meta.source_columns").fetchall() == [(1,)]


def test_null_text_and_empty_text_stay_apart(load) -> None:
    db = load(
        "CREATE TABLE NVTX_EVENTS (start INTEGER, globalTid INTEGER, text TEXT)",
        f"INSERT INTO NVTX_EVENTS VALUES (1, {PROCESS}, NULL), (2, {PROCESS}, ''), (3, {PROCESS}, 'x')",
    )
    assert db.sql("SELECT text FROM raw.NVTX_EVENTS ORDER BY start").fetchall() == [(None,), ("",), ("x",)]


def test_text_after_a_long_run_of_nulls(load) -> None:
    rows = ", ".join(f"({i}, {PROCESS}, NULL)" for i in range(70_000))
    db = load(
        "CREATE TABLE NVTX_EVENTS (start INTEGER, globalTid INTEGER, text TEXT)",
        f"INSERT INTO NVTX_EVENTS VALUES {rows}",
        f"INSERT INTO NVTX_EVENTS VALUES (70000, {PROCESS}, 'late')",
    )
    assert db.sql("SELECT count(text) FROM raw.NVTX_EVENTS").fetchall() == [(1,)]


def test_absent_tables_and_columns_are_empty_and_null(load) -> None:
    db = load(KERNEL, STRINGS, f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7, {PROCESS}, 0)")
    assert db.sql("SELECT gridX, correlationId FROM raw.CUPTI_ACTIVITY_KIND_KERNEL").fetchall() == [(None, None)]
    assert db.sql("FROM memcpys").fetchall() == []
    states = dict(db.sql("SELECT table_name, state FROM nsysql_meta.source_tables").fetchall())
    assert states["CUPTI_ACTIVITY_KIND_KERNEL"] == "loaded"
    assert states["CUPTI_ACTIVITY_KIND_MEMCPY"] == "absent"


def test_old_table_and_column_names(load) -> None:
    db = load(
        STRINGS,
        "CREATE TABLE EXPORT_META_DATA (name TEXT, value TEXT)",
        "INSERT INTO EXPORT_META_DATA VALUES ('EXPORT_SCHEMA_VERSION', '2.7.0')",
        "CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM (streamId INT, hwId INT, vmId INT, processId INT, deviceId INT, contextId INT)",
        "INSERT INTO TARGET_INFO_CUDA_NULL_STREAM VALUES (7, 0, 1, 5, 0, 1)",
    )
    assert db.sql("SELECT schema_version FROM reports").fetchall() == [("2.7.0",)]
    assert db.sql("SELECT null_stream_id, context_id FROM contexts").fetchall() == [(7, 1)]


def test_a_table_without_rowid(load) -> None:
    columns = 'start INTEGER PRIMARY KEY, "end" INTEGER, deviceId INTEGER, globalPid INTEGER'
    db = load(
        STRINGS,
        f"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL ({columns}) WITHOUT ROWID",
        f"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 6, 0, {PROCESS}), (1, 2, 0, {PROCESS})",
    )
    assert db.sql("SELECT op_id, start_ns FROM kernels ORDER BY 1").fetchall() == [(8, 1), (16, 5)]


def test_repeated_facts_multiply_nothing(load) -> None:
    tables = (
        "TARGET_INFO_GPU",
        "ThreadNames",
        "TARGET_INFO_CUDA_DEVICE",
        "TARGET_INFO_CUDA_CONTEXT_INFO",
        "TARGET_INFO_CUDA_STREAM",
        "PROCESSES",
        "ANALYSIS_DETAILS",
        "TARGET_INFO_SESSION_START_TIME",
        "TARGET_INFO_SYSTEM_ENV",
        "META_DATA_EXPORT",
    )
    db = load(*(f"INSERT INTO {t} SELECT * FROM {t}" for t in tables), base="tiny")
    counts = [
        db.sql(f"SELECT count(*) FROM {v}").fetchall()[0][0]
        for v in ("kernels", "gpu_ops", "gpus", "threads", "api_calls", "gaps")
    ]
    assert counts[:4] == [63, 65, 1, 4]


def test_tables_of_other_tools_are_listed_not_read(load) -> None:
    db = load("CREATE TABLE cudaAPIStats (avg INTEGER)", "INSERT INTO cudaAPIStats VALUES (1.5)", base="tiny")
    assert db.sql("SELECT state, row_count FROM nsysql_meta.source_tables WHERE table_name = 'cudaAPIStats'").fetchall() == [
        ("not_loaded", 1)
    ]


def test_the_time_shift_is_taken_off(load) -> None:
    shift = 1_000_000_000_000
    db = load(
        *(
            f'UPDATE {t} SET start = start + {shift}, "end" = "end" + {shift}'
            for t in ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET")
        ),
        f"UPDATE META_DATA_EXPORT SET value = '{shift}' WHERE name = 'EXPORT_CONFIG_TIME_SHIFT'",
        base="tiny",
    )
    with nsysql.open(db.path) as shifted:
        got = shifted.sql("SELECT min(start_ns), max(end_ns) FROM gpu_ops").fetchall()
    with closing(sqlite3.connect(FIXTURES / "tiny.sqlite")) as source:
        tables = ("KERNEL", "MEMCPY", "MEMSET")
        union = " UNION ALL ".join(f'SELECT start, "end" AS stop FROM CUPTI_ACTIVITY_KIND_{t}' for t in tables)
        assert got == source.execute(f"SELECT min(start), max(stop) FROM ({union})").fetchall()


def test_only_texts_that_are_referred_to_are_loaded(load) -> None:
    db = load("INSERT INTO StringIds VALUES (999999, 'AWS_SECRET=1')", base="tiny")
    assert db.sql("SELECT count(*) FROM strings WHERE value LIKE '%SECRET%'").fetchall() == [(0,)]
    assert b"AWS_SECRET" not in db.path.read_bytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"hello world, this is text", "neither a report nor a SQLite file"),
        (b"SQLite format 3\0" + b"\0" * 4000, "cannot be read"),
    ],
)
def test_bad_files(tmp_path: Path, content: bytes, message: str) -> None:
    export = tmp_path / "bad.sqlite"
    export.write_bytes(content)
    with pytest.raises(InputError, match=message):
        nsysql.ingest([export], tmp_path / "one.duckdb")
    assert list(tmp_path.iterdir()) == [export]


def test_a_truncated_export(tmp_path: Path) -> None:
    export = tmp_path / "cut.sqlite"
    export.write_bytes((FIXTURES / "train_bad.sqlite").read_bytes()[:300_000])
    with pytest.raises(InputError, match=r"cut\.sqlite"):
        nsysql.ingest([export], tmp_path / "one.duckdb")
    assert list(tmp_path.iterdir()) == [export]
