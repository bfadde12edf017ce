"""Slow and obvious loops for which NVTX range GPU work and gaps belong to."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nsysql.database import Database

from tests.brute import api_calls, busy_ns, gpu_of, gpu_ops
from tests.brute_attribution import NEVER, Row, call_of_ops, gaps_of, view_rows


def ranges_of(db: Database, report_id: int) -> dict[int, Row]:
    """Every NVTX range that its own thread closed or that is open, with the latest end that it can have."""
    columns = "range_id, process_id, thread_id, style, domain_id, domain, name, path, depth, is_library, is_crossing_threads, start_ns, end_ns, dur_ns"
    ranges = [r for r in view_rows(db, report_id, "nvtx_ranges", columns) if not r["is_crossing_threads"]]
    closed: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for r in ranges:
        if r["end_ns"] is not None and r["style"] == "push_pop":
            closed[r["thread_id"], r["domain_id"], r["style"]].append(r)
    for r in ranges:
        r["latest_end"] = r["end_ns"]
        if r["end_ns"] is None:
            family = closed[r["thread_id"], r["domain_id"], r["style"]]
            r["latest_end"] = min((o["end_ns"] for o in family if o["start_ns"] <= r["start_ns"] < o["end_ns"]), default=NEVER)
    return {r["range_id"]: r for r in ranges}


def folded(text: str | None) -> str | None:
    """A name or path with each number as a star that follows a separator or ends a name."""
    parts = re.split("([0-9]+)", text) if text is not None else []
    for place in range(1, len(parts), 2):
        before, after = "".join(parts[:place])[-1:], "".join(parts[place + 1 :])[:1]
        if (before and before in " _.:#=[(/-") or after in ("", "/"):
            parts[place] = "*"
    return None if text is None else "".join(parts)


def innermost(ranges: list[Row]) -> int | None:
    """The shortest range; of equal ones that which started last, then that which was recorded last."""
    shortest = min(ranges, key=lambda r: (r["latest_end"] - r["start_ns"], -r["start_ns"], -r["range_id"]), default=None)
    return shortest["range_id"] if shortest else None


def open_at(ranges: list[Row], at: int) -> list[Row]:
    """Ranges that are open at a time."""
    return [r for r in ranges if r["start_ns"] <= at < r["latest_end"]]


def innermost_since(ranges: list[Row], at: int) -> tuple[int, Any]:
    """Since when the innermost range of a thread has been that one, and the range."""
    number = innermost(open_at(ranges, at))
    since = at
    for edge in sorted({e for r in ranges for e in (r["start_ns"], r["latest_end"]) if e <= at}, reverse=True):
        if innermost(open_at(ranges, edge)) != number:
            break
        since = edge
    return since, number


@dataclass
class Owner:
    """What an operation belongs to."""

    call: Row | None
    around: list[int]
    """Ranges around the call on its thread."""
    elsewhere: int | None
    """Innermost application range of another thread that it belongs to, as its own thread opens none."""
    is_ambiguous: bool
    range_id: int | None
    via: str | None
    application_range_id: int | None
    application_via: str | None

    @property
    def reason(self) -> str | None:
        """Why there is no range."""
        return None if self.range_id is not None else "no_call" if self.call is None else "outside"


def owners_by_loop(export: Path, db: Database, report_id: int) -> dict[int, Owner]:
    """The ranges of each operation; for each call each range of its process is looked at."""
    ranges = ranges_of(db, report_id)
    numbered = {c["_rowid"]: c for c in api_calls(export)}
    call_of = call_of_ops(export)
    own_ranges: dict[int, list[Row]] = defaultdict(list)
    for r in ranges.values():
        own_ranges[r["thread_id"]].append(r)
    application = {t: own for t, rows in own_ranges.items() if (own := [r for r in rows if not r["is_library"]])}
    of_call: dict[int, Owner] = {}
    for number in set(call_of.values()):
        of_call[number] = owner_of(numbered[number], own_ranges[numbered[number]["globalTid"]], application)
    nobody = Owner(None, [], None, False, None, None, None, None)
    return {op["op_id"]: of_call[call_of[op["op_id"]]] if op["op_id"] in call_of else nobody for op in gpu_ops(export)}


def owner_of(call: Row, own: list[Row], application: dict[int, list[Row]]) -> Owner:
    """The ranges of what a call launched; `application` are the application ranges of each thread."""
    end = max(call["start"], call["end"])
    around = [r for r in own if r["start_ns"] <= call["start"] and r["latest_end"] >= end]
    around = [r for r in around if r["style"] == "start_end" or r["start_ns"] < r["latest_end"]]
    thread, process = call["globalTid"], call["process"]
    candidates = []
    if thread not in application:
        for rows in application.values():
            if rows[0]["process_id"] == process and open_at(rows, call["start"]):
                candidates.append(innermost_since(rows, call["start"]))
    elsewhere = max(candidates)[1] if candidates else None
    by_thread, by_application = innermost(around), innermost([r for r in around if not r["is_library"]])
    return Owner(
        call,
        [r["range_id"] for r in around],
        elsewhere,
        len(candidates) > 1,
        elsewhere if by_thread is None else by_thread,
        "thread" if by_thread is not None else "process" if elsewhere is not None else None,
        elsewhere if by_application is None else by_application,
        "thread" if by_application is not None else "process" if elsewhere is not None else None,
    )


def gap_ranges_by_loop(export: Path, db: Database, report_id: int) -> dict[int, tuple[int | None, int | None]]:
    """Gap -> application range with its largest share, range that the operation which ended it belongs to."""
    owners = owners_by_loop(export, db, report_id)
    application: dict[int, list[Row]] = defaultdict(list)
    for r in ranges_of(db, report_id).values():
        if not r["is_library"]:
            application[r["thread_id"]].append(r)
    found = {}
    for gap in gaps_of(db, report_id):
        owner = owners[gap["op"]]
        thread = owner.call["globalTid"] if owner.call else None
        others = [t for t, rows in application.items() if owner.call and rows[0]["process_id"] == owner.call["process"]]
        if thread not in application:
            thread = others[0] if len(others) == 1 else None
        shares = range_shares(gap["start_ns"], gap["end_ns"], application[thread] if thread else [])
        longest = max(shares, key=lambda number: (shares[number], -number), default=None)
        found[gap["gap_id"]] = longest, None if gap["position"] == "tail" else owner.range_id
    return found


def range_shares(start: int, end: int, ranges: list[Row]) -> dict[int, int]:
    """How long each range was the innermost one within an interval."""
    near = [r for r in ranges if r["start_ns"] < end and r["latest_end"] > start]
    edges = sorted({start, end, *(e for r in near for e in (r["start_ns"], r["latest_end"]) if start < e < end)})
    shares: dict[int, int] = defaultdict(int)
    for a, b in zip(edges, edges[1:]):
        number = innermost(open_at(near, a))
        if number is not None:
            shares[number] += b - a
    return dict(shares)


COUNTED = {"KERNEL": "kernel", "MEMCPY": "memcpy", "MEMSET": "memset", "GRAPH_TRACE": "graph_launch"}


def numbered_gpus(export: Path, db: Database, report_id: int) -> dict[tuple[int, int], Any]:
    """GPU of each (process, device); one that nothing tells has the number that the database gave it."""
    query = f"SELECT process_id, device_id, gpu_id FROM process_gpus WHERE report_id = {report_id}"
    given = {(process, device): gpu for process, device, gpu in db.sql(query).fetchall()}
    return {key: given[key] if isinstance(gpu, tuple) else gpu for key, gpu in gpu_of(export).items()}


def projections_by_loop(export: Path, db: Database, report_id: int, across_threads: bool = False) -> dict[tuple[int, Any], Row]:
    """(range, GPU) -> its work: each operation is added to each range that it counts for."""
    ranges, gpu = ranges_of(db, report_id), numbered_gpus(export, db, report_id)
    owners = owners_by_loop(export, db, report_id)
    work: dict[tuple[int, Any], dict[str, list[Row]]] = defaultdict(lambda: {"thread": [], "process": []})
    application = [r for r in ranges.values() if not r["is_library"]]
    for op in gpu_ops(export):
        owner = owners[op["op_id"]]
        if owner.call is None:
            continue
        op["owner"], op["gpu"] = owner, gpu[op["globalPid"], op["deviceId"]]
        for number in owner.around:
            work[number, op["gpu"]]["thread"].append(op)
        if across_threads:
            others = [
                r for r in application if r["process_id"] == owner.call["process"] and r["thread_id"] != owner.call["globalTid"]
            ]
        elif owner.application_via == "process":
            others = [r for r in application if r["thread_id"] == ranges[owner.elsewhere or 0]["thread_id"]]
        else:
            others = []
        for r in open_at(others, owner.call["start"]):
            work[r["range_id"], op["gpu"]]["process"].append(op)
    return {key: projection(ranges[key[0]], own["thread"], own["process"]) for key, own in work.items()}


def projection(r: Row, by_thread: list[Row], by_process: list[Row]) -> Row:
    """What the operations of a range on one GPU add up to."""
    ops = by_thread + by_process
    bounds = [(op["start"], op["end"]) for op in ops]
    first, last = min(start for start, _ in bounds), max(end for _, end in bounds)
    own = [op for op in ops if op["owner"].range_id == r["range_id"]]
    kinds = {kind: [op for op in ops if op["table"] == table] for table, kind in COUNTED.items()}
    return {
        **{key: r[key] for key in ("process_id", "thread_id", "domain", "name", "depth", "is_library")},
        "nvtx_path": r["path"],
        "via": "both" if by_thread and by_process else "thread" if by_thread else "process",
        "op_count": len(ops),
        **{f"{kind}_count": len(own) for kind, own in kinds.items()},
        "thread_op_count": len(by_thread),
        "process_op_count": len(by_process),
        "ambiguous_op_count": sum(op["owner"].is_ambiguous for op in by_process),
        "first_start_ns": first,
        "last_end_ns": last,
        "span_ns": last - first,
        "busy_ns": busy_ns(bounds),
        "op_dur_ns": sum(end - start for start, end in bounds),
        **{f"{kind}_ns": sum(op["end"] - op["start"] for op in kinds[kind]) for kind in ("kernel", "memcpy", "memset")},
        "exclusive_op_count": len(own),
        "exclusive_busy_ns": busy_ns([(op["start"], op["end"]) for op in own]),
        "cpu_ns": r["dur_ns"],
    }
