"""Tiny made-up exports: what NVIDIA's tool prints for them, beside what the views say of the same rows.

The rows are CSV text by raw.TABLE, as `tests.blueprint` takes them. As an SQLite file they are an export to the tool.
"""

from __future__ import annotations

import csv
import io
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
from nsysql.catalog import load_catalog
from nsysql.connect import SETTINGS
from nsysql.sources import load_sources

from tests.blueprint import build
from tests.oracle import VIEWS, printed

_TYPES = {"BIGINT": "INTEGER", "VARCHAR": "TEXT", "DOUBLE": "REAL", "BLOB": "BLOB"}
_NUMBERS = "_rowid"

Rows = list[tuple[object, ...]]


@dataclass(frozen=True)
class MadeUp:
    """Source rows of one report, and by report of the tool what 2023.4.4 prints: CSV text without its header.

    `error` has what it says instead for a report that it cannot make; `ours` what the view says where it differs.
    """

    rows: dict[str, str]
    printed: dict[str, str]
    error: dict[str, str] = field(default_factory=dict)
    ours: dict[str, str] = field(default_factory=dict)

    @property
    def reports(self) -> list[str]:
        """Every report that the case is about."""
        return [*self.printed, *self.error]

    def expected(self, report: str) -> Rows:
        """The rows that the view has."""
        return typed(self.ours.get(report, self.printed.get(report, "")))

    def of_tool(self, report: str) -> Rows:
        """The rows that the tool prints; none if it says an error."""
        return typed(self.printed.get(report, ""))

    def of_view(self, report: str) -> Rows:
        """The printed columns of the view over the rows, bytes as the MB that are printed."""
        view = VIEWS[report]
        units = {c.name: c.unit for c in view.columns}
        columns = [f"round({n} / 1e6, 3)" if units[n] == "bytes" else n for n, _ in printed(view).headers]
        query = f"SELECT {', '.join(columns)} FROM {report}"
        catalog = load_catalog()
        read = {f"raw.{t}" for below in catalog.closure([report]) for t in catalog.raw_tables(below.name)}
        with duckdb.connect(config=SETTINGS) as con:
            build(con, {name: text for name, text in self.rows.items() if name in read}, "report_id\n1", query)
            return _sorted(con.sql(query).fetchall())


def typed(text: str) -> Rows:
    """Printed rows with numbers as such and empty cells as None, sorted."""
    return _sorted([tuple(_value(cell) for cell in line) for line in csv.reader(io.StringIO(text)) if line])


def _value(cell: str) -> object:
    for type_ in (int, float):
        try:
            return type_(cell)
        except ValueError:
            continue
    return cell or None


def _sorted(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: [(cell is not None, str(cell)) for cell in row])


def write_export(path: Path, rows: dict[str, str]) -> None:
    """Write the rows as an SQLite export with all columns that a table of sources.sql has."""
    with closing(sqlite3.connect(path)) as db, db:
        for name, text in rows.items():
            table = load_sources()[name.removeprefix("raw.")]
            columns = ", ".join(f'"{c.name}" {_TYPES[c.type]}' for c in table.columns if c.name != _NUMBERS)
            db.execute(f"CREATE TABLE {table.name} ({columns})")
            header, *lines = [line for line in csv.reader(io.StringIO(text.strip())) if line]
            names = ["rowid" if name == _NUMBERS else f'"{name}"' for name in header]
            kept = [i for i, name in enumerate(header) if name != "report_id"]
            for line in lines:
                db.execute(
                    f"INSERT INTO {table.name} ({', '.join(names[i] for i in kept)}) VALUES ({', '.join('?' * len(kept))})",
                    [line[i].strip() or None for i in kept],
                )


def run_tool(nsys: str, export: Path, report: str) -> tuple[Rows, list[str], str]:
    """The rows that the tool prints for an export, their headers, and what it says on its error stream."""
    command = [nsys, "stats", "--quiet", "--format", "csv", "--report", report, str(export)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    header, _, rows = done.stdout.strip().partition("\n")
    return typed(rows), next(csv.reader([header]), []), done.stderr
