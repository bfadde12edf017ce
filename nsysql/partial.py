"""As much of an export as some questions read, in a database in memory; what is too much for it goes to temporary files."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb

from .catalog import Catalog, load_catalog
from .connect import SETTINGS, transaction, translated
from .database import Database, limit_memory
from .header import View
from .install import create_raw_tables, create_tables, fill_derived, install_trace_sources, install_views
from .loader import Loader, Progress
from .params import arguments
from .plans import Reads, reads_of
from .sources import REPORT_ID, SourceTable, load_sources
from .sqltext import ident, literal

Question = tuple[str, Mapping[str, str]]
"""A view and its parameters."""

_ALWAYS = ("reports", "trace_states")
"""Views that every answer asks."""
_DECIDING = ("rowid", "key", "path")
"""Roles of columns that decide which rows and texts are loaded."""


@contextmanager
def opened_part(
    export: Path, questions: Iterable[Question], memory_limit: str | None, progress: Progress
) -> Iterator[Database]:
    """A database that answers `questions`, with what there is to say beside their rows.

    Nothing else is read of the export, and to read other tables or columns is an error. The report has the number 1 and the
    name of the file. Raises InputError for a file that is no export or is damaged.
    """
    catalog = load_catalog()
    with (
        tempfile.TemporaryDirectory(prefix="nsysql-") as folder,
        duckdb.connect(config=SETTINGS | {"temp_directory": folder}) as con,
    ):
        with translated(str(export)):
            notes = _fill(con, catalog, list(questions), export, memory_limit, progress)
        yield Database.over(con, export, catalog, notes, memory_limit=memory_limit)


def _fill(
    con: duckdb.DuckDBPyConnection,
    catalog: Catalog,
    questions: list[Question],
    export: Path,
    memory_limit: str | None,
    progress: Progress,
) -> list[str]:
    if memory_limit is not None:
        limit_memory(con, memory_limit)
    con.execute("SET enable_external_access = false")
    asked = [catalog.get(name) for name, _ in questions]
    views = catalog.closure({*_ALWAYS, *(v.name for v in asked)}.union(*map(catalog.asked, asked)))
    tables = {table for view in views for table in catalog.raw_tables(view.name)}
    with transaction(con):
        create_tables(con)
        create_raw_tables(con, tables)
    install_trace_sources(con, catalog.views.values())
    install_views(con, catalog, views)
    reads = _reads(con, catalog, views, dict.fromkeys(_texts(catalog, questions)))
    only = {name: _wanted(spec, reads[name]) for name, spec in load_sources().items() if name in reads}
    loader = Loader(con, export, secrets.token_hex(16), progress, only)
    loader.load()
    name = os.fsencode(export.stem).decode("utf-8", "replace")
    con.execute("INSERT INTO nsysql_meta.report_files (report_id, name) VALUES (?, ?)", [REPORT_ID, name])
    _forbid(con, catalog, views, reads, {name: only.get(name, set()) for name in tables & loader.with_rows})
    con.execute("SET threads = 1")  # as in an ingest: the memory for the sorts of one thread is enough for many rows
    fill_derived(con, catalog, [v for v in views if _table(catalog, v) in reads])
    con.execute("RESET threads")
    return list(loader.notes())


def _texts(catalog: Catalog, questions: Iterable[Question]) -> Iterator[str]:
    """The questions as SQL, and what is asked besides."""
    yield from (f"FROM {name}" for name in _ALWAYS)
    for name, params in questions:
        view = catalog.get(name)
        yield f"FROM {name}{arguments(view, params)}"
        yield from view.bewares


def _reads(con: duckdb.DuckDBPyConnection, catalog: Catalog, views: list[View], queries: Iterable[str]) -> Reads:
    """What the queries read of raw and derived tables, and what those derived tables are computed from."""
    rows = con.execute("SELECT table_name, list(column_name) FROM duckdb_columns() GROUP BY ALL").fetchall()
    columns = {table: set(names) for table, names in rows}
    con.execute(f"SET schema = '{catalog.schema}'")
    reads = reads_of(con, queries, columns)
    for view in reversed(views):  # each stands behind those that it reads
        if _table(catalog, view) in reads:
            for table, names in reads_of(con, [catalog.qualified_body(view)], columns).items():
                reads.setdefault(table, set()).update(names)
    con.execute("SET schema = 'main'")
    return reads


def _table(catalog: Catalog, view: View) -> str:
    """Name of the table of derived rows that a view has; empty for none."""
    return catalog.derived_table(view).rpartition(".")[2] if view.kind == "table" else ""


def _wanted(spec: SourceTable, read: set[str]) -> set[str]:
    wanted = {c.name for c in spec.columns if spec.glob or c.name in read or c.role in _DECIDING}
    return wanted or {c.name for c in spec.columns}


def _forbid(con: duckdb.DuckDBPyConnection, catalog: Catalog, views: list[View], reads: Reads, loaded: Reads) -> None:
    """Make it an error to read of `loaded` tables other columns, for they would be taken for what is not in the export."""
    for name, columns in loaded.items():
        types = {c.name: c.type for c in load_sources()[name].columns}
        if types.keys() - columns and not load_sources()[name].shift:
            _stand_in(con, f"raw.{ident(name)}", types, columns)
    for view in views:
        if view.kind == "table" and _table(catalog, view) not in reads:
            _stand_in(con, catalog.derived_table(view), {c.name: c.type for c in view.columns}, set())


def _stand_in(con: duckdb.DuckDBPyConnection, table: str, types: Mapping[str, str], loaded: set[str]) -> None:
    """A view in the place of a table, with errors in the place of columns that are not loaded; if none is, of any row."""
    error = f"error({literal(f'{table} was not read from the export')})"
    values = [ident(name) if name in loaded else f"CAST({error} AS {type_}) AS {ident(name)}" for name, type_ in types.items()]
    place, _, name = table.rpartition(".")
    if loaded:
        part = f"{name.strip(chr(34))}_in_part"
        con.execute(f"ALTER TABLE {table} RENAME TO {ident(part)}")
        source = f"{place}.{ident(part)}"
    else:
        con.execute(f"DROP TABLE {table}")
        source = f"(VALUES ({REPORT_ID})) AS nothing (report_id) WHERE CAST({error} AS BOOLEAN)"
    report = [] if "report_id" in types else ["report_id"]
    con.execute(f"CREATE VIEW {table} AS SELECT {', '.join([*report, *values])} FROM {source}")
