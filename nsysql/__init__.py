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
    from .families import FamiliesSet
    from .header import View
    from .ingestion import Ingested

__version__ = "0.1.0"
__all__ = ["Database", "Ingested", "NsysqlError", "View", "__version__", "drop", "ingest", "open", "set_families"]


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
    families: str | Path | None = None,
) -> list[Ingested]:
    """Ingest reports (.nsys-rep through a real nsys, .sqlite exports, folders of them) into a database file.

    Returns one Ingested per report. After a bad file the others follow, then the NsysqlError of the only bad one is
    raised, or an InputError that names all; what was ingested stays. The keywords are the options of `nsysql ingest`;
    `wait_s` is --wait.
    """
    from pathlib import Path

    from .errors import InputError
    from .ingestion import Options, ingest_all

    if families is not None:
        set_families(families, database, wait_s=wait_s)
    options = Options(Path(database), name, run, replace, nsys, wait_s, jobs, keep_sqlite)
    results = [result for _, result in ingest_all([Path(r) for r in _several(reports)], options)]
    failed = [result for result in results if isinstance(result, NsysqlError)]
    if len(failed) == 1:
        raise failed[0]
    if failed:
        raise InputError(f"{len(failed)} of {len(results)} files were not ingested. " + " ".join(map(str, failed)))
    return [result for result in results if not isinstance(result, NsysqlError)]


def set_families(file: str | Path, database: str | Path = "nsysql.duckdb", *, wait_s: float = 30.0) -> FamiliesSet:
    """Keep the rules of a CSV file, in the place of earlier ones, that sort the kernels of all reports of a database.

    They come before the shipped ones; "none" or "" removes them. Raises UsageError for a file that holds no rules or a wrong
    one, with nothing changed, BusyError if another process holds the database.
    """
    from .families import FamiliesSet

    named = None if file in ("", "none") else str(file)
    done = _in_worker("merging.set_families", file=named, database=database, wait_s=wait_s)
    return FamiliesSet(done["rule_count"], tuple(done["idle_lines"]))


def drop(
    reports: str | int | Iterable[str | int], database: str | Path = "nsysql.duckdb", *, wait_s: float = 30.0
) -> list[str]:
    """Delete reports, given by name, id or run (the first of these that fits), from a database file; returns their names.

    Raises UsageError, with nothing deleted, if one is not there, BusyError if another process holds the database.
    """
    wanted = [str(report) for report in _several(reports)]
    return [name for _, name in _in_worker("merging.drop", names=wanted, database=database, wait_s=wait_s)]


def _in_worker(function: str, *, database: str | Path, **arguments: Any) -> Any:
    """Result of a function that writes to a database, which a process of its own does."""
    from pathlib import Path

    from .workers import Worker

    worker = Worker()
    try:
        return worker.run(function, database=str(Path(database).absolute()), **arguments)
    finally:
        worker.close()


def _several(given: Any) -> Iterable[Any]:
    """What was given, or a list of it if it is one name."""
    return given if isinstance(given, Iterable) and not isinstance(given, str) else [given]


def __getattr__(name: str) -> Any:
    modules = {"Database": "database", "View": "header", "Ingested": "ingestion"}
    if name in modules:
        from importlib import import_module

        return getattr(import_module(f".{modules[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
