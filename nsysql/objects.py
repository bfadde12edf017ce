"""The views and macros that nsysql has made in a database, so that it takes away these and none of the user's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import duckdb

from .settings import keep_setting, setting

Object = tuple[str, str, str]
"""Schema, name and type of a view or macro."""

SQL_KINDS = {"view": "VIEW", "macro": "MACRO TABLE", "scalar": "MACRO"}
"""What DROP and COMMENT ON call the types."""

_SETTING = "objects"
_OBJECTS = """
SELECT schema_name, view_name, 'view'
FROM duckdb_views()
WHERE database_name = current_database() AND NOT internal AND schema_name <> 'nsysql_meta'
UNION
SELECT schema_name, function_name, CASE function_type WHEN 'table_macro' THEN 'macro' ELSE 'scalar' END
FROM duckdb_functions()
WHERE database_name = current_database() AND NOT internal AND function_type IN ('macro', 'table_macro')
"""


def objects(con: duckdb.DuckDBPyConnection) -> set[Object]:
    """Every view and macro of the database, a user's own too."""
    rows = con.execute(f"SELECT * FROM ({_OBJECTS})").fetchall()
    return {(schema, name, kind) for schema, name, kind in rows}


def remember(con: duckdb.DuckDBPyConnection, before: set[Object]) -> None:
    """List what is there now and was not before, so that it can be taken away again."""
    _keep(con, [*_listed(con), *sorted(objects(con) - before)])


def drop_installed(con: duckdb.DuckDBPyConnection, is_meant: Callable[[str], bool]) -> None:
    """Drop what nsysql has made in the schemas that are meant."""
    listed = _listed(con)
    for schema, name, kind in reversed(listed):
        if is_meant(schema):
            con.execute(f'DROP {SQL_KINDS[kind]} IF EXISTS "{schema}"."{name}"')
    _keep(con, [row for row in listed if not is_meant(row[0])])


def keep_earlier_list(con: duckdb.DuckDBPyConnection) -> None:
    """Take over the list of a database whose nsysql kept it in a table of its own, which took a block of the file."""
    query = "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'nsysql_meta' AND table_name = 'catalog'"
    if con.execute(query).fetchall():
        _keep(con, con.execute("SELECT schema_name, object_name, object_type FROM nsysql_meta.catalog").fetchall())
        con.execute("DROP TABLE nsysql_meta.catalog")


def _listed(con: duckdb.DuckDBPyConnection) -> list[Object]:
    return [(schema, name, kind) for schema, name, kind in json.loads(setting(con, _SETTING) or "[]")]


def _keep(con: duckdb.DuckDBPyConnection, listed: Iterable[Object]) -> None:
    keep_setting(con, _SETTING, json.dumps(list(listed)))
