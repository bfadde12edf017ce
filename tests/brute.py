"""Slow and obvious loops over the source files: what the views must equal."""

from __future__ import annotations

import csv
import re
import sqlite3
from collections import defaultdict
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from nsysql.paths import queries_dir

OP_TABLES = {"KERNEL": 0, "MEMCPY": 1, "MEMSET": 2, "GRAPH_TRACE": 3}


def rows_of(export: Path, table: str) -> list[dict[str, Any]]:
    """Every row of a source table with its rowid; none if the export lacks the table."""
    with closing(sqlite3.connect(export)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchall():
            return []
        cursor = db.execute(f"SELECT rowid AS _rowid, * FROM {table}")
        names = [c[0] for c in cursor.description]
        return [dict(zip(names, row)) for row in cursor]


def api_calls(export: Path) -> list[dict[str, Any]]:
    """Every call of the CUDA API with its process; rows of class 67 are backtraces."""
    rows = [r for r in rows_of(export, "CUPTI_ACTIVITY_KIND_RUNTIME") if r["eventClass"] != 67]
    return [r | {"process": r["globalTid"] >> 24 << 24} for r in rows]


def enclosing_calls(calls: list[dict[str, Any]]) -> dict[int, list[int]]:
    """Rowids of the calls around each call, the outermost first; calls of one thread nest or lie apart."""
    around: dict[int, list[int]] = {}
    threads = defaultdict(list)
    for call in calls:
        threads[call["globalTid"]].append(call)
    for own in threads.values():
        own.sort(key=lambda c: (c["start"], c["end"] > c["start"], -c["end"], c["eventClass"] != 0, c["_rowid"]))
        running: list[dict[str, Any]] = []
        for call in own:
            running = [c for c in running if c["end"] > call["start"]]
            around[call["_rowid"]] = [c["_rowid"] for c in running if c["end"] >= call["end"]]
            running.append(call)
    return around


def launching_calls(export: Path) -> dict[tuple[int, int], dict[str, Any]]:
    """The call that counts for each (process, correlation id): the outermost, of those the runtime's, then the first."""
    calls = api_calls(export)
    around = enclosing_calls(calls)
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for call in sorted(calls, key=lambda c: (len(around[c["_rowid"]]), c["eventClass"] != 0, c["start"], c["_rowid"])):
        if call["correlationId"]:
            found.setdefault((call["process"], call["correlationId"]), call)
    return found


def gpu_ops(export: Path) -> list[dict[str, Any]]:
    """Every row of GPU work that counts, with its op_id; a graph launch does not if its nodes have rows."""
    ops = [
        row | {"op_id": row["_rowid"] * 8 + number, "table": table}
        for table, number in OP_TABLES.items()
        for row in rows_of(export, f"CUPTI_ACTIVITY_KIND_{table}")
    ]
    expanded = {(o["globalPid"], o["correlationId"]) for o in ops if o.get("graphNodeId") is not None}
    return [o for o in ops if o["table"] != "GRAPH_TRACE" or (o["globalPid"], o["correlationId"]) not in expanded]


@cache
def rules() -> list[tuple[re.Pattern[str], int, list[str | None]]]:
    """(pattern, line, [family, operation, precision, tensor cores]) of every rule that ships."""
    found = []
    for number, line in enumerate((queries_dir() / "kernel_families.csv").read_text().splitlines(), start=1):
        if number > 1 and not line.startswith("#"):
            ((pattern, *answer),) = csv.reader([line])
            found.append((re.compile(pattern, re.ASCII), number, [cell or None for cell in answer]))
    return found


def family_of(name: str) -> tuple[int | None, list[str | None]]:
    """Line of the first rule that matches a kernel name, and what it says."""
    for pattern, line, answer in rules():
        if pattern.search(name):
            return line, answer
    return None, [None, None, None, "unknown"]


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


def process_islands(export: Path) -> dict[int, list[tuple[int, int]]]:
    """Stretches in which any GPU that a process uses was busy, by process."""
    by_gpu, used = gpu_ops_by_gpu(export), defaultdict(set)
    for (process, _), gpu in gpu_of(export).items():
        used[process].add(gpu)
    return {process: busy_islands([op for gpu in gpus for op in by_gpu.get(gpu, [])]) for process, gpus in used.items()}


def covered_ns(start: int, end: int, stretches: list[tuple[int, int]]) -> int:
    """Time of [start, end] that stretches cover which do not overlap."""
    return sum(max(0, min(end, b) - max(start, a)) for a, b in stretches if a < end and b > start)


def both_ns(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> int:
    """Time in which an interval of each of two sets lasts, by a sweep over all bounds."""
    bounds = [(at, side, change) for side, own in enumerate((a, b)) for op in own for at, change in zip(op, (1, -1))]
    is_open, since, total = [0, 0], 0, 0
    for at, side, change in sorted(bounds):
        if all(is_open):
            total += at - since
        is_open[side] += change
        since = at
    return total


def nvtx_ranges(export: Path) -> list[tuple[Any, ...]]:
    """(id, parent, depth, path, length, is open) of every NVTX range: each compared with each other one of its thread."""
    return nested(nvtx_rows(export))


def nvtx_rows(export: Path) -> dict[int, dict[str, Any]]:
    """Start, end (None: open) and what else nesting needs of every NVTX range, by its id."""
    texts = {r["id"]: r["value"] for r in rows_of(export, "StringIds")}
    events = [r for r in rows_of(export, "NVTX_EVENTS") if r["eventType"] in (59, 60, 70, 71)]
    capture = capture_ns(export)
    writes_stop_time = any(capture is not None and e["end"] is not None and e["end"] >= capture for e in events)
    ranges = {}
    for e in events:
        no_end = e["end"] is None
        is_open = (not writes_stop_time) if no_end else capture is not None and e["end"] >= capture
        end = None if is_open else e["start"] if no_end else max(e["start"], e["end"])
        ranges[e["_rowid"]] = {
            "start": e["start"], "end": end, "thread": e["globalTid"], "family": (e["domainId"] or 0, e["eventType"] in (59, 70)),
            "alone": e["endGlobalTid"] not in (None, e["globalTid"]),
            "name": texts[e["textId"]] if e["textId"] is not None else e["text"],
        }  # fmt: skip
    return ranges


def nested(ranges: dict[int, dict[str, Any]]) -> list[tuple[Any, ...]]:
    """(id, parent, depth, path, length, is open) of each of the ranges."""
    latest = {i: _latest_end(r, ranges) for i, r in ranges.items()}
    parents = {i: _parent(i, ranges, latest) for i in ranges}

    def above(i: int) -> list[int]:
        return [*above(parents[i]), i] if parents[i] is not None else [i]

    return [
        (i, parents[i], len(above(i)) - 1, "/".join(ranges[a]["name"] or "" for a in above(i)),
         None if r["end"] is None else r["end"] - r["start"], r["end"] is None)
        for i, r in sorted(ranges.items())
    ]  # fmt: skip


def _latest_end(r: dict[str, Any], ranges: dict[int, dict[str, Any]]) -> float:
    """The end, or for an open push/pop range that of the closed one of its family around its start."""
    if r["end"] is not None:
        return r["end"]
    around = [
        o["end"] for o in ranges.values()
        if o["end"] is not None and r["family"][1] and o["family"] == r["family"] and o["thread"] == r["thread"]
        and not o["alone"] and o["start"] <= r["start"] < o["end"]
    ]  # fmt: skip
    return min(around, default=float("inf"))


def _parent(i: int, ranges: dict[int, dict[str, Any]], latest: dict[int, float]) -> int | None:
    """The shortest range of the thread whose bounds hold those of range i."""
    r = ranges[i]
    holders = [
        (latest[j] - o["start"], -o["start"], -j)
        for j, o in ranges.items()
        if j != i and not r["alone"] and not o["alone"] and o["thread"] == r["thread"]
        and o["start"] <= r["start"] and latest[j] >= latest[i]
        and ((o["start"], latest[j]) != (r["start"], latest[i]) or j < i)
    ]  # fmt: skip
    return -min(holders)[2] if holders else None
