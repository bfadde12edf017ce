"""NVIDIA's own numbers: what `nsys stats` and `nsys analyze` print for a file, beside what the views in queries/nsys say."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nsysql
from nsysql.catalog import load_catalog
from nsysql.header import Column, Print, View

VIEWS = {v.name: v for v in load_catalog().views.values() if v.printed}
"""The views that say how NVIDIA prints them."""

STORED: dict[str, Mapping[str, Any]] = {"gpu_gaps": {"gap_ms": 1}}
"""Parameters that the stored outputs were printed with."""

SPARSE = {
    *("cuda_api_trace", "cuda_gpu_trace", "cuda_kern_exec_trace", "nvtx_kern_sum"),
    *("um_sum", "um_total_sum", "cuda_api_sync", "cuda_memcpy_async", "cuda_memcpy_sync", "cuda_memset_sync"),
}
"""Reports that are not stored for every file that they have rows for: too long, not printed, or refused by the tool."""

NOT_KEPT = {
    *(("big", report) for report in ("nvtx_pushpop_trace", "nvtx_gpu_proj_trace")),
    *((file, report) for file in ("big", "backpressure") for report in ("cuda_gpu_sum", "nvtx_pushpop_sum")),
    ("pipeline", "gpu_time_util"),
}
"""Reports of the corpus that were too long to store or were not printed; test_live.py prints those of bundled files."""

UNPRINTED = {"mpi_event_sum", "mpi_msg_size_sum", "syscall_sum"}
"""Reports of tools that are not at hand."""

SUFFIXES = {"ns": " (ns)", "bytes": " (MB)", "mb": " (MB)", "bytes_per_s": " (MB/s)", "percent": " (%)"}
"""What NVIDIA's headers say of the units of columns."""

Row = tuple[object, ...]


@dataclass(frozen=True)
class Comparison:
    """How many rows NVIDIA has, how many of them the view has too, and the rows that only one of the two has."""

    rows: int
    equal: int
    only_ours: list[Row]
    only_theirs: list[Row]

    @property
    def is_equal(self) -> bool:
        """True if both have the same rows."""
        return not self.only_ours and not self.only_theirs

    def __str__(self) -> str:
        more = f" + {len(self.only_ours)}" if self.only_ours else ""
        return f"{self.equal} / {self.rows}{more}"


def printed(view: View) -> Print:
    """How NVIDIA prints a view of VIEWS."""
    assert view.printed
    return view.printed


def is_rule(view: View) -> bool:
    """True if `nsys analyze` prints it, and not `nsys stats`."""
    return bool(printed(view).advice)


def csv_path(folder: Path, file: str, report: str) -> Path | None:
    """Where the printed report is; None if it was not printed, which it is not without rows."""
    name = f"analyze_{report}.csv" if is_rule(VIEWS[report]) else f"{report}.csv"
    return next((p for p in (folder / file / name, folder / file / "v2023.4.4" / name) if p.is_file()), None)


def compare(db: nsysql.Database, folder: Path, file: str, report: str) -> Comparison | None:
    """Compare the rows of a view for an ingested file with the stored ones; None if these were not kept."""
    path = csv_path(folder, file, report)
    if path is None and (report in SPARSE | UNPRINTED or (file, report) in NOT_KEPT):
        return None
    view = VIEWS[report]
    limit = None if is_rule(view) else printed(view).rows
    params = STORED.get(report, {}) | ({"like_nsys": "2025.3"} if _is_of_2025(path, view) else {})
    return compare_rows(view, rows_of(db, file, view, params, limit), path)


def _is_of_2025(path: Path | None, view: View) -> bool:
    """True if the names of NVTX ranges are those of 2025.3, which writes a colon before those of the default domain."""
    columns = [column.name for column in _columns(view)]
    place = columns.index("range_name") if "range_name" in columns else None
    return place is not None and any(str(row[place]).startswith(":") for row in rows_in(path, view))


def rows_of(db: nsysql.Database, file: str, view: View, params: Mapping[str, Any], limit: int | None = None) -> list[Row]:
    """The rows of a view for one ingested file: the printed columns, in NVIDIA's order."""
    number = f"row_number() OVER (ORDER BY {view.order})"
    columns = ", ".join(number if name == "#" else name for name, _ in printed(view).headers)
    types = {p.name: p.type for p in view.params}
    given = ", ".join(f"{name} := CAST('{value}' AS {types[name]})" for name, value in params.items())
    source = f"{view.name}({given})" if given else view.name
    query = f"SELECT {columns} FROM {source} WHERE report_id = {db.report_ids([file])[0]}"
    return db.sql(f"{query} ORDER BY {view.order} LIMIT {limit}" if limit else query).fetchall()


def compare_rows(view: View, rows: list[Row], path: Path | None) -> Comparison:
    """Compare rows of a view with a printed report, as sets; a path of None is a report without rows.

    Text and whole numbers must be equal, averages, deviations and percentages within 0.1, numbers in MB to the three decimals
    printed, and the headers must be those that the view tells. nsys 2025 leaves context and stream of a migration empty, as
    the views do, where nsys 2023 writes 0.
    """
    columns = _columns(view)
    theirs = rows_in(path, view)
    left: dict[Row, list[Row]] = {}
    for row in rows:
        scaled = tuple(_ours(value, column) for value, column in zip(row, columns))
        left.setdefault(_key(scaled), []).append(scaled)
    missing = []
    for row in theirs:
        candidates = left.get(_key(row), [])
        match = next((c for c in candidates if _is_close(c, row, columns)), None)
        if match is None:
            missing.append(row)
        else:
            candidates.remove(match)
    rest = [row for candidates in left.values() for row in candidates]
    return Comparison(len(theirs), len(theirs) - len(missing), rest, missing)


def rows_in(path: Path | None, view: View) -> list[Row]:
    """The rows of a printed report; a path of None is a report without rows."""
    if path is None:
        return []
    columns = _columns(view)
    with path.open(newline="", encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line]
    if not lines:
        return []
    headers = [name + SUFFIXES.get(column.unit, "") for (_, name), column in zip(printed(view).headers, columns)]
    assert lines[0] == headers, path
    assert all(len(line) == len(columns) for line in lines), f"{path}: not {len(columns)} columns"
    return [_without_zeros(tuple(_theirs(cell, c) for cell, c in zip(line, columns)), columns) for line in lines[1:]]


def _columns(view: View) -> list[Column]:
    known = {c.name: c for c in view.columns} | {"#": Column("#", "BIGINT", "-", "")}
    return [known[name] for name, _ in printed(view).headers]


def _theirs(cell: str, column: Column) -> object:
    if cell == "":
        return None
    if column.unit == "address":
        return int(cell, 16)
    if column.type == "DOUBLE" or column.unit == "bytes":
        return float(cell)
    return cell if column.type == "VARCHAR" else int(cell)


def _without_zeros(row: Row, columns: list[Column]) -> Row:
    cells = dict(zip((c.name for c in columns), row))
    if "[CUDA memcpy Unified " not in str(cells.get("name")) or "stream_id" not in cells:
        return row
    return tuple((cells | {name: cells[name] or None for name in ("context_id", "stream_id")}).values())


def _ours(value: Any, column: Column) -> object:
    if value is None or value == "":
        return None
    return value / 1e6 if column.unit in ("bytes", "bytes_per_s") else value


def _key(row: Row) -> Row:
    return tuple(value for value in row if not isinstance(value, float))


def _is_close(ours: Row, theirs: Row, columns: list[Column]) -> bool:
    for a, b, column in zip(ours, theirs, columns):
        if isinstance(a, float) != isinstance(b, float):
            return False
        if isinstance(a, float) and isinstance(b, float):
            tolerance = 0.0005 if column.unit in ("bytes", "bytes_per_s", "mb") else 0.1
            if abs(a - b) > tolerance + 1e-6:
                return False
    return True
