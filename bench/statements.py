"""SQL that reads from an export what ingest reads."""

from __future__ import annotations

import fnmatch
import sqlite3
from contextlib import closing
from pathlib import Path

from nsysql.sources import SourceTable, load_sources


def scan_statements(export: Path) -> tuple[list[str], list[str]]:
    """SELECTs for the columns and rows that ingest reads: row by row, and folded into max() inside SQLite."""
    rows, folded = [], []
    with closing(sqlite3.connect(f"{export.absolute().as_uri()}?mode=ro", uri=True)) as db:
        names = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        for spec in load_sources().values():
            for name in _source_names(spec, names):
                columns = _source_columns(spec, {r[1] for r in db.execute(f'PRAGMA table_info("{name}")')})
                end = f'FROM "{name}"' + (f" WHERE {spec.row_filter}" if spec.row_filter else "")
                rows.append(f"SELECT {', '.join(columns)} {end}")
                folded.append(f"SELECT {', '.join(f'max({c})' for c in columns)} {end}")
    return rows, folded


def _source_names(spec: SourceTable, names: list[str]) -> list[str]:
    if spec.is_private:
        return []
    return fnmatch.filter(names, spec.glob) if spec.glob else [n for n in (spec.name, spec.was) if n in names][:1]


def _source_columns(spec: SourceTable, present: set[str]) -> list[str]:
    columns = []
    for column in spec.columns:
        found = [n for n in (column.name, column.was) if n in present][:1]
        columns += ["rowid"] if column.role == "rowid" else [f'"{n}"' for n in found]
    return columns
