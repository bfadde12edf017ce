"""NVIDIA's own numbers: what `nsys stats` and `nsys analyze` printed for a file, beside what the views in queries/nsys say."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import nsysql
from nsysql.catalog import load_catalog

ROW_NUMBER = "row_number() OVER (ORDER BY dur_ns DESC, start_ns)"

COLUMNS = {
    v.name: tuple(ROW_NUMBER if name == "#" else name for name, _ in v.printed.headers)
    for v in load_catalog().views.values()
    if v.printed
}
"""The columns of each view that NVIDIA prints, in its order."""

_FILES = {"gpu_gaps": "analyze_gpu_gaps"}
_FROM = {"gpu_gaps": "gpu_gaps(gap_ms := 1)"}
_NOT_KEPT = {
    *(("big", report) for report in ("nvtx_pushpop_sum", "nvtx_pushpop_trace", "nvtx_gpu_proj_trace")),
    ("backpressure", "nvtx_pushpop_sum"),
}
"""Printed reports of the corpus that were too long to keep, and one that was not printed."""


@dataclass(frozen=True)
class Comparison:
    """How many rows NVIDIA has, how many of them the view has too, and the rows that only one of the two has."""

    rows: int
    equal: int
    only_ours: list[tuple[object, ...]]
    only_theirs: list[tuple[object, ...]]

    @property
    def is_equal(self) -> bool:
        """True if both have the same rows."""
        return not self.only_ours and not self.only_theirs

    def __str__(self) -> str:
        more = f" + {len(self.only_ours)}" if self.only_ours else ""
        return f"{self.equal} / {self.rows}{more}"


def csv_path(folder: Path, file: str, report: str) -> Path | None:
    """Where the printed report is; None if it was not printed, which it is not without rows."""
    name = f"{_FILES.get(report, report)}.csv"
    return next((p for p in (folder / file / name, folder / file / "v2023.4.4" / name) if p.is_file()), None)


def compare(db: nsysql.Database, folder: Path, file: str, report: str) -> Comparison | None:
    """Compare the rows of a view for an ingested file with the printed ones, as sets; None if these were not kept.

    A report that is not in the folder had no rows, but nvtx_kern_sum may have been too long, and of a file without NVTX
    events the tool prints nothing where the view has the kernels outside of ranges.

    Text and whole numbers must be equal, averages and deviations within 0.1, numbers in MB to the three decimals printed.
    Ranges of the default domain tell the release: 2025.3 writes a colon before their names.
    """
    path = csv_path(folder, file, report)
    if path is None and (report == "nvtx_kern_sum" or (file, report) in _NOT_KEPT):
        return None
    columns = ", ".join(COLUMNS[report])
    where = f"WHERE report_id = {db.report_ids([file])[0]}"
    printed = _read(path, COLUMNS[report])
    release = "(like_nsys := '2025.3')" if any(_is_of_2025(row, COLUMNS[report]) for row in printed) else ""
    ours = db.sql(f"SELECT {columns} FROM {_FROM.get(report, report)}{release} {where}").fetchall()
    left: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
    for row in ours:
        left.setdefault(_key(row), []).append(row)
    missing = []
    for row in printed:
        candidates = left.get(_key(row), [])
        match = next((c for c in candidates if _is_close(c, row, COLUMNS[report])), None)
        if match is None:
            missing.append(row)
        else:
            candidates.remove(match)
    rest = [row for rows in left.values() for row in rows]
    return Comparison(len(printed), len(printed) - len(missing), rest, missing)


def _read(path: Path | None, columns: tuple[str, ...]) -> list[tuple[object, ...]]:
    if path is None:
        return []
    with path.open(newline="", encoding="utf-8") as file:
        _, *lines = [line for line in csv.reader(file) if line]
    assert all(len(line) == len(columns) for line in lines), f"{path}: not {len(columns)} columns"
    return [tuple(_value(cell) for cell in line) for line in lines]


def _is_of_2025(row: tuple[object, ...], columns: tuple[str, ...]) -> bool:
    return any(column == "range_name" and str(cell).startswith(":") for cell, column in zip(row, columns))


def _value(cell: str) -> object:
    if cell == "":
        return None
    for type_ in (int, float):
        try:
            return type_(cell)
        except ValueError:
            continue
    return cell


def _key(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(value for value in row if not isinstance(value, float))


def _is_close(ours: tuple[object, ...], theirs: tuple[object, ...], columns: tuple[str, ...]) -> bool:
    for a, b, column in zip(ours, theirs, columns):
        if isinstance(a, float) != isinstance(b, float):
            return False
        if isinstance(a, float) and abs(a - b) > (0.0005 if column.endswith("_mb") else 0.1) + 1e-6:
            return False
    return True
