"""The rows of a report as SQL for the text of each of their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nsysql.connect import translated
from nsysql.database import Database
from nsysql.header import View
from nsysql.output import line_bytes

from .units import Units, is_number

_KEPT = "nsysql_printed"


@dataclass(frozen=True)
class Rows:
    """Rows of `source`, a query: per column its header, SQL for its text (NULL for none), and whether it is set to the left."""

    database: Database
    source: str
    headers: tuple[str, ...]
    texts: tuple[str, ...]
    are_texts: tuple[bool, ...]

    def lines(self, line: str) -> Iterator[bytes]:
        """The rows in order, each as the text that the SQL expression `line` makes of it, with its end of line."""
        with translated():
            for data, _ in line_bytes(self.database.sql(f"SELECT {line} AS line FROM ({self.source})")):
                yield data

    def kept(self) -> Rows:
        """The same rows, computed once, for those who read them twice; they take the place of those kept before."""
        columns = ", ".join(f"{text} AS c{number}" for number, text in enumerate(self.texts))
        with translated():
            self.database.keep(_KEPT, f"SELECT {columns} FROM ({self.source})")
        names = tuple(f"c{number}" for number in range(len(self.texts)))
        return Rows(self.database, f"FROM temp.{_KEPT}", self.headers, names, self.are_texts)

    def widths(self, first: int) -> list[int]:
        """The longest text of each column in the first rows (0 for all of them), in characters."""
        limit = f" LIMIT {first}" if first else ""
        longest = ", ".join(f"coalesce(max(length({text})), 0)" for text in self.texts)
        with translated():
            return list(self.database.sql(f"SELECT {longest} FROM ({self.source}{limit})").fetchall()[0])

    def are_any(self) -> bool:
        """True if there is a row."""
        with translated():
            return bool(self.database.sql(f"SELECT 1 FROM ({self.source}) LIMIT 1").fetchall())


def rows_of(database: Database, view: View, params: Mapping[str, str], report_id: int, limit: int | None, units: Units) -> Rows:
    """The rows that a view has for a report, in its order, with the columns, headers and units that are printed."""
    assert view.printed is not None
    columns = {column.name: column for column in view.columns}
    printed = [(columns.get(name), header) for name, header in view.printed.headers]
    source = database.query_text(view, params, reports=[report_id], limit=limit)
    if None in (column for column, _ in printed):
        source = f"SELECT *, row_number() OVER () AS row_number FROM ({source})"
    return Rows(
        database,
        source,
        tuple(units.header(header, column) for column, header in printed),
        tuple("CAST(row_number AS VARCHAR)" if column is None else units.text(column) for column, _ in printed),
        tuple(not is_number(column) for column, _ in printed),
    )
