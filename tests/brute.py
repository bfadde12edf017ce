"""Slow and obvious loops over the source files: what the views must equal."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

OP_TABLES = {"KERNEL": 0, "MEMCPY": 1, "MEMSET": 2, "GRAPH_TRACE": 3}


def rows_of(export: Path, table: str) -> list[dict[str, Any]]:
    """Every row of a source table with its rowid; none if the export lacks the table."""
    with closing(sqlite3.connect(export)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchall():
            return []
        cursor = db.execute(f"SELECT rowid AS _rowid, * FROM {table}")
        names = [c[0] for c in cursor.description]
        return [dict(zip(names, row)) for row in cursor]


def capture_ns(export: Path) -> int | None:
    """Recorded length of the capture."""
    rows = rows_of(export, "ANALYSIS_DETAILS")
    return rows[0]["duration"] if rows else None


def gpu_of(export: Path) -> dict[tuple[int, int], int | tuple[int, int]]:
    """GPU of each (process, device) that an operation mentions: the recorded one, the only one, the assumed one."""
    listed = {(r["pid"], r["cudaId"]): r["gpuId"] for r in rows_of(export, "TARGET_INFO_CUDA_DEVICE")}
    gpus = {r.get("id", r.get("deviceId")): r.get("cuDevice") for r in rows_of(export, "TARGET_INFO_GPU")}
    found: dict[tuple[int, int], int | tuple[int, int]] = {}
    for table in OP_TABLES:
        for row in rows_of(export, f"CUPTI_ACTIVITY_KIND_{table}"):
            process, device = row["globalPid"], row["deviceId"]
            pid = process >> 24 & 0xFFFFFF
            same_number = [g for g, number in gpus.items() if number == device]
            if (pid, device) in listed:
                found[process, device] = listed[pid, device]
            elif len(gpus) == 1:
                found[process, device] = next(iter(gpus))
            elif same_number:
                found[process, device] = same_number[0]
            else:
                found[process, device] = (process, device)
    return found


def gpu_ops_by_gpu(export: Path) -> dict[Any, list[tuple[int, int]]]:
    """(start, end) of every kernel, copy, memset and graph launch, by GPU."""
    gpu = gpu_of(export)
    ops: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for table in OP_TABLES:
        for row in rows_of(export, f"CUPTI_ACTIVITY_KIND_{table}"):
            ops[gpu[row["globalPid"], row["deviceId"]]].append((row["start"], row["end"]))
    return dict(ops)


def busy_islands(ops: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Union of intervals, one after the other."""
    islands: list[list[int]] = []
    for start, end in sorted(ops):
        if islands and start <= islands[-1][1]:
            islands[-1][1] = max(islands[-1][1], end)
        else:
            islands.append([start, end])
    return [(a, b) for a, b in islands]


def busy_ns(ops: list[tuple[int, int]]) -> int:
    """Time covered by at least one interval."""
    return sum(end - start for start, end in busy_islands(ops))
