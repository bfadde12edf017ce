"""Make a large export by repeating a real one in time.

Every copy is shifted past the end of the one before. Correlation ids are shifted too, so that an API call still matches
its own GPU work and no other. Event tables are repeated; everything else is copied once.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

EVENT_TABLES = (
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "NVTX_EVENTS",
    "OSRT_API",
)
GAP_NS = 1000


def tile(source: Path, target: Path, copies: int) -> None:
    """Write to `target` the export `source` repeated `copies` times in time; one copy is the source unchanged.

    `target` is replaced if it is there. Raises ValueError for less than one copy or an export without events,
    sqlite3.Error for a file that is no export.
    """
    if copies < 1:
        raise ValueError(f"{copies} copies: at least one is wanted")
    shutil.copyfile(source, target)
    with closing(sqlite3.connect(target)) as db:
        # A target that was not finished is thrown away, so it needs no journal.
        db.executescript("PRAGMA journal_mode = off; PRAGMA synchronous = off")
        db.execute("ATTACH ? AS once", [str(source)])
        tables = _event_tables(db)
        if not tables:
            raise ValueError(f"{source}: there is no event table to repeat")
        step_ns = _end_ns(db, tables) + GAP_NS
        id_step = _last(db, tables, "correlationId") + 1
        for table, columns in tables.items():
            for copy in range(1, copies):
                values = ", ".join(_shifted(c, copy * step_ns, copy * id_step) for c in columns)
                db.execute(f"INSERT INTO main.{table} SELECT {values} FROM once.{table}")
        _lengthen_capture(db, (copies - 1) * step_ns)
        db.commit()


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA once.table_info({table})")]


def _event_tables(db: sqlite3.Connection) -> dict[str, list[str]]:
    """The event tables that the export has, with their columns."""
    columns = {table: _columns(db, table) for table in EVENT_TABLES}
    return {table: names for table, names in columns.items() if names}


def _last(db: sqlite3.Connection, tables: dict[str, list[str]], *names: str) -> int:
    """The largest value of the columns `names` in any of `tables`, 0 if there is none."""
    pairs = [(table, c) for table, columns in tables.items() for c in columns if c in names]
    values = (db.execute(f'SELECT coalesce(max("{c}"), 0) FROM once.{table}').fetchone()[0] for table, c in pairs)
    return max(values, default=0)


def _end_ns(db: sqlite3.Connection, tables: dict[str, list[str]]) -> int:
    """End of the capture or of the last event, whichever is later; a mark has only a start."""
    details = {"ANALYSIS_DETAILS": _columns(db, "ANALYSIS_DETAILS")}
    return max(_last(db, tables, "start", "end"), _last(db, details, "duration"))


def _shifted(column: str, shift_ns: int, id_shift: int) -> str:
    if column in ("start", "end"):
        return f'"{column}" + {shift_ns}'
    if column == "correlationId":
        # 0 stands for no correlation and stays so.
        return f'CASE WHEN "{column}" > 0 THEN "{column}" + {id_shift} ELSE "{column}" END'
    return f'"{column}"'


def _lengthen_capture(db: sqlite3.Connection, added_ns: int) -> None:
    """Add to ANALYSIS_DETAILS.duration, and to stopTime beside it, so that the capture still spans every event."""
    for column in ("duration", "stopTime"):
        if column in _columns(db, "ANALYSIS_DETAILS"):
            db.execute(f"UPDATE main.ANALYSIS_DETAILS SET {column} = {column} + {added_ns}")


def main() -> None:
    """Command line: `python bench/tile.py SOURCE.sqlite TARGET.sqlite COPIES`."""
    parser = argparse.ArgumentParser(description="Make a large export by repeating a real one in time.")
    parser.add_argument("source", type=Path, help="a SQLite export")
    parser.add_argument("target", type=Path, help="the export to write")
    parser.add_argument("copies", type=int, help="how often the source stands in it")
    options = parser.parse_args()
    tile(options.source, options.target, options.copies)


if __name__ == "__main__":
    main()
