"""As much of an export as some views stand on, in a database in memory; what is too much for it goes to temporary files."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from .catalog import Catalog, load_catalog
from .connect import SETTINGS, translated
from .database import Database, limit_memory
from .header import View
from .install import create_tables, install_trace_sources, install_views
from .loader import Loader, Progress
from .sources import REPORT_ID


@contextmanager
def opened_part(export: Path, names: Collection[str], memory_limit: str | None, progress: Progress) -> Iterator[Database]:
    """A database of the views `names`, of what tells whether they can be answered, and of all that these stand on.

    Nothing else is read of the export: its other tables are empty, so that other views would be wrong, and are not there.
    The report has the number 1 and the name of the file. Raises InputError for a file that is no export or is damaged.
    """
    catalog = load_catalog()
    views = catalog.closure(sorted(_needed(catalog, names)))
    with (
        tempfile.TemporaryDirectory(prefix="nsysql-") as folder,
        duckdb.connect(config=SETTINGS | {"temp_directory": folder}) as con,
    ):
        with translated(str(export)):
            notes = _fill(con, catalog, views, export, memory_limit, progress)
        yield Database.over(con, export, catalog, notes, memory_limit=memory_limit)


def _needed(catalog: Catalog, names: Iterable[str]) -> set[str]:
    """The views, those that they ask what to say beside their rows, and those that every answer asks."""
    return {"reports", "trace_states", *names}.union(*(catalog.asked(catalog.get(name)) for name in names))


def _fill(
    con: duckdb.DuckDBPyConnection,
    catalog: Catalog,
    views: list[View],
    export: Path,
    memory_limit: str | None,
    progress: Progress,
) -> list[str]:
    if memory_limit is not None:
        limit_memory(con, memory_limit)
    con.execute("SET enable_external_access = false")
    create_tables(con)
    loader = Loader(con, export, secrets.token_hex(16), progress, {t for view in views for t in catalog.raw_tables(view.name)})
    loader.load()
    name = os.fsencode(export.stem).decode("utf-8", "replace")
    con.execute("INSERT INTO nsysql_meta.report_files (report_id, name) VALUES (?, ?)", [REPORT_ID, name])
    install_trace_sources(con, catalog.views.values())
    con.execute("SET threads = 1")  # as in an ingest: the memory for the sorts of one thread is enough for many rows
    install_views(con, catalog, views)
    con.execute("RESET threads")
    return list(loader.notes())
