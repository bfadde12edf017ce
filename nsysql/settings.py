"""Facts that nsysql keeps in a database, by name."""

from __future__ import annotations

import duckdb

TABLE = "CREATE TABLE IF NOT EXISTS nsysql_meta.settings (name VARCHAR, value VARCHAR);"
"""Names are unique without a key, for an index would take a block of the file."""


def setting(con: duckdb.DuckDBPyConnection, name: str) -> str | None:
    """The value of a setting, None if it has none."""
    rows = con.execute("SELECT value FROM nsysql_meta.settings WHERE name = ?", [name]).fetchall()
    return str(rows[0][0]) if rows else None


def keep_setting(con: duckdb.DuckDBPyConnection, name: str, value: str, replace: bool = True) -> None:
    """Give a setting a value; without `replace` only if it has none yet."""
    if setting(con, name) is None:
        con.execute("INSERT INTO nsysql_meta.settings VALUES (?, ?)", [name, value])
    elif replace:
        con.execute("UPDATE nsysql_meta.settings SET value = ? WHERE name = ?", [value, name])
