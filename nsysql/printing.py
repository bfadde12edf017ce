"""Rows to the terminal or a file, everything else to standard error."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from .errors import StorageError, UsageError

if TYPE_CHECKING:
    import duckdb

    from .database import Database
    from .header import View

TABLE_LIMIT = 40
TABLE_MOST = 10_000


def tell(message: str) -> None:
    """Print to standard error, without the control characters that names in a report may hold; if that fails, not."""
    with suppress(OSError, ValueError):
        print("nsysql: " + re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "?", message), file=sys.stderr, flush=True)


def fill_closed_streams() -> None:
    """Let no file that is opened later take the place of a standard stream that is closed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115


def close_quietly() -> NoReturn:
    """End the process: the reader of standard output is gone, as `| head` is after its lines: nothing is wrong."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(0)


def write_text_rows(
    columns: Sequence[str], rows: Sequence[tuple[str | None, ...]], format: str | None, output: Path | None
) -> None:
    """Print rows of text that are of no database."""
    import duckdb

    with duckdb.connect() as con:
        given = ", ".join(f'"{column}" VARCHAR' for column in columns)
        con.execute(f"CREATE TABLE given ({given})")
        if rows:
            texts = [[c and os.fsencode(c).decode("utf-8", "replace") for c in row] for row in rows]
            con.executemany(f"INSERT INTO given VALUES ({', '.join('?' * len(columns))})", texts)
        write(None, con.sql("FROM given"), None, format, output, None)


def write_objects(objects: Sequence[dict[str, object]], format: str, output: Path | None) -> None:
    """Print objects of JSON, as one list or one to a line, or write them to the file `output`."""
    lines = [json.dumps(o, ensure_ascii=False) for o in objects]
    write_text("\n".join(lines) if format == "jsonl" else "[\n" + ",\n".join(lines) + "\n]", output)


def write_text(text: str, output: Path | None) -> None:
    """Print text, or write it to the file `output`."""
    from .output import replaced

    if output is None:
        print(text)
        return
    with replaced(output) as stream:
        stream.write(f"{text}\n".encode())


def write(
    database: Database | None,
    relation: duckdb.DuckDBPyRelation,
    view: View | None,
    format: str | None,
    output: Path | None,
    limit: int | None,
    reports: list[str] | None = None,
) -> None:
    """Print rows, or write them to the file `output`; in a table the first ones, with a word that there are more.

    Raises UsageError for a format that there is not or that a terminal cannot show, StorageError if writing fails.
    """
    from .connect import translated
    from .output import BINARY_FORMATS, replaced, write_rows

    if output is None and sys.stdout is None:
        raise StorageError("standard output is closed; -o FILE writes to a file.")
    on_terminal = output is None and sys.stdout.isatty()
    format = _format(format, output, on_terminal)
    units = {c.name: c.unit for c in view.columns} if view else {}
    metadata = database.metadata(view, reports) if database and format in BINARY_FORMATS else {}
    width = rows = None
    if format == "table":
        width = shutil.get_terminal_size().columns if on_terminal else None
        most = min(TABLE_MOST, TABLE_LIMIT if limit is None and database else limit or TABLE_MOST)
        with translated():
            rows = relation.limit(most + 1).fetchall()
        if len(rows) > most and (limit is None or limit > most):
            more = "--limit N shows more, " if limit is None else ""
            tell(f"the first {most} rows; {more}--format csv all of them.")
        rows = rows[:most]
    if output is None:
        try:
            write_rows(relation, format, sys.stdout.buffer, units=units, metadata=metadata, width=width, rows=rows)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            close_quietly()
        except OSError as error:
            raise StorageError(f"standard output: cannot be written: {error.strerror}") from error
        return
    if database and output.exists() and output.samefile(database.path):
        raise UsageError(f"{output} is the database itself; name another file with -o.")
    with replaced(output) as stream:
        write_rows(relation, format, stream, units=units, metadata=metadata, rows=rows)


def _format(given: str | None, output: Path | None, on_terminal: bool) -> str:
    """The format asked for, else the one that the output file's name tells, else table on a terminal and csv elsewhere."""
    from .output import BINARY_FORMATS, FORMATS, SUFFIXES

    named = SUFFIXES.get(output.suffix.lower()) if output else None
    format = given or named or ("table" if on_terminal else "csv")
    if format not in FORMATS:
        raise UsageError(f"there is no format {format!r}; there are {', '.join(FORMATS)}.")
    if format in BINARY_FORMATS and on_terminal:
        raise UsageError(f"{format} is binary; write it to a file with -o FILE.")
    return format
