"""Rules that sort kernels into families by name: read from CSV files, kept in a database, applied to its kernel names."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from .errors import UsageError
from .paths import queries_dir
from .settings import keep_setting, setting
from .sqltext import literal

COLUMNS = ("pattern", "family", "operation", "precision", "tensor_cores")
"""Columns of a file of rules; the first two are required."""

_ANSWERS = ("yes", "no", "unknown")
_STORED: dict[str, str] = {"is_own": "BOOLEAN", "line": "INTEGER", **dict.fromkeys(COLUMNS, "VARCHAR")}
TABLE = f"""CREATE TABLE IF NOT EXISTS nsysql_meta.kernel_names (
    report_id INTEGER, name_id BIGINT, {", ".join(f"{name} {type_}" for name, type_ in _STORED.items())});"""
"""The first rule that matches each kernel name, NULL if none does: to look for it in every query would cost too much."""

Rule = dict[str, Any]
"""`line` of the file and COLUMNS; None where the file says nothing."""


@dataclass(frozen=True)
class FamiliesSet:
    """What became of a file of rules: how many, and the lines of those that are the first to match for no kernel name."""

    rule_count: int
    idle_lines: tuple[int, ...]


def shipped_file() -> Path:
    """The file of rules that comes with nsysql."""
    return queries_dir() / "kernel_families.csv"


@cache
def shipped_rules() -> tuple[Rule, ...]:
    """The rules that come with nsysql, in their order; they are checked by the tests."""
    return tuple(_rules(shipped_file()))


def read_rules(path: Path) -> list[Rule]:
    """The rules of a file of the user, in its order. Raises UsageError with the line for what is no rule."""
    rules = list(_rules(path))
    if not rules:
        raise UsageError(f"{path}: holds no rule. `--families none` removes the rules that the database has.")
    with duckdb.connect() as con:
        for rule in rules:
            _check_pattern(con, f"{path}:{rule['line']}", rule["pattern"])
    return rules


def _rules(path: Path) -> Iterator[Rule]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}. --families wants a CSV file of rules.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: is not text; --families wants a CSV file of rules in UTF-8.") from error
    for rule in _rows(path, text):
        _check(f"{path}:{rule['line']}", rule)
        yield rule | {"tensor_cores": rule["tensor_cores"] or "unknown"}


def _rows(path: Path, text: str) -> Iterator[Rule]:
    """Rows below the header as rules; empty lines and those that begin with # do not count."""
    lines = ("" if line.startswith("#") else line for line in text.splitlines())
    reader = csv.reader(lines, strict=True)
    header: list[str] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not header:
                header = _header(f"{path}:{reader.line_num}", cells)
            elif len(cells) != len(header):
                raise UsageError(
                    f"{path}:{reader.line_num}: has {len(cells)} cells, the header {len(header)}; a pattern with a comma "
                    'stands in double quotes: "a{1,2}".'
                )
            else:
                values = dict(zip(header, cells))
                yield {"line": reader.line_num} | {name: values.get(name) or None for name in COLUMNS}
    except csv.Error as error:
        raise UsageError(f"{path}:{reader.line_num}: is not CSV: {error}.") from error


def _header(where: str, names: list[str]) -> list[str]:
    for name in COLUMNS[:2]:
        if name not in names:
            raise UsageError(f"{where}: there is no column {name}; the header must be pattern,family and may go on with "
                             f"{', '.join(COLUMNS[2:])}.")  # fmt: skip
    for name in names:
        if name not in COLUMNS or names.count(name) > 1:
            raise UsageError(f"{where}: column {name!a} is not known or is there twice; columns are {', '.join(COLUMNS)}.")
    return names


def _check(where: str, rule: Rule) -> None:
    for name in COLUMNS[:2]:
        if not rule[name]:
            raise UsageError(f"{where}: {name} is empty; every rule has a pattern and a family.")
    if not all(rule[name] is None or rule[name].isprintable() for name in COLUMNS):
        raise UsageError(f"{where}: holds a character that cannot be printed.")
    if rule["tensor_cores"] not in (None, *_ANSWERS):
        raise UsageError(f"{where}: tensor_cores is {rule['tensor_cores']!a}; it is one of {', '.join(_ANSWERS)}, or empty.")


def _check_pattern(con: duckdb.DuckDBPyConnection, where: str, pattern: str) -> None:
    try:
        con.execute("SELECT regexp_matches('', ?)", [pattern])
    except duckdb.Error as error:
        what = str(error).splitlines()[0].partition(": ")[2]
        raise UsageError(f"{where}: the pattern is no regular expression of RE2: {what}") from error


def own_rules(con: duckdb.DuckDBPyConnection) -> list[Rule]:
    """The user's own rules that the database has."""
    rules: list[Rule] = json.loads(setting(con, "own_rules") or "[]")
    return rules


def keep_rules(con: duckdb.DuckDBPyConnection, rules: list[Rule]) -> None:
    """Make `rules` the user's own ones of the database; `classify` applies them."""
    keep_setting(con, "own_rules", json.dumps(rules))


def classify(con: duckdb.DuckDBPyConnection, schema: str, report_id: int | None = None) -> None:
    """Find the first rule for every kernel name of a report, by default of all: own rules come before the shipped ones.

    `schema` is that of the views.
    """
    where = "" if report_id is None else f" WHERE report_id = {report_id}"
    rules = [r | {"is_own": True} for r in own_rules(con)] + [r | {"is_own": False} for r in shipped_rules()]
    query = f"SELECT DISTINCT name FROM {schema}._kernel_names{where}"
    first = _first_matches(con, [name for (name,) in con.execute(query).fetchall()], tuple(r["pattern"] for r in rules))
    matched = [{"name": name} | rules[number] for name, number in first.items() if number is not None]
    con.execute(f"DELETE FROM nsysql_meta.kernel_names{where}")
    con.execute(
        f"""INSERT INTO nsysql_meta.kernel_names BY NAME
        WITH matched AS (SELECT unnest(from_json(?::JSON, ?)) AS rule)
        SELECT n.report_id, n.name_id, {", ".join(f"m.rule.{name}" for name in _STORED)}
        FROM {schema}._kernel_names AS n
        LEFT JOIN matched AS m ON m.rule.name = n.name{where}
        ORDER BY n.report_id, n.name_id""",
        [json.dumps(matched), json.dumps([{"name": "VARCHAR"} | _STORED])],
    )


def _first_matches(con: duckdb.DuckDBPyConnection, names: list[str | None], patterns: tuple[str, ...]) -> dict[str, int | None]:
    """Index of the first pattern that matches each name, None if none does.

    Patterns stand in the text of the query, for DuckDB compiles others once for every name.
    """
    known = _known_matches(patterns)
    new = [name for name in names if name is not None and name not in known]
    if new:
        branches = " ".join(f"WHEN regexp_matches(name, {literal(pattern)}) THEN {n}" for n, pattern in enumerate(patterns))
        query = f"SELECT name, CASE {branches} END FROM (SELECT unnest(?::VARCHAR[]) AS name)"
        known.update(con.execute(query, [new]).fetchall())
    return {name: known[name] for name in names if name is not None}


@cache
def _known_matches(patterns: tuple[str, ...]) -> dict[str, int | None]:
    """What this process found so far: reports that are ingested together mostly have the same names."""
    return {}
