"""A part of an export answers the views that it was opened for as the whole of it does, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import duckdb
import nsysql
import pytest
from nsysql.catalog import load_catalog
from nsysql.database import Database
from nsysql.errors import CannotAnswerError, InputError, QueryError
from nsysql.header import View
from nsysql.partial import opened_part

from tests.conftest import EXPORTS

PRINTED = [view for view in load_catalog().views.values() if view.printed]


def _part(export: Path, names: Sequence[str], memory_limit: str | None = None) -> AbstractContextManager[Database]:
    return opened_part(export, [(name, {}) for name in names], memory_limit, lambda step, done, total: None)


def _answer(
    database: Database, view: View, report: str, params: dict[str, str] | None = None
) -> tuple[list[object], list[str]] | str:
    try:
        rows = database.query(view.name, params, reports=[report]).fetchall()
    except CannotAnswerError as error:
        return str(error)
    place = [column.name for column in view.columns].index("report_id")
    without = [row[:place] + row[place + 1 :] for row in rows]
    return sorted(without, key=repr), database.bewares(view, [report])


def _is_unread(part: Database, table: str) -> bool:
    """It is not there, or to read it is an error."""
    try:
        part.sql(f"SELECT count(*) FROM raw.{table}").fetchall()
    except (duckdb.Error, QueryError) as error:
        return "was not read from the export" in str(error) or "does not exist" in str(error)
    return False


@pytest.mark.parametrize("export", EXPORTS, ids=lambda path: path.stem)
def test_every_printed_view_is_as_in_the_whole(export: Path, database_path: Path) -> None:
    with (
        nsysql.open(database_path) as whole,
        _part(export, [view.name for view in PRINTED]) as part,
    ):
        differing = [view.name for view in PRINTED if _answer(whole, view, export.stem) != _answer(part, view, export.stem)]
    assert differing == []


@pytest.mark.parametrize("view", PRINTED, ids=lambda view: view.name)
def test_every_view_stands_alone(view: View, database_path: Path, fixtures_dir: Path) -> None:
    export = fixtures_dir / "train_bad.sqlite"
    with (
        nsysql.open(database_path) as whole,
        _part(export, [view.name], "500MB") as part,
    ):
        assert _answer(part, view, export.stem) == _answer(whole, view, export.stem)


@pytest.mark.parametrize("view", [v for v in PRINTED if "has_range" in {p.name for p in v.params}], ids=lambda view: view.name)
def test_parameters_decide_what_is_read(view: View, database_path: Path, fixtures_dir: Path) -> None:
    export, params = fixtures_dir / "train_bad.sqlite", {"has_range": "true", "name_form": "base"}
    with (
        nsysql.open(database_path) as whole,
        opened_part(export, [(view.name, params)], None, lambda step, done, total: None) as part,
        _part(export, [view.name]) as other,
    ):
        assert _answer(part, view, export.stem, params) == _answer(whole, view, export.stem, params)
        with pytest.raises(duckdb.Error, match="was not read from the export"):
            other.query(view.name, params).fetchall()


@pytest.mark.parametrize("name", ["cuda_gpu_kern_sum", "cuda_gpu_trace", "gpu_gaps"])
def test_ranges_and_calls_are_not_read_for_the_gpu_alone(name: str, fixtures_dir: Path) -> None:
    with _part(fixtures_dir / "train_bad.sqlite", [name]) as part:
        for table in ("NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME"):
            assert _is_unread(part, table)


def test_what_was_not_asked_for_is_not_there(fixtures_dir: Path) -> None:
    export = fixtures_dir / "train_bad.sqlite"
    with _part(export, ["cuda_api_sum"]) as part:
        assert part.report_names() == [(1, "train_bad")]
        assert part.sql("SELECT count(*) FROM raw.CUPTI_ACTIVITY_KIND_RUNTIME").fetchall()[0][0] > 0
        assert _is_unread(part, "NVTX_EVENTS")
        with pytest.raises(duckdb.Error, match="was not read from the export"):
            part.sql('SELECT max("returnValue") FROM raw.CUPTI_ACTIVITY_KIND_RUNTIME').fetchall()
        with pytest.raises(QueryError, match="gap_causes"):
            part.query("gap_causes")


def test_it_reads_no_other_file(fixtures_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a\n1\n")
    with _part(fixtures_dir / "tiny.sqlite", ["cuda_api_sum"]) as part, pytest.raises(QueryError, match="disabled"):
        part.sql(f"FROM '{tmp_path}/other.csv'")


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "some.sqlite"
    path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with pytest.raises(InputError, match="cannot be read as SQLite"), _part(path, ["cuda_api_sum"]):
        pass
