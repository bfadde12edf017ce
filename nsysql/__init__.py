"""nsysql: Nsight Systems reports as documented SQL views in one DuckDB file.

import nsysql
nsysql.ingest(["report.nsys-rep"], database="nsysql.duckdb")
with nsysql.open("nsysql.duckdb") as db:
    gaps = db.query("gaps", where="dur_ns > 1_000_000").pl()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import NsysqlError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from .database import Database
    from .header import View
    from .ingestion import Ingested

__version__ = "0.1.0"
__all__ = ["Database", "Ingested", "NsysqlError", "View", "__version__", "ingest", "open"]


def open(database: str | Path = "nsysql.duckdb", *, wait_s: float = 30.0) -> Database:
    """Open a database of reports for reading: `.query(view)`, `.sql(query)`, `.views()`, `.export(folder)`.

    Raises NsysqlError: no such file, not a database, locked for longer than `wait_s` seconds.
    """
    from .database import Database

    return Database.open(database, wait_s=wait_s)


def ingest(
    reports: Iterable[str | Path],
    database: str | Path = "nsysql.duckdb",
    *,
    run: str | None = None,
    replace: bool = False,
    nsys: str | None = None,
    wait_s: float = 30.0,
) -> list[Ingested]:
    """Ingest reports (.nsys-rep through a real nsys, .sqlite exports, folders of them) into a database file.

    Returns one Ingested per report. Raises NsysqlError at the first that fails; earlier ones stay ingested.
    """
    from pathlib import Path

    from .ingestion import expand_inputs, ingest_one

    options: dict[str, Any] = {"run": run, "replace": replace, "nsys": nsys, "wait_s": wait_s}
    return [ingest_one(p, Path(database), **options) for p in expand_inputs((Path(r) for r in reports), nsys)]


def __getattr__(name: str) -> Any:
    modules = {"Database": "database", "View": "header", "Ingested": "ingestion"}
    if name in modules:
        from importlib import import_module

        return getattr(import_module(f".{modules[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
