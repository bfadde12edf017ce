"""Shared fixtures: the bundled reports in one database, a real nsys, the corpus folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import nsysql
import pytest
from nsysql.database import Database

FIXTURES = Path(__file__).parent.parent / "fixtures"
EXPORTS = sorted(FIXTURES.glob("*.sqlite"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """--update-docs rewrites the pages with what their commands print now."""
    parser.addoption("--update-docs", action="store_true", help="rewrite pages with what their commands print now")


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache folder of the tests' own, for them and for the commands that they run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NSYSQL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def database_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with every bundled export."""
    path = tmp_path_factory.mktemp("all") / "all.duckdb"
    nsysql.ingest(EXPORTS, path)
    return path


@pytest.fixture(scope="session")
def fixtures_dir() -> Path:
    """Folder of the bundled reports."""
    return FIXTURES


@pytest.fixture
def db(database_path: Path) -> Iterator[Database]:
    """The database of every bundled export, open."""
    with nsysql.open(database_path) as database:
        yield database


@pytest.fixture
def nsys() -> str:
    """A real nsys; the test is skipped without one."""
    found = shutil.which(os.environ.get("NSYSQL_NSYS") or "nsys")
    if not found:
        pytest.skip("no nsys: set NSYSQL_NSYS")
    return found


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of further exports that NSYSQL_CORPUS names; the test is skipped without it."""
    folder = os.environ.get("NSYSQL_CORPUS")
    if not folder or not Path(folder).is_dir():
        pytest.skip("no corpus: set NSYSQL_CORPUS")
    return Path(folder).resolve()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was not tested for want of a corpus or an nsys."""
    skipped = terminalreporter.stats.get("skipped", [])
    for what, how in (("no corpus", "NSYSQL_CORPUS=FOLDER"), ("no nsys", "NSYSQL_NSYS=PATH")):
        count = sum(what in str(report.longrepr) for report in skipped)
        if count:
            terminalreporter.write_line(f"not tested, {what}: {count} tests ({how} runs them)")
