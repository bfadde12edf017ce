"""Loads one SQLite export into a DuckDB file of its own: raw.* tables, in Arrow batches, in constant memory."""

from __future__ import annotations

import fnmatch
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from .batches import SQLITE_TYPES, Batches, MistypedError, arrow_type, opened, rows_of, select_text
from .errors import InputError
from .install import SOURCE_VIEWS, create_raw_tables
from .sources import REPORT_ID, SourceColumn, SourceTable, load_sources
from .sqltext import ident, literal

BATCH_ROWS = 65536
BATCH_BYTES = 64_000_000
Progress = Callable[[str, int, int], None]
"""Called with (table, rows read so far, rows in all known tables)."""

# Stored instead of what identifies a machine or a person. The key is random, one per database.
_MACROS = r"""
CREATE TEMP MACRO keyed_hash(value) AS
    CASE WHEN value IS NULL OR value::VARCHAR = '' THEN value::VARCHAR
    ELSE left(sha256(getvariable('hash_key') || regexp_replace(lower(value::VARCHAR), '^(gpu|mig)-', '')), 16) END;
CREATE TEMP MACRO base_name(value) AS
    regexp_replace(value, '([A-Za-z]:[\\/])?[^\s:;,''"()]*[\\/]([^\\/\s:;,''"()]*)', '\2', 'g');
CREATE TEMP MACRO file_name(value) AS regexp_replace(value, '^.*[\\/]', '', 's');
"""


_PACKED = (b"\xfd7zXZ", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"BZh", b"7z\xbc\xaf")
"""How xz, gzip, zstd, zip, bzip2 and 7z files begin."""


@dataclass
class _Found:
    """A source table as it stands in this export."""

    spec: SourceTable
    source_name: str
    columns: dict[str, str]
    row_count: int
    readable: int
    row_number: str
    is_complete: bool
    read: int = 0
    loaded: int = 0
    mistyped: dict[str, int] = field(default_factory=dict)
    invalid_text: dict[str, int] = field(default_factory=dict)

    def source_of(self, column: SourceColumn) -> str | None:
        """Name of `column` in this export, None if it is absent."""
        if column.role == "rowid":
            return self.row_number
        names = {n.lower(): n for n in self.columns}
        return next((names[n.lower()] for n in (column.name, column.was) if n and n.lower() in names), None)


class Loader:
    """One load: `Loader(con, path, key).load()` fills the empty database behind `con` from the export at `path`.

    Tables: raw.* as queries/sources.sql declares them with report_id 1, nsysql_meta.source_tables,
    nsysql_meta.source_columns. With `only`, columns by table, others stay empty, or NULL.
    Raises InputError if the file is no Nsight Systems export, is damaged, or a row count differs from the source's.
    """

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        path: Path,
        hash_key: str,
        progress: Progress | None = None,
        only: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.con, self.path, self.only = con, path, only
        self.uri = f"{path.absolute().as_uri()}?mode=ro"
        self.progress = progress or (lambda table, done, total: None)
        self.specs = load_sources()
        self.time_shift_ns = 0
        self.rows_done = self.rows_total = 0
        self._found: list[_Found] = []
        self._unknown: list[tuple[str, int]] = []
        con.execute(_MACROS)
        con.execute("SET VARIABLE hash_key = ?", [hash_key])

    def load(self) -> None:
        """Load every table; see the class."""
        import adbc_driver_manager

        _check_header(self.path)
        try:
            self._survey()
            self.rows_total = sum(f.readable for f in self._to_load())
            self._load_all()
        except (sqlite3.Error, adbc_driver_manager.Error, OSError, UnicodeError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(
                f"{self.path}: cannot be read as SQLite: {reason}. Is it damaged, or still being written? Export it again."
            ) from error
        self._record()
        _check_counts(self.path, self._to_load())

    def notes(self) -> tuple[str, ...]:
        """What was read differently from how it stands in the export, or not at all; counted."""
        lines = []
        for table in self._found:
            for what, counts in (
                ("stored as NULL: not of the column's type", table.mistyped),
                ("repaired: text that is not UTF-8", table.invalid_text),
            ):
                lines += [f"{table.source_name}.{c}: {n} values {what}" for c, n in counts.items() if n]
        lines += [
            f"{t.source_name} lacks the row that nsys writes last: the export was cut short"
            for t in self._found
            if t.spec.complete and not t.is_complete
        ]
        unread = [f"{name} ({rows})" for name, rows in self._unknown if rows]
        if unread:
            lines.append(f"tables with rows that nsysql does not read: {', '.join(unread)}")
        return tuple(lines)

    def _survey(self) -> None:
        """Find out which declared tables the export has, and the names and row counts of the others."""
        with closing(sqlite3.connect(self.uri, uri=True)) as db:
            names = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
            for spec in self.specs.values():
                for name in _matches(spec, names):
                    columns = {r[1]: r[2] for r in db.execute(f"PRAGMA table_xinfo({ident(name)})")}
                    readable = _count(db, name, spec.row_filter)
                    whole = not spec.complete or _count(db, name, spec.complete) > 0
                    number = _row_number(db, name)
                    self._found.append(_Found(spec, name, columns, _count(db, name), readable, number, whole))
            known = {f.source_name for f in self._found}
            self._unknown = [(n, _count(db, n)) for n in names if n not in known and not n.startswith("sqlite_")]
        _check_is_export(self.path, self._found)

    def _load_all(self) -> None:
        create_raw_tables(self.con, None if self.only is None else {f.spec.name for f in self._to_load()})
        stages = {None: 1, "used": 2, "referenced": 3}
        with opened(self.uri) as db:
            for table in sorted(self._to_load(), key=lambda f: stages.get(f.spec.keep, 0)):
                self._load_table(db, table)
                self._read_time_shift(table)

    def _to_load(self) -> list[_Found]:
        """The tables whose rows are read; the time shift is always wanted."""
        readable = [f for f in self._found if not f.spec.is_private]
        return [f for f in readable if self.only is None or f.spec.name in self.only or f.spec.shift]

    @property
    def with_rows(self) -> set[str]:
        """The tables of which the export has rows."""
        return {f.spec.name for f in self._found if f.readable and not f.spec.is_private}

    def _read_time_shift(self, table: _Found) -> None:
        if table.spec.shift:
            self.time_shift_ns = self.con.execute(table.spec.shift).fetchall()[0][0] or 0

    def _load_table(self, db: Any, table: _Found) -> None:
        """Read with the plain columns; if a value does not fit its declared type, read again with guarded ones."""
        try:
            self._copy(db, table, guarded=False)
        except MistypedError:
            self._count_mistyped(table)
            self._copy(db, table, guarded=True)

    def _copy(self, db: Any, table: _Found, guarded: bool) -> None:
        import pyarrow

        there = [(c, name) for c in table.spec.columns if (name := table.source_of(c))]
        columns = [
            (c, name) for c, name in there if self.only is None or c.name in self.only.get(table.spec.name, c.name)
        ] or there
        table.read = 0
        query = select_text(table.source_name, columns, guarded, table.spec.row_filter)
        with rows_of(db, query, self._batch_rows(table, columns)) as reader:
            expected = pyarrow.schema([(c.name, arrow_type(c)) for c, _ in columns])
            if reader.schema.types != expected.types:
                raise MistypedError
            batches = Batches(reader, expected, lambda count: self._advance(table, count))
            self.con.register("batches", pyarrow.RecordBatchReader.from_batches(expected, iter(batches)))
            try:
                table.loaded = self.con.execute(self._insert(table, [c for c, _ in columns])).fetchall()[0][0]
            except duckdb.Error:
                self.rows_done -= table.read
                if batches.is_mistyped:
                    raise MistypedError from None
                raise
            finally:
                self.con.unregister("batches")
        table.invalid_text = batches.invalid_text

    def _batch_rows(self, table: _Found, columns: list[tuple[SourceColumn, str]]) -> int:
        """Rows of a batch: fewer where texts are long, so that a batch stays small."""
        texts = [ident(name) for c, name in columns if c.type in ("VARCHAR", "BLOB")]
        if not texts or not table.row_count:
            return BATCH_ROWS
        with closing(sqlite3.connect(self.uri, uri=True)) as db:
            lengths = " + ".join(f"coalesce(max(length(CAST({t} AS BLOB))), 0)" for t in texts)
            longest = db.execute(f"SELECT {lengths} FROM {ident(table.source_name)}").fetchone()[0]
        return int(max(1, min(BATCH_ROWS, BATCH_BYTES // (longest + 1))))

    def _advance(self, table: _Found, count: int) -> None:
        table.read += count
        self.rows_done += count
        self.progress(table.source_name, self.rows_done, self.rows_total)

    def _insert(self, table: _Found, columns: list[SourceColumn]) -> str:
        values = [f"{REPORT_ID} AS report_id"]
        if table.spec.glob:
            values.append(f"{literal(table.source_name)} AS source")
        for column in columns:
            name = ident(column.name)
            value = column.expression or name
            if column.role == "time" and self.time_shift_ns:
                value = f"{name} - ({self.time_shift_ns})"
            values.append(f"{value} AS {name}")
        select = f"SELECT {', '.join(values)} FROM batches"
        if table.spec.keep == "referenced":
            self._collect_ids("referenced_strings", self._ids("string", "path"))
            self._collect_ids("path_strings", self._ids("path"))
            select += " WHERE id IN (FROM referenced_strings)"
        elif table.spec.keep == "used":
            process = [f"SELECT {_process_of(c)} FROM raw.{t}" for t, c in self._columns("process", "thread")]
            self._collect_ids("used_processes", process)
            key = table.spec.with_role("key")[0]
            select += f" WHERE {_process_of(key)} IN (FROM used_processes)"
        return f"INSERT INTO raw.{table.spec.name} BY NAME {select}"

    def _columns(self, *roles: str) -> list[tuple[str, str]]:
        return list(dict.fromkeys((f.spec.name, c) for f in self._to_load() for c in f.spec.with_role(*roles)))

    def _ids(self, *roles: str) -> list[str]:
        return [f"SELECT {ident(c)} FROM raw.{t}" for t, c in self._columns(*roles)]

    def _collect_ids(self, name: str, selects: list[str]) -> None:
        self.con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS " + " UNION ".join(selects or ["SELECT 0 WHERE FALSE"]))

    def _count_mistyped(self, table: _Found) -> None:
        with closing(sqlite3.connect(self.uri, uri=True)) as db:
            for column in table.spec.columns:
                source = table.source_of(column)
                if source and column.role != "rowid" and column.type in SQLITE_TYPES:
                    allowed = ", ".join(f"'{t}'" for t in (*SQLITE_TYPES[column.type], "null"))
                    query = f"SELECT count(*) FROM {ident(table.source_name)} WHERE typeof({ident(source)}) NOT IN ({allowed})"
                    table.mistyped[column.name] = db.execute(query).fetchone()[0]

    def _record(self) -> None:
        tables: list[tuple[Any, ...]] = [(REPORT_ID, n, n, "not_loaded", rows, 0, 0) for n, rows in self._unknown]
        columns: list[tuple[Any, ...]] = []
        for table in self._found:
            state = "private" if table.spec.is_private else "loaded"
            withheld = table.row_count - table.loaded
            tables.append((REPORT_ID, table.spec.name, table.source_name, state, table.row_count, table.loaded, withheld))
            columns += _column_states(table)
        present = {f.spec.name for f in self._found}
        tables += [(REPORT_ID, s.name, None, "absent", 0, 0, 0) for s in self.specs.values() if s.name not in present]
        self._insert_rows("source_tables", tables)
        self._insert_rows("source_columns", columns)

    def _insert_rows(self, view: str, rows: list[tuple[Any, ...]]) -> None:
        import pyarrow

        arrays = [pyarrow.array(list(column)) for column in zip(*rows, strict=True)]
        self.con.register("rows", pyarrow.table(arrays, [f"c{i}" for i in range(len(arrays))]))
        self.con.execute(f"INSERT INTO nsysql_meta.sources ({SOURCE_VIEWS[view][0]}) FROM rows")
        self.con.unregister("rows")


def _matches(spec: SourceTable, names: list[str]) -> list[str]:
    if spec.glob:
        return fnmatch.filter(names, spec.glob)
    return [n for n in (spec.name, spec.was) if n in names][:1]


def _process_of(column: str) -> str:
    return f"{ident(column)} & (-16777216)::BIGINT"


def _column_states(table: _Found) -> Iterator[tuple[Any, ...]]:
    name, spec = table.spec.name, table.spec
    if spec.is_private:
        return
    sources = set()
    for column in spec.columns:
        source = table.source_of(column)
        sources.add(source)
        state = "present" if source else "absent"
        yield REPORT_ID, name, column.name, state, table.mistyped.get(column.name, 0), table.invalid_text.get(column.name, 0)
    for other in table.columns:
        if other not in sources:
            yield REPORT_ID, name, other, "private" if other in spec.private else "not_loaded", 0, 0


def _row_number(db: sqlite3.Connection, name: str) -> str:
    """SQL for the identity of a row: SQLite's rowid, for a table without one the place of the row."""
    columns = {r[1].lower() for r in db.execute(f"PRAGMA table_xinfo({ident(name)})")}
    alias = next((a for a in ("rowid", "_rowid_", "oid") if a not in columns), "rowid")
    try:
        db.execute(f"SELECT {alias} FROM {ident(name)} LIMIT 0")
    except sqlite3.OperationalError:
        return "row_number() OVER ()"
    return alias


def _count(db: sqlite3.Connection, name: str, condition: str | None = None) -> int:
    where = f" WHERE {condition}" if condition else ""
    return int(db.execute(f"SELECT count(*) FROM {ident(name)}{where}").fetchone()[0])


def _check_header(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if head != b"SQLite format 3\0":
        if any(head.startswith(magic) for magic in _PACKED):
            raise InputError(f"{path}: is compressed; unpack it first.")
        what = "is empty" if not head else "is neither a report nor a SQLite file"
        raise InputError(
            f"{path}: {what}. An export is made by `nsys export --type=sqlite REPORT.nsys-rep`; "
            "`nsysql ingest REPORT.nsys-rep` does it for you."
        )


def _check_is_export(path: Path, found: list[_Found]) -> None:
    owners = [set(f.spec.with_role("process", "thread")) & f.columns.keys() for f in found]
    if not any(owners) and not any(f.spec.is_signature and f.row_count for f in found):
        raise InputError(
            f"{path}: is a SQLite file, but not an Nsight Systems export: it has none of the tables that "
            "`nsys export --type=sqlite` writes. (nvprof and Nsight Compute files are other formats.)"
        )


def _check_counts(path: Path, found: list[_Found]) -> None:
    for table in found:
        if table.read != table.readable:
            raise InputError(
                f"{path}: table {table.source_name} has {table.readable} rows but {table.read} were read; "
                "the file is damaged or still being written. Export the report again."
            )
        if table.spec.keep is None and table.loaded != table.read:
            raise InputError(f"{path}: {table.loaded} of {table.read} rows of {table.source_name} were stored.")
