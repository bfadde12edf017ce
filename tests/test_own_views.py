"""Views in a user's own folder: the recipe of queries/README.md step by step, and what is said of files that do not fit."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import nsysql
import pytest
from nsysql.catalog import Catalog, load_catalog
from nsysql.errors import UsageError
from nsysql.install import install
from nsysql.paths import queries_dir

from tests.conftest import FIXTURES

README = (queries_dir() / "README.md").read_text().partition("## Write a view in ten minutes")[2].partition("\n## ")[0]
TEXT = re.search(r"```sql\n(.*?)```", README, re.DOTALL)[1]
COMMANDS = [c for block in re.findall(r"```\n(nsysql .*?)```", README, re.DOTALL) for c in block.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a database, and views/ with the view of the recipe."""
    nsysql.ingest([FIXTURES / "train_bad.sqlite", FIXTURES / "tiny.sqlite"], tmp_path / "nsysql.duckdb")
    (tmp_path / "views").mkdir()
    (tmp_path / "views" / "idle_share.sql").write_text(TEXT)
    return tmp_path


def run(folder: Path, command: str, code: int = 0, *more: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", *command.split(), *more]
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
    return done


def by_hand(folder: Path) -> list[tuple[int, int, int, float]]:
    """The rows of idle_share, by a loop over gaps."""
    with nsysql.open(folder / "nsysql.duckdb") as db:
        gaps = db.sql("SELECT report_id, gpu_id, dur_ns FROM gaps").fetchall()
        lengths = dict(db.sql("SELECT report_id, duration_ns FROM reports").fetchall())
    found: dict[tuple[int, int], list[int]] = {}
    for report, gpu, dur in gaps:
        if dur >= 1_000_000:
            found.setdefault((report, gpu), []).append(dur)
    return sorted((r, g, len(durs), sum(durs) / lengths[r]) for (r, g), durs in found.items())


def test_the_recipe(folder: Path) -> None:
    assert COMMANDS == [
        "nsysql check views",
        "nsysql query idle_share --views views",
        "nsysql show idle_share --views views",
    ]
    checked, queried, shown = (run(folder, command) for command in COMMANDS)
    assert "1 of 1 views in views hold what they say" in checked.stderr
    expected = by_hand(folder)
    rows = [line.split(",") for line in queried.stdout.splitlines()[1:]]
    assert sorted((int(r), int(g), int(n), float(x)) for r, g, n, x in rows) == expected
    assert "idle_share (version 1, my)" in shown.stdout
    with duckdb.connect(str(folder / "nsysql.duckdb"), read_only=True) as con:
        assert sorted(con.sql("FROM my.idle_share").fetchall()) == expected
        assert con.sql("SELECT comment FROM duckdb_views() WHERE view_name = 'idle_share'").fetchall() == [
            ("How much of the capture each GPU spent in gaps of a millisecond and more.",)
        ]
    with nsysql.open(folder / "nsysql.duckdb", views=folder / "views") as db:
        assert sorted(db.query("idle_share").fetchall()) == expected
        assert [v.name for v in db.views()][-1] == "idle_share"
        assert db.sql("SELECT layer FROM nsysql_views WHERE name = 'idle_share'").fetchall() == [("my",)]


def test_own_views_stay_when_they_are_not_named(folder: Path) -> None:
    run(folder, "nsysql check views")
    run(folder, f"nsysql ingest {FIXTURES / 'nocuda.sqlite'}")
    assert run(folder, "nsysql sql", 0, "FROM my.idle_share").stdout.count("\n") > 1
    done = run(folder, "nsysql query idle_share", 2)
    assert "there is no view 'idle_share'" in done.stderr


def test_they_stand_on_each_other_and_are_replaced(folder: Path) -> None:
    more = TEXT.replace("FROM idle_share\n", "FROM most_idle\n").partition("SELECT g.report_id")[0]
    (folder / "views" / "team").mkdir()
    (folder / "views" / "team" / "most_idle.sql").write_text(more + "SELECT * FROM idle_share WHERE gap_count > 0\n")
    assert "2 of 2 views" in run(folder, "nsysql check views").stderr
    (folder / "views" / "team" / "most_idle.sql").unlink()
    assert "1 of 1 views" in run(folder, "nsysql check views").stderr
    with duckdb.connect(str(folder / "nsysql.duckdb"), read_only=True) as con, pytest.raises(duckdb.CatalogException):
        con.execute("FROM my.most_idle")


@pytest.mark.parametrize(
    ("change", "check", "what"),
    [
        (("BIGINT  count", "INTEGER count"), "columns", "documented are"),
        (("@grain   report_id, gpu_id", "@grain   report_id"), None, None),
        (("@grain   report_id, gpu_id", "@grain   gpu_id"), "grain", "gpu_id do not identify a row"),
        (("idle_ratio BETWEEN 0 AND 1", "idle_ratio > 2"), "asserts", "idle_ratio > 2 is not true of"),
        (("-- @order   idle_ratio", "-- @order   idleness"), "order", "idleness"),
        (("SELECT gpu_id, idle_ratio FROM", "SELECT idleness FROM"), "examples", "idleness"),
        (("-- @example SELECT gpu_id, idle_ratio FROM idle_share\n", ""), "examples", "needs an @example"),
    ],
)
def test_what_does_not_hold_is_shown(folder: Path, change: tuple[str, str], check: str | None, what: str | None) -> None:
    (folder / "views" / "idle_share.sql").write_text(TEXT.replace(*change))
    done = run(folder, "nsysql check views -f jsonl", 1 if check else 0)
    assert check is None or (f'"check":"{check}"' in done.stdout.replace(": ", ":") and what in done.stdout)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.sql", "SELECT 1 AS x", "x.sql:1: "),
        ("gaps.sql", TEXT, "gaps is also"),
        ("x.sql", TEXT.replace("FROM gaps", "FROM gapps"), "no view 'gapps'; did you mean gaps?"),
        ("x.sql", TEXT.replace("WHERE g.dur_ns", "WHERE g.length"), "x.sql: "),
        ("x.sql", TEXT.replace("-- @grain", "-- @kind    table\n-- @grain"), "@kind table is for shipped views"),
        ("x.txt", TEXT, "there is no .sql file in it"),
    ],
)
def test_files_that_do_not_fit_are_refused_and_the_database_stays(folder: Path, name: str, text: str, message: str) -> None:
    run(folder, "nsysql query gaps --limit 1")
    (folder / "views" / "idle_share.sql").unlink()
    (folder / "views" / name).write_text(text)
    assert message in run(folder, "nsysql check views", 2).stderr
    assert run(folder, "nsysql query gaps --limit 1").stdout


def test_no_such_folder(folder: Path) -> None:
    assert "is no folder" in run(folder, "nsysql check nowhere", 2).stderr
    with pytest.raises(UsageError, match="is no folder"):
        load_catalog(folder / "nowhere")


def test_a_shipped_view_is_one_file_and_its_test(tmp_path: Path) -> None:
    shutil.copytree(queries_dir(), tmp_path / "queries")
    (tmp_path / "queries" / "gpu" / "idle_share.sql").write_text(TEXT)
    catalog = Catalog.read(tmp_path / "queries")
    assert set(catalog.views) - set(load_catalog().views) == {"idle_share"}
    with duckdb.connect() as con:
        install(con, catalog)
        assert con.sql("FROM v1.idle_share").fetchall() == []
