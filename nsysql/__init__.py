"""nsysql: Nsight Systems reports as documented SQL views in one DuckDB file.

import nsysql
nsysql.ingest(["report.nsys-rep"], database="nsysql.duckdb")
with nsysql.open("nsysql.duckdb") as db:
    gaps = db.query("gaps", where="dur_ns > 1_000_000").pl()
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .errors import NsysqlError

if TYPE_CHECKING:
    from pathlib import Path

    from .database import Database
    from .header import View
    from .ingestion import Ingested

__version__ = "0.1.0"
__all__ = ["Database", "Ingested", "NsysqlError", "View", "__version__", "drop", "ingest", "open"]


def open(database: str | Path = "nsysql.duckdb", *, wait_s: float = 30.0, views: str | Path | None = None) -> Database:
    """Open a database of reports for reading: `.query(view)`, `.sql(query)`, `.views()`, `.export(folder)`.

    `views` is a folder of views of your own, which are put into schema `my` (default: that which NSYSQL_VIEWS names).
    Raises NsysqlError: no such file, not a database, locked for longer than `wait_s` seconds.
    """
    from .database import Database

    return Database.open(database, wait_s=wait_s, views=views)


def ingest(
    reports: str | Path | Iterable[str | Path],
    database: str | Path = "nsysql.duckdb",
    *,
    name: str | None = None,
    run: str | None = None,
    replace: bool = False,
    nsys: str | None = None,
    wait_s: float = 30.0,
    jobs: int | None = None,
    keep_sqlite: bool = False,
) -> list[Ingested]:
    """Ingest reports (.nsys-rep through a real nsys, .sqlite exports, folders of them) into a database file.

    Returns one Ingested per report. After a bad file the others follow, then the NsysqlError of the only bad one is
    raised, or an InputError that names all; what was ingested stays. The keywords are the options of `nsysql ingest`;
    `wait_s` is --wait.
    """
    from pathlib import Path

    from .errors import InputError
    from .ingestion import Options, ingest_all

    options = Options(Path(database), name, run, replace, nsys, wait_s, jobs, keep_sqlite)
    results = [result for _, result in ingest_all([Path(r) for r in _several(reports)], options)]
    failed = [result for result in results if isinstance(result, NsysqlError)]
    if len(failed) == 1:
        raise failed[0]
    if failed:
        raise InputError(f"{len(failed)} of {len(results)} files were not ingested. " + " ".join(map(str, failed)))
    return [result for result in results if not isinstance(result, NsysqlError)]


def drop(
    reports: str | int | Iterable[str | int], database: str | Path = "nsysql.duckdb", *, wait_s: float = 30.0
) -> list[str]:
    """Delete reports, given by name or id, from a database file; returns their names. Raises UsageError, BusyError."""
    from pathlib import Path

    from .workers import Worker

    worker = Worker()
    try:
        wanted = [str(report) for report in _several(reports)]
        rows = worker.run("merging.drop", names=wanted, database=str(Path(database).absolute()), wait_s=wait_s)
    finally:
        worker.close()
    return [name for _, name in rows]


def _several(given: Any) -> Iterable[Any]:
    """What was given, or a list of it if it is one name."""
    return given if isinstance(given, Iterable) and not isinstance(given, str) else [given]


def __getattr__(name: str) -> Any:
    modules = {"Database": "database", "View": "header", "Ingested": "ingestion"}
    if name in modules:
        from importlib import import_module

        return getattr(import_module(f".{modules[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
