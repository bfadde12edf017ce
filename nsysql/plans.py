"""What queries read: tables and columns, told by DuckDB's plans."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import duckdb

Reads = dict[str, set[str]]
"""Columns by table; names without their schema."""


def reads_of(con: duckdb.DuckDBPyConnection, queries: Iterable[str], columns: Reads) -> Reads:
    """The tables of `columns`, which has all columns of each, that the plans of the queries scan, with the columns they take.

    All of them if a plan names none, as some of DuckDB 1.4 do.

    Whatever rows are there: branches that constants rule out are not in the plan, those that data rules out are. A query that
    cannot be planned reads nothing.
    """
    found: Reads = {}
    disabled = con.execute("SELECT current_setting('disabled_optimizers')").fetchall()[0][0]
    con.execute("SET disabled_optimizers = 'statistics_propagation'")  # which takes away what has no rows yet
    for query in queries:
        try:
            plans = json.loads(con.execute(f"EXPLAIN (FORMAT json) {query}").fetchall()[0][1])
        except duckdb.Error:
            continue
        for table, facts in _scans(plans):
            if table in columns:
                found.setdefault(table, set()).update(columns[table] & _taken(facts) or columns[table])
    con.execute(f"SET disabled_optimizers = '{disabled}'")
    return found


def _scans(nodes: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for node in nodes:
        facts = node["extra_info"]
        if isinstance(facts, dict) and "Table" in facts:
            yield facts["Table"].rpartition(".")[2].strip('"'), facts
        yield from _scans(node["children"])


def _taken(facts: dict[str, Any]) -> set[str]:
    """Names of columns that a scan gives, and whatever could be one in its filters."""
    given, filters = facts.get("Projections", []), facts.get("Filters", "")
    return {*([given] if isinstance(given, str) else given), *re.findall(r"\w+", str(filters))}
