"""Rows -> table, csv, json, jsonl, markdown, parquet, arrow. DuckDB serialises the values, this module lays them out."""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .connect import translated
from .errors import QueryError, StorageError
from .sqltext import ident, literal

if TYPE_CHECKING:
    import duckdb
    import pyarrow

FORMATS = ("table", "csv", "json", "jsonl", "markdown", "parquet", "arrow")
BINARY_FORMATS = ("parquet", "arrow")
SUFFIXES = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".txt": "table",
}
"""Format that the suffix of an output file stands for."""
_BATCH_ROWS = 10_000
FLOATS = ("DOUBLE", "FLOAT")


def write_rows(
    relation: duckdb.DuckDBPyRelation,
    format: str,
    stream: IO[bytes],
    *,
    units: Mapping[str, str] | None = None,
    metadata: Mapping[str, str] | None = None,
    width: int | None = None,
    rows: Sequence[tuple[Any, ...]] | None = None,
) -> int:
    """Write every row of `relation` to a binary stream in one of FORMATS; returns the number of rows.

    Text formats are UTF-8 and stream in constant memory (but for table). Only `table` shows human units (12.3 ms, 4.1 GB);
    they come from `units` (column -> unit) or else from the column's name; `rows`, if they have been read, are those that it
    shows. NULL is an empty field in csv and markdown, null in json. NaN and infinities are null in json.
    """
    if format in BINARY_FORMATS:
        return _write_columns(relation, format, stream, metadata or {}, units or {})
    if format == "table":
        from .tables import write_table

        return write_table(relation, stream, units or {}, width, rows)
    writer = {"csv": _csv, "json": _json, "jsonl": _jsonl, "markdown": _markdown}[format]
    count = 0
    for data, row_count in writer(relation):
        stream.write(data)
        count += row_count
    return count


def write_parquet(relation: duckdb.DuckDBPyRelation, path: Path, metadata: Mapping[str, str], units: Mapping[str, str]) -> int:
    """Write every row of `relation` to a Parquet file with `metadata` in its footer; returns the number of rows."""
    with replaced(path) as stream:
        return _write_columns(relation, "parquet", stream, metadata, units)


@contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose bytes take the place of `path` when all are written; raises StorageError, and then leaves `path` be."""
    try:
        if path.exists() and not path.is_file():  # a pipe or a device has no place to take
            with path.open("wb") as stream:
                yield stream
            return
        target = path.resolve()
        part = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with part.open("wb") as stream:
                yield stream
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{path}: cannot be written: {error.strerror}") from error


def line_bytes(relation: duckdb.DuckDBPyRelation) -> Iterator[tuple[bytes, int]]:
    """The texts of a relation of one text column, one behind the other, in batches with the number of each batch's rows.

    No text becomes an object of Python: the bytes are as Arrow has them.
    """
    with translated():
        for batch in _reader(relation, _BATCH_ROWS):
            texts = batch.column(0)
            if not len(texts):
                continue
            _, places, data = texts.buffers()
            code = "<q" if texts.type == "large_string" else "<i"
            size = struct.calcsize(code)
            first, last = (struct.unpack_from(code, places, size * (texts.offset + n))[0] for n in (0, len(texts)))
            yield data[first:last].to_pybytes() if data else b"", len(texts)


def _lines(relation: duckdb.DuckDBPyRelation, fields: list[str], end: str = "chr(10)") -> Iterator[tuple[bytes, int]]:
    """The rows as text: the SQL texts of `fields`, nothing for NULL, and the end of the line."""
    yield from line_bytes(relation.project(f"concat({', '.join([*fields, end])}) AS line"))


def _columns(relation: duckdb.DuckDBPyRelation) -> tuple[duckdb.DuckDBPyRelation, list[str]]:
    """The relation and its columns as they are written in SQL; as c0, c1, ... if names are there twice.

    DuckDB binds the whole query again for every step from relation to relation, which takes long for a view on many.
    """
    if len({name.lower() for name in relation.columns}) == len(relation.columns):
        return relation, [ident(name) for name in relation.columns]
    unique = relation.project("*")
    columns = [f"c{number}" for number in range(len(unique.columns))]
    return unique.project(", ".join(f"{ident(n)} AS {c}" for n, c in zip(unique.columns, columns))), columns


def _reader(relation: duckdb.DuckDBPyRelation, batch_rows: int) -> pyarrow.RecordBatchReader:
    """The rows as Arrow batches, computed while they are read."""
    open_reader = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    return open_reader(batch_rows)


def _csv_field(column: str, type_: str) -> str:
    """SQL for the text of a field, NULL for an empty one."""
    if re.fullmatch(r"[A-Z]*INT(EGER)?|DOUBLE|FLOAT|BOOLEAN|UUID|DATE|TIME(STAMP)?(_S|_MS|_NS)?|DECIMAL\([0-9, ]+\)", type_):
        return column
    return csv_text(f"CAST({column} AS VARCHAR)")


def csv_text(text: str) -> str:
    """SQL for a text as a field, in quotes if it is empty or holds what ends a field."""
    is_special = " OR ".join(f"contains({text}, {mark})" for mark in ("'\"'", "','", "chr(10)", "chr(13)"))
    return f"CASE WHEN {text} = '' OR {is_special} THEN '\"' || replace({text}, '\"', '\"\"') || '\"' ELSE {text} END"


def _csv(relation: duckdb.DuckDBPyRelation) -> Iterator[tuple[bytes, int]]:
    single, columns = _columns(relation)
    yield (",".join(csv_name(n) for n in relation.columns) + "\n").encode(), 0
    yield from _lines(single, _between("','", [_csv_field(c, str(t)) for c, t in zip(columns, relation.types)]))


def _between(mark: str, fields: Iterable[str]) -> list[str]:
    """SQL texts with a mark between each two of them."""
    return [part for field in fields for part in (mark, field)][1:]


def csv_name(name: str) -> str:
    """A name as the field of a CSV header."""
    return '"' + name.replace('"', '""') + '"' if re.search('[",\r\n]', name) else name


def _jsonl(relation: duckdb.DuckDBPyRelation) -> Iterator[tuple[bytes, int]]:
    yield from _lines(*_json_fields(relation))


def _json(relation: duckdb.DuckDBPyRelation) -> Iterator[tuple[bytes, int]]:
    renamed, fields = _json_fields(relation)
    yield b"[", 0
    yield from without_last(_lines(renamed, ["chr(10)", *fields], "','"), b",", b"\n")
    yield b"]\n", 0


def without_last(pieces: Iterable[tuple[bytes, int]], mark: bytes, end: bytes) -> Iterator[tuple[bytes, int]]:
    """The pieces, the mark at the end of the last one replaced by `end`."""
    held: tuple[bytes, int] = (b"", 0)
    for piece in pieces:
        yield held
        held = piece
    yield (held[0].removesuffix(mark) + end, held[1]) if held[0] else held


def _json_fields(relation: duckdb.DuckDBPyRelation) -> tuple[duckdb.DuckDBPyRelation, list[str]]:
    single, columns = _columns(relation)
    types = map(str, relation.types)
    values = (f"CASE WHEN isfinite({c}) THEN {c} END" if t in FLOATS else c for c, t in zip(columns, types))
    pairs = (
        f"{literal(json.dumps(n, ensure_ascii=False) + ':')} || coalesce(CAST(to_json({v}) AS VARCHAR), 'null')"
        for n, v in zip(relation.columns, values)
    )
    return single, ["'{'", *_between("','", pairs), "'}'"]


def _markdown(relation: duckdb.DuckDBPyRelation) -> Iterator[tuple[bytes, int]]:
    single, columns = _columns(relation)
    yield ("| " + " | ".join(n.replace("|", "\\|") for n in relation.columns) + " |\n").encode(), 0
    yield ("|" + "|".join(" ---: " if is_number(str(t)) else " --- " for t in relation.types) + "|\n").encode(), 0
    cells = (
        f"regexp_replace(replace(coalesce(CAST({c} AS VARCHAR), ''), '|', '\\|'), '[\\x00-\\x1f\\x7f]+', ' ', 'g')"
        for c in columns
    )
    yield from _lines(single, ["'| '", *_between("' | '", cells), "' |'"])


def _write_columns(
    relation: duckdb.DuckDBPyRelation,
    format: str,
    stream: IO[bytes],
    metadata: Mapping[str, str],
    units: Mapping[str, str],
) -> int:
    """Write every row as a Parquet file or an Arrow IPC stream."""
    import pyarrow
    import pyarrow.parquet

    with translated():
        reader = _reader(_typed(relation), 100_000)
        schema = _with_metadata(reader.schema, metadata, units)
        count = 0
        try:
            if format == "parquet":
                writer = pyarrow.parquet.ParquetWriter(stream, schema, compression="zstd")
            else:
                writer = pyarrow.ipc.new_stream(stream, schema)
        except pyarrow.ArrowException as error:
            types = ", ".join(f"{n} {t}" for n, t in zip(relation.columns, relation.types))
            raise QueryError(f"{format} has no type for one of the columns; cast it: {types}") from error
        with writer:
            for batch in reader:
                writer.write_batch(batch.cast(schema))
                count += batch.num_rows
    return count


def _typed(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """The relation with unique names and HUGEINT, which sum() of integers gives, as DECIMAL(38, 0), which Arrow has."""
    relation = relation.project("*")
    names, types = relation.columns, [str(t) for t in relation.types]
    return relation.project(
        ", ".join(
            f"CAST({ident(n)} AS DECIMAL(38, 0)) AS {ident(n)}" if t == "HUGEINT" else ident(n) for n, t in zip(names, types)
        )
    )


def _with_metadata(schema: pyarrow.Schema, metadata: Mapping[str, str], units: Mapping[str, str]) -> pyarrow.Schema:
    import pyarrow

    fields = [f.with_metadata({"unit": units[f.name]}) if f.name in units else f for f in schema]
    return pyarrow.schema(fields, metadata=dict(metadata))


def is_number(type_: str) -> bool:
    """True for a DuckDB type that is set to the right in a table."""
    return type_ in FLOATS or type_.endswith("INT") or type_ == "INTEGER" or type_.startswith("DECIMAL")
