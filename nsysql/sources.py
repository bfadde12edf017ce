"""The comment grammar of queries/sources.sql -> which tables and columns of an export are read, and how."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .paths import queries_dir

_TABLE = re.compile(r"CREATE TABLE raw\.(\w+) \(")
_COLUMN = re.compile(r'    "?(\w+)"?\s+(BIGINT|VARCHAR|DOUBLE|BLOB),?\s*-- (.+)')
ROLES = frozenset(["rowid", "time", "string", "path", "process", "thread", "key"])
REPORT_ID = 1
"""The number of a report in a database of its own."""


@dataclass(frozen=True)
class SourceColumn:
    """A column of a source table: DuckDB type, nsys releases that write it, role, older name, stored expression."""

    name: str
    type: str
    releases: str
    role: str | None = None
    was: str | None = None
    expression: str | None = None


@dataclass(frozen=True)
class SourceTable:
    """A source table: its columns and what stands before it in sources.sql."""

    name: str
    columns: tuple[SourceColumn, ...]
    was: str | None = None
    glob: str | None = None
    keep: str | None = None
    private: tuple[str, ...] = ()
    shift: str | None = None
    complete: str | None = None
    is_signature: bool = False
    is_identity: bool = False

    @property
    def is_private(self) -> bool:
        """True if no column of the table is ever read."""
        return self.private == ("table",)

    @property
    def row_filter(self) -> str | None:
        """SQLite condition for the rows that are read, None for all of them."""
        return None if self.keep in ("used", "referenced") else self.keep

    @property
    def ddl(self) -> str:
        """CREATE TABLE for the table in schema raw, report_id first."""
        columns = "".join(f', "{c.name}" {c.type}' for c in self.columns)
        return f"CREATE TABLE IF NOT EXISTS raw.{self.name} (report_id INTEGER{columns})"

    def with_role(self, *roles: str) -> list[str]:
        """Names of the columns that have one of `roles`."""
        return [c.name for c in self.columns if c.role in roles]


def sources_hash() -> str:
    """Hash of the text of sources.sql."""
    return hashlib.sha256((queries_dir() / "sources.sql").read_bytes()).hexdigest()


@cache
def load_sources(path: Path | None = None) -> dict[str, SourceTable]:
    """All tables of sources.sql by name; raises ValueError with file:line for a line outside the grammar."""
    path = path or queries_dir() / "sources.sql"
    tables: dict[str, SourceTable] = {}
    tags: list[list[str]] = []
    columns: list[SourceColumn] = []
    name = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := _TABLE.fullmatch(line):
            name = match[1]
        elif name and line == ");":
            tables[name] = _table(name, columns, tags)
            name, columns, tags = "", [], []
        elif name:
            columns.append(_column(line, f"{path}:{number}"))
        elif line.startswith("-- @"):
            tags.append([*line[4:].split(None, 1), ""][:2])
        elif line.startswith("--   ") and tags:
            tags[-1][1] += " " + line[2:].strip()
    return tables


def _table(name: str, columns: list[SourceColumn], tags: list[list[str]]) -> SourceTable:
    values = {key: text.strip() for key, text in tags}
    private = tuple(part.strip() for part in values.get("private", "").split(",") if part.strip())
    return SourceTable(
        name=name,
        columns=tuple(columns),
        was=values.get("was"),
        glob=values.get("all"),
        keep=values.get("keep"),
        private=private,
        shift=values.get("shift"),
        complete=values.get("complete"),
        is_signature="signature" in values,
        is_identity="identity" in values,
    )


def _column(line: str, where: str) -> SourceColumn:
    match = _COLUMN.fullmatch(line)
    if not match:
        raise ValueError(f"{where}: not a column line: {line!r}")
    name, type_, comment = match.groups()
    comment, _, expression = comment.partition("; = ")
    parts = [part.strip() for part in comment.split(";")]
    was = next((p.removeprefix("was ") for p in parts if p.startswith("was ")), None)
    role = next((p for p in parts if p in ROLES), None)
    return SourceColumn(name, type_, parts[0], role, was, expression.strip() or None)
