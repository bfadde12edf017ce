"""One export at a time, bundled or of the corpus, with a database that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nsysql
import pytest

from tests.conftest import EXPORTS


@dataclass(frozen=True)
class Traced:
    """An export, and the report that it became."""

    export: Path
    db: nsysql.Database
    report_id: int

    def rows(self, view: str, columns: str) -> list[tuple[Any, ...]]:
        """Rows of a view for this report, sorted."""
        return self.db.sql(f"SELECT {columns} FROM {view} WHERE report_id = {self.report_id} ORDER BY ALL").fetchall()


def each_export(*of_corpus: str) -> pytest.MarkDecorator:
    """Run a test for every bundled export, and for those of the corpus that are named."""
    further = [pytest.param(name, marks=pytest.mark.corpus, id=name) for name in of_corpus]
    return pytest.mark.parametrize("traced", [*(pytest.param(p, id=p.stem) for p in EXPORTS), *further], indirect=True)


@pytest.fixture
def traced(request: pytest.FixtureRequest) -> Iterator[Traced]:
    """The export that `each_export` names."""
    if isinstance(request.param, Path):
        export, database = request.param, request.getfixturevalue("database_path")
    else:
        export = next(request.getfixturevalue("corpus").rglob(f"{request.param}.sqlite"))
        database = request.getfixturevalue("corpus_folder") / f"{request.param}.duckdb"
        if not database.exists():
            nsysql.ingest([export], database)
    with nsysql.open(database) as db:
        yield Traced(export, db, db.report_ids([export.stem])[0])


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where databases of exports of the corpus are kept."""
    return tmp_path_factory.mktemp("corpus")
