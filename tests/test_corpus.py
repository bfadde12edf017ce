"""A sweep over the folder that NSYSQL_CORPUS names: every export loads whole and every view runs on it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import nsysql
import pytest
from nsysql.catalog import load_catalog
from nsysql.database import Database
from nsysql.errors import InputError
from nsysql.sources import load_sources

from tests.brute import busy_ns, gpu_ops_by_gpu

pytestmark = pytest.mark.corpus
FOLDER = Path(os.environ.get("NSYSQL_CORPUS") or "/nonexistent")
EXPORTS = [p for p in sorted(FOLDER.rglob("*.sqlite")) if p.stem != "nvprof_false_name"]
FOREIGN = {"kernel_name", "name", "symbolName"}
"""Columns that other tools add to the tables of nsys."""


@pytest.fixture(scope="module", params=EXPORTS or [None], ids=lambda p: p.stem if p else "none")
def loaded(
    request: pytest.FixtureRequest, corpus: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, Database]]:
    database = tmp_path_factory.mktemp("corpus") / "one.duckdb"
    nsysql.ingest([request.param], database)
    with nsysql.open(database) as db:
        yield request.param, db


def test_no_row_is_lost(loaded: tuple[Path, Database]) -> None:
    export, db = loaded
    facts = "source_name, table_name, row_count, loaded_row_count, withheld_row_count, state"
    known = {row[0]: row for row in db.sql(f"SELECT {facts} FROM nsysql_meta.source_tables WHERE state <> 'absent'").fetchall()}
    with closing(sqlite3.connect(export)) as source:
        names = source.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall()
        for (name,) in names:
            rows = source.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            _, table, row_count, kept, withheld, state = known.pop(name)
            assert row_count == rows, name
            if state != "loaded" or table == "ENUM":
                continue
            assert db.sql(f"SELECT count(*) FROM raw.{table}").fetchall() == [(kept,)], name
            assert kept + withheld == rows, name
            assert withheld == 0 or load_sources()[table].keep, name
    assert known == {}


def test_every_column_of_a_loaded_table_is_declared(loaded: tuple[Path, Database]) -> None:
    rows = loaded[1].sql("SELECT column_name FROM nsysql_meta.source_columns WHERE state = 'not_loaded'").fetchall()
    assert {name for (name,) in rows} <= FOREIGN


def test_every_view_runs_and_busy_equals_a_loop(loaded: tuple[Path, Database]) -> None:
    export, db = loaded
    for view in load_catalog().views.values():
        if not view.is_macro:
            db.sql(f"FROM {view.name}").fetchall()
    busy = db.sql("SELECT op_count, busy_ns FROM gpu_busy WHERE op_count > 0 ORDER BY ALL").fetchall()
    assert busy == sorted((len(ops), busy_ns(ops)) for ops in gpu_ops_by_gpu(export).values())


def test_nccl_payload_busy(corpus: Path, tmp_path: Path) -> None:
    export = next(corpus.rglob("nccl_payload_2026_2.sqlite"))
    nsysql.ingest([export], tmp_path / "one.duckdb")
    with nsysql.open(tmp_path / "one.duckdb") as db:
        rows = db.sql(
            "SELECT DISTINCT p.pid, b.busy_ns FROM gpu_busy b JOIN process_gpus g USING (report_id, gpu_id) JOIN processes p USING (report_id, process_id)"
        ).fetchall()
    assert sorted(rows) == [(144, 273_817_787), (145, 267_275_916)]


def test_a_file_of_another_profiler_is_refused(corpus: Path, tmp_path: Path) -> None:
    export = next(corpus.rglob("nvprof_false_name.sqlite"))
    with pytest.raises(InputError, match="not an Nsight Systems export"):
        nsysql.ingest([export], tmp_path / "one.duckdb")
    assert not (tmp_path / "one.duckdb").exists()
