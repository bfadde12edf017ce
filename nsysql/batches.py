"""Rows of a SQLite table as Arrow batches of declared types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .sources import SourceColumn
from .sqltext import ident

if TYPE_CHECKING:
    import pyarrow


@contextmanager
def opened(uri: str) -> Iterator[Any]:
    """A connection to a SQLite file that sees it as it was at the first read.

    Not through the driver's dbapi, which imports all data frame libraries that it finds.
    """
    import adbc_driver_manager
    import adbc_driver_sqlite

    with adbc_driver_sqlite.connect(uri) as driver, adbc_driver_manager.AdbcConnection(driver) as db:
        db.set_autocommit(False)
        yield db


@contextmanager
def rows_of(db: Any, query: str, batch_rows: int) -> Iterator[pyarrow.RecordBatchReader]:
    """The rows of a query as Arrow batches. Raises adbc_driver_manager.Error, later OSError, for a file that is damaged."""
    import adbc_driver_manager
    import pyarrow

    with adbc_driver_manager.AdbcStatement(db) as statement:
        statement.set_options(**{"adbc.sqlite.query.batch_rows": batch_rows})
        statement.set_sql_query(query)
        yield pyarrow.RecordBatchReader.from_stream(statement.execute_query()[0])


class MistypedError(Exception):
    """A value does not fit the declared type of its column."""


class Batches:
    """The batches of one table without the row that fixed their types; repairs text and counts what it repaired."""

    def __init__(self, reader: Any, schema: pyarrow.Schema, on_rows: Callable[[int], None]) -> None:
        self.reader, self.schema, self.on_rows = reader, schema, on_rows
        self.is_mistyped = False
        self.row_count = 0
        self.invalid_text: dict[str, int] = {}

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        skip = 1
        while True:
            try:
                batch = self.reader.read_next_batch().slice(skip)
            except StopIteration:
                return
            except (OSError, pyarrow.ArrowInvalid) as error:
                self.is_mistyped = "Type mismatch" in str(error)
                raise
            skip = 0
            self.row_count += batch.num_rows
            self.on_rows(batch.num_rows)
            arrays = [self._valid_text(batch, i) for i in range(batch.num_columns)]
            yield pyarrow.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _valid_text(self, batch: pyarrow.RecordBatch, index: int) -> pyarrow.Array:
        import pyarrow

        array = batch.column(index)
        if not pyarrow.types.is_string(array.type):
            return array
        try:
            array.validate(full=True)
            return array
        except pyarrow.ArrowInvalid:
            raw = array.view(pyarrow.binary()).to_pylist()
        text = [None if v is None else v.decode(errors="replace") for v in raw]
        name = self.schema.names[index]
        repaired = sum(v is not None and t is not None and t.encode() != v for v, t in zip(raw, text))
        self.invalid_text[name] = self.invalid_text.get(name, 0) + repaired
        return pyarrow.array(text, pyarrow.string())


SQLITE_TYPES = {"BIGINT": ("integer",), "DOUBLE": ("real", "integer")}
_FIRST = {"BIGINT": "0", "VARCHAR": "''", "DOUBLE": "0.0", "BLOB": "x''"}


def select_text(table: str, columns: Sequence[tuple[SourceColumn, str]], guarded: bool, row_filter: str | None) -> str:
    """The SELECT for SQLite over (column, its name in the export).

    Its first row only fixes the Arrow types, which the driver infers from the first batch. `guarded` makes every value
    that is not of its column's type NULL.
    """
    first, values = [], []
    for column, name in columns:
        source = name if column.role == "rowid" else ident(name)
        value = source
        if column.type == "BLOB":
            value = f"CAST({source} AS BLOB)"
        elif column.type == "VARCHAR":
            value = f"CAST({source} AS TEXT)" if guarded else source
        elif guarded:
            allowed = ", ".join(f"'{t}'" for t in SQLITE_TYPES[column.type])
            value = f"CASE WHEN typeof({source}) IN ({allowed}) THEN {source} END"
            value = f"CAST({value} AS REAL)" if column.type == "DOUBLE" else value
        if column.expression and column.type == "VARCHAR":
            value = f"CAST({source} AS TEXT)"
        first.append(f"{_FIRST[column.type]} AS {ident(column.name)}")
        values.append(value)
    where = f" WHERE {row_filter}" if row_filter else ""
    return f"SELECT {', '.join(first)} UNION ALL SELECT {', '.join(values)} FROM {ident(table)}{where}"


def arrow_type(column: SourceColumn) -> pyarrow.DataType:
    """Arrow type that the rows of a column are read as."""
    import pyarrow

    types = {
        "BIGINT": pyarrow.int64(),
        "VARCHAR": pyarrow.string(),
        "DOUBLE": pyarrow.float64(),
        "BLOB": pyarrow.binary(),
    }
    return types[column.type]
