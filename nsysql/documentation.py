"""The headers of the views for programs: as one object each, and as relations inside the database."""

from __future__ import annotations

import json
from typing import Any

import duckdb

from .catalog import Catalog
from .header import View

_COLUMN = {"view_name": "VARCHAR", "position": "INTEGER", "name": "VARCHAR", "type": "VARCHAR", "unit": "VARCHAR"}
_RELATIONS: dict[str, dict[str, Any]] = {
    "nsysql_views": {
        "name": "VARCHAR",
        "layer": "VARCHAR",
        "version": "INTEGER",
        "kind": "VARCHAR",
        "summary": "VARCHAR",
        "description": "VARCHAR",
        "grain": ["VARCHAR"],
        "needs": ["VARCHAR"],
        "needs_any": "BOOLEAN",
        "default_order": "VARCHAR",
        "example": "VARCHAR",
    },
    "nsysql_columns": _COLUMN | {"description": "VARCHAR"},
    "nsysql_params": _COLUMN | {"default_value": "VARCHAR", "description": "VARCHAR"},
}
"""Columns of the relations, with types in the notation of DuckDB's from_json."""


def manifest(view: View) -> dict[str, Any]:
    """A view's header as values that JSON holds: those of nsysql_views, and lists of `params` and `columns`."""
    return {
        "name": view.name,
        "layer": view.layer,
        "version": view.version,
        "kind": view.kind,
        "summary": view.summary,
        "description": view.prose or None,
        "grain": view.grain,
        "needs": view.needs.views,
        "needs_any": view.needs.any_of,
        "default_order": view.order,
        "example": view.examples[0] if view.examples else None,
        "params": [
            {"name": p.name, "type": p.type, "unit": p.unit, "default_value": p.default, "description": p.doc}
            for p in view.params
        ],
        "columns": [{"name": c.name, "type": c.type, "unit": c.unit, "description": c.doc} for c in view.columns],
    }


def install_documentation(con: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    """Fill nsysql_views, nsysql_columns and nsysql_params, views in schema main on one table of nsysql's own.

    Of a user's own views it holds those of the catalog that was installed last. One table, as each takes blocks of its own.
    """
    views = [manifest(v) for v in catalog.views.values() if not v.is_private]
    parts = {"nsysql_views": views, "nsysql_columns": _parts(views, "columns"), "nsysql_params": _parts(views, "params")}
    rows = [{"relation": relation} | row for relation, found in parts.items() for row in found]
    types: dict[str, Any] = {"relation": "VARCHAR"}
    for columns in _RELATIONS.values():
        types |= columns
    query = "SELECT row.* FROM (SELECT unnest(from_json(?::JSON, ?)) AS row)"
    con.execute(f"CREATE OR REPLACE TABLE nsysql_meta.documentation AS {query}", [json.dumps(rows), json.dumps([types])])
    for relation, columns in _RELATIONS.items():
        select = f"SELECT {', '.join(columns)} FROM nsysql_meta.documentation WHERE relation = '{relation}'"
        con.execute(f"CREATE OR REPLACE VIEW main.{relation} AS {select}")


def _parts(views: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [
        {"view_name": view["name"], "position": number} | part
        for view in views
        for number, part in enumerate(view[kind], start=1)
    ]
