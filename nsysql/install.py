"""Installs a catalog into a database: schemas, macros, views, derived tables, comments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

import duckdb

from . import __version__
from .catalog import OWN, Catalog
from .connect import transaction
from .documentation import install_documentation
from .errors import BusyError, UsageError
from .families import TABLE as NAMES_TABLE
from .families import classify
from .header import Column, View
from .objects import SQL_KINDS, drop_installed, keep_earlier_list, objects, remember
from .settings import TABLE as SETTINGS_TABLE
from .settings import keep_setting, setting
from .sources import load_sources
from .sqltext import literal

_TABLES = """
CREATE SCHEMA IF NOT EXISTS nsysql_meta;
CREATE SCHEMA IF NOT EXISTS raw;
CREATE SCHEMA IF NOT EXISTS derived;
CREATE TABLE IF NOT EXISTS nsysql_meta.report_files (
    report_id INTEGER, name VARCHAR, run VARCHAR, report_uid VARCHAR, source_file VARCHAR,
    source_kind VARCHAR, source_bytes BIGINT, source_sha256 VARCHAR, content_id VARCHAR, ingested_at TIMESTAMP,
    nsysql_version VARCHAR);
ALTER TABLE nsysql_meta.report_files ADD COLUMN IF NOT EXISTS loader_hash VARCHAR;
CREATE TABLE IF NOT EXISTS nsysql_meta.sources (
    report_id INTEGER, table_name VARCHAR, column_name VARCHAR, source_name VARCHAR, state VARCHAR, row_count BIGINT,
    loaded_row_count BIGINT, withheld_row_count BIGINT, mistyped_count BIGINT, invalid_text_count BIGINT);
"""


SOURCE_VIEWS = {
    "source_tables": (
        "report_id, table_name, source_name, state, row_count, loaded_row_count, withheld_row_count",
        "column_name IS NULL",
    ),
    "source_columns": (
        "report_id, table_name, column_name, state, mistyped_count, invalid_text_count",
        "column_name IS NOT NULL",
    ),
}
"""What is known of the tables and of the columns of exports: columns and condition of views on nsysql_meta.sources."""


def create_tables(con: duckdb.DuckDBPyConnection) -> None:
    """Create nsysql's schemas and bookkeeping tables where they are missing."""
    con.execute(_TABLES + SETTINGS_TABLE + NAMES_TABLE)
    keep_earlier_list(con)
    _show_sources(con)


def _show_sources(con: duckdb.DuckDBPyConnection) -> None:
    """Views of the tables and of the columns of exports: both are rows of one table, as each would take a block of the file.

    An earlier nsysql kept them in two.
    """
    query = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'nsysql_meta' AND table_name = 'source_tables'"
    if con.execute(query).fetchall():
        for name in SOURCE_VIEWS:
            con.execute(f"INSERT INTO nsysql_meta.sources BY NAME FROM nsysql_meta.{name}; DROP TABLE nsysql_meta.{name}")
    for name, (columns, condition) in SOURCE_VIEWS.items():
        text = f"SELECT {columns} FROM nsysql_meta.sources WHERE {condition}"
        con.execute(f"CREATE OR REPLACE VIEW nsysql_meta.{name} AS {text}")


def create_raw_tables(con: duckdb.DuckDBPyConnection, names: Collection[str] | None = None) -> None:
    """Create the raw.* tables of sources.sql, or some, where they are missing, and columns that an older nsysql lacked."""
    rows = con.execute("SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'raw'").fetchall()
    existing, tables = set(rows), {table for table, _ in rows}
    for spec in load_sources().values():
        if spec.is_private or (names is not None and spec.name not in names):
            continue
        if spec.name not in tables:
            con.execute(spec.ddl)
            continue
        for column in spec.columns:
            if (spec.name, column.name) not in existing:
                con.execute(f'ALTER TABLE raw.{spec.name} ADD COLUMN IF NOT EXISTS "{column.name}" {column.type}')


def installed_fingerprint(con: duckdb.DuckDBPyConnection, name: str = "catalog") -> str | None:
    """Fingerprint of the catalog that the database has installed, or of the user's `own_views`; None if there is none."""
    tables = con.execute(
        "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'nsysql_meta' AND table_name = 'settings'"
    ).fetchall()
    if not tables:
        return None
    return setting(con, name)


def newer_version(con: duckdb.DuckDBPyConnection) -> str | None:
    """The nsysql version that installed the views of the database if it is newer than this one, else None."""
    if installed_fingerprint(con) is None:
        return None
    version = setting(con, "nsysql_version")
    return version if version and _numbers(version) > _numbers(__version__) else None


def refuse_newer(con: duckdb.DuckDBPyConnection, database: str) -> None:
    """Raise BusyError if a newer nsysql made the database: this one would take away what it does not know."""
    if version := newer_version(con):
        raise BusyError(
            f"{database} was made by nsysql {version}, which is newer than this one ({__version__}): it can be read, not "
            "written. Update nsysql, or name another database with --db."
        )


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def install(con: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    """Replace the installed objects by those of `catalog`, in one transaction; a user's own objects stay.

    Derived rows of `@kind table` views whose text changed are computed again, report by report.
    """
    if is_current(con, catalog):
        return
    with transaction(con):
        if installed_fingerprint(con) != catalog.fingerprint:
            _install_shipped(con, catalog)
        if catalog.own:
            _install_own(con, catalog)
        install_documentation(con, catalog)


def is_current(con: duckdb.DuckDBPyConnection, catalog: Catalog) -> bool:
    """True if the database has the objects of `catalog`; a user's own views that it has besides do not count."""
    own = catalog.own_fingerprint
    return installed_fingerprint(con) == catalog.fingerprint and own in (None, installed_fingerprint(con, "own_views"))


def _install_shipped(con: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    create_tables(con)
    create_raw_tables(con)
    drop_installed(con, lambda schema: schema != OWN)
    before = objects(con)
    shipped = [v for v in catalog.order if v.layer != OWN]
    install_trace_sources(con, shipped)
    con.execute(f"CREATE SCHEMA IF NOT EXISTS {catalog.schema}")
    new_tables = [view for view in shipped if view.kind == "table" and _create_derived(con, catalog, view)]
    _stand_in(con, catalog, shipped)
    public = [view for view in shipped if not view.is_private]
    for contract in range(1, catalog.contract):
        _install_earlier(con, catalog, contract)
    for view in public:
        _install_alias(con, catalog, "main", view)
    for view in reversed(shipped):
        _take_place(con, catalog, view)
    for view in new_tables:
        _fill_derived(con, catalog, view)
    _drop_stale_rows(con, catalog)
    if "_kernel_names" in catalog.views:
        classify(con, catalog.schema)
    for view in public:
        _comment(con, ("main", catalog.schema), view)
    remember(con, before)
    keep_setting(con, "catalog", catalog.fingerprint)
    keep_setting(con, "nsysql_version", __version__)


def _install_own(con: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    con.execute(f"CREATE SCHEMA IF NOT EXISTS {OWN}")
    drop_installed(con, lambda schema: schema == OWN)
    before = objects(con)
    for view in catalog.own:
        try:
            _install_text(con, OWN, view, catalog.qualified_body(view))
        except duckdb.Error as error:
            raise UsageError(f"{view.path}: {error}") from error
        _comment(con, (OWN,), view)
    remember(con, before)
    keep_setting(con, "own_views", catalog.own_fingerprint or "")


def install_views(con: duckdb.DuckDBPyConnection, catalog: Catalog, views: Iterable[View]) -> None:
    """Create `views` in the contract's schema, without comments; fill derived tables that do not exist yet."""
    con.execute(f"CREATE SCHEMA IF NOT EXISTS {catalog.schema}")
    for view in views:
        if view.kind == "table" and _create_derived(con, catalog, view):
            _fill_derived(con, catalog, view)
        _install_text(con, catalog.schema, view, _installed_body(catalog, view))


def fill_derived(con: duckdb.DuckDBPyConnection, catalog: Catalog, views: Iterable[View] | None = None) -> None:
    """Compute the rows of `@kind table` views, by default of all, whose tables are there and empty."""
    for view in catalog.tables if views is None else views:
        _fill_derived(con, catalog, view)


def _installed_body(catalog: Catalog, view: View) -> str:
    return f"SELECT * FROM {catalog.derived_table(view)}" if view.kind == "table" else catalog.qualified_body(view)


def _stand_in(con: duckdb.DuckDBPyConnection, catalog: Catalog, views: Iterable[View]) -> None:
    """Create the macros, and in the place of each view a table with its documented columns.

    DuckDB binds a view that it creates down to the tables, and what stands on many others takes long. Over tables in the
    place of those it takes no longer than its own text.
    """
    for view in views:
        if view.params:
            _create_macro(con, catalog.schema, view, catalog.qualified_body(view))
        if view.has_view:
            columns = ", ".join(f'"{c.name}" {c.type}' for c in view.columns)
            con.execute(f"CREATE TABLE {catalog.schema}.{view.name} ({columns})")


def _take_place(con: duckdb.DuckDBPyConnection, catalog: Catalog, view: View) -> None:
    """Create a view in the place of the table that stands for it; those that it stands on still are tables."""
    if not view.has_view:
        return
    con.execute(f"DROP TABLE {catalog.schema}.{view.name}")
    body = f"SELECT * FROM {catalog.schema}.{view.name}()" if view.params else _installed_body(catalog, view)
    _create(con, catalog.schema, view, "view", f" AS {body}")


def install_trace_sources(con: duckdb.DuckDBPyConnection, views: Iterable[View]) -> None:
    """What records the events of each view, as a view of values: a table takes a block of its own."""
    rows = [
        (view.name, table, view.trace.key, view.trace.value, view.trace.option)
        for view in views
        if view.trace
        for table in view.source
    ]
    nothing = (None,) * 5
    values = ", ".join(
        "(" + ", ".join("NULL::VARCHAR" if cell is None else literal(cell) for cell in row) + ")" for row in [*rows, nothing]
    )
    names = "view_name, table_name, option_key, option_value, trace_option"
    old = "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'nsysql_meta' AND table_name = 'trace_sources'"
    if con.execute(old).fetchall():
        con.execute("DROP TABLE nsysql_meta.trace_sources")
    con.execute(
        "CREATE OR REPLACE VIEW nsysql_meta.trace_sources AS "
        f"SELECT * FROM (VALUES {values}) AS sources ({names}) WHERE view_name IS NOT NULL"
    )


def temporary_texts(view: View, body: str, schema: str) -> Iterator[str]:
    """The statements that make a temporary view or macro of `body`; `schema` is where a connection has such."""
    if view.params:
        yield f"CREATE TEMP MACRO {view.name}({_signature(view)}) AS {_macro_text(view, body)}"
        body = f"SELECT * FROM {schema}.{view.name}()"
    if view.has_view:
        yield f"CREATE TEMP VIEW {view.name} AS {body}"


def _install_text(con: duckdb.DuckDBPyConnection, schema: str, view: View, body: str) -> None:
    if view.params:
        _create_macro(con, schema, view, body)
        body = f"SELECT * FROM {schema}.{view.name}()"
    if view.has_view:
        _create(con, schema, view, "view", f" AS {body}")


def _install_earlier(con: duckdb.DuckDBPyConnection, catalog: Catalog, contract: int) -> None:
    """Fill the schema of an earlier contract: the text of views that changed since, the rest as it is now."""
    schema = f"v{contract}"
    con.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    for view in catalog.shown(contract):
        if view.is_earlier:
            _install_text(con, schema, view, catalog.qualified_body(view))
        elif not view.is_private:
            _install_alias(con, catalog, schema, view)


def _create_derived(con: duckdb.DuckDBPyConnection, catalog: Catalog, view: View) -> bool:
    """Create the table for the rows of a `@kind table` view; False if it is there."""
    table = catalog.derived_table(view)
    exists = con.execute("SELECT 1 FROM duckdb_tables() WHERE schema_name || '.' || table_name = ?", [table]).fetchall()
    if exists:
        return False
    columns = ", ".join(f"{c.name} {c.type}" for c in view.columns)
    con.execute(f"CREATE TABLE {table} ({columns})")
    return True


def _fill_derived(con: duckdb.DuckDBPyConnection, catalog: Catalog, view: View) -> None:
    body = catalog.qualified_body(view)
    for (report_id,) in con.execute("SELECT report_id FROM nsysql_meta.report_files ORDER BY ALL").fetchall():
        rows = f"SELECT * FROM ({body}) WHERE report_id = {report_id} ORDER BY {', '.join(view.grain)}"
        con.execute(f"INSERT INTO {catalog.derived_table(view)} BY NAME {rows}")


def _drop_stale_rows(con: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    """Drop the derived rows of texts that are no more."""
    wanted = [catalog.derived_table(view) for view in catalog.tables]
    tables = con.execute("SELECT 'derived.' || table_name FROM duckdb_tables() WHERE schema_name = 'derived'").fetchall()
    for (table,) in tables:
        if table not in wanted:
            con.execute(f"DROP TABLE {table}")


def _install_alias(con: duckdb.DuckDBPyConnection, catalog: Catalog, schema: str, view: View) -> None:
    """Let `schema` show a view of the contract's schema."""
    if view.params:
        passed = ", ".join(f"{p.name} := {p.name}" if p.default else p.name for p in view.params)
        what = "" if view.kind == "scalar" else "* FROM "
        _create_macro(con, schema, view, f"SELECT {what}{catalog.schema}.{view.name}({passed})")
    if view.has_view:
        _create(con, schema, view, "view", f" AS SELECT * FROM {catalog.schema}.{view.name}")


def _create_macro(con: duckdb.DuckDBPyConnection, schema: str, view: View, body: str) -> None:
    kind = "scalar" if view.kind == "scalar" else "macro"
    _create(con, schema, view, kind, f"({_signature(view)}) AS {_macro_text(view, body)}")


def _macro_text(view: View, body: str) -> str:
    """A macro over values as an expression, not as a query of one: DuckDB would join its rows with those of that query."""
    return f"({body.removeprefix('SELECT')})" if view.kind == "scalar" else f"TABLE {body}"


def _create(con: duckdb.DuckDBPyConnection, schema: str, view: View, kind: str, rest: str) -> None:
    con.execute(f"CREATE {'VIEW' if kind == 'view' else 'MACRO'} {schema}.{view.name}{rest}")


def _signature(view: View) -> str:
    parts = []
    for p in view.params:
        typed = p.name if p.type in ("TABLE", "ANY") else f"{p.name} {p.type}"
        parts.append(typed if p.default is None else f"{typed} := {p.default}")
    return ", ".join(parts)


def _comment(con: duckdb.DuckDBPyConnection, schemas: tuple[str, ...], view: View) -> None:
    """Comment a view in `schemas`, its columns in the first of them."""
    for schema in schemas:
        if view.params:
            what = SQL_KINDS["scalar" if view.kind == "scalar" else "macro"]
            con.execute(f"COMMENT ON {what} {schema}.{view.name} IS {literal(view.summary)}")
        if view.has_view:
            con.execute(f"COMMENT ON VIEW {schema}.{view.name} IS {literal(view.summary)}")
    if view.has_view:
        for column in view.columns:
            con.execute(f"COMMENT ON COLUMN {schemas[0]}.{view.name}.{column.name} IS {literal(_column_doc(column))}")


def _column_doc(column: Column) -> str:
    return column.doc if column.unit == "-" else f"[{column.unit}] {column.doc}"
