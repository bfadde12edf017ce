"""Slow and obvious loops for what filled the gaps of a GPU; over the source rows, and views that have tests of their own."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from nsysql.database import Database

from tests.brute import api_calls as recorded_calls
from tests.brute import enclosing_calls, gpu_ops, launching_calls

Row = dict[str, Any]
NEVER = 1 << 62
LONG_WAIT_NS = 20_000
FIRST_USE_NS = 100_000


def view_rows(db: Database, report_id: int, view: str, columns: str) -> list[Row]:
    """Rows of a view for one report, by column name."""
    names = [c.strip().split(" AS ")[-1] for c in columns.split(", ")]
    rows = db.sql(f"SELECT {columns} FROM {view} WHERE report_id = {report_id} ORDER BY ALL").fetchall()
    return [dict(zip(names, row)) for row in rows]


class Spans:
    """Rows of one thread with a start and an end, and which of them overlap an interval."""

    def __init__(self, rows: list[Row]) -> None:
        """Keep the rows by start, and how far those up to each one reach."""
        self.rows = sorted(rows, key=lambda r: (r["start_ns"], r["end_ns"]))
        self.reach = list(accumulate((r["end_ns"] for r in self.rows), max))

    def within(self, start: int, end: int) -> list[Row]:
        """Rows that have some time in common with the interval."""
        found = []
        for place in range(bisect_right(self.reach, start), len(self.rows)):
            if self.rows[place]["start_ns"] >= end:
                break
            if self.rows[place]["end_ns"] > start:
                found.append(self.rows[place])
        return found


@dataclass
class Recording:
    """What was recorded of each thread, as the rules for gaps need it."""

    calls: dict[int, Spans]
    overheads: dict[int, Spans]
    os_calls: dict[int, Spans]
    call_of: dict[int, Row]
    """The API call of each operation."""
    last_end: dict[int, int]
    """Where the last operation of each call ends."""
    process_of: dict[int, int]
    cuda: dict[int, tuple[int, int]] = field(default_factory=dict)
    """First start and last end of any CUDA call of each process."""
    first_launches: set[int] = field(default_factory=set)


def by_thread(rows: list[Row]) -> dict[int, Spans]:
    """The rows of each thread."""
    threads: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        threads[row["thread_id"]].append(row)
    return defaultdict(lambda: Spans([]), {thread: Spans(own) for thread, own in threads.items()})


def call_of_ops(export: Path) -> dict[int, int]:
    """The API call of each operation that has one."""
    launching = launching_calls(export)
    numbers = {op["op_id"]: (op["globalPid"], op["correlationId"]) for op in gpu_ops(export)}
    return {op: launching[number]["_rowid"] for op, number in numbers.items() if number in launching}


def recording(export: Path, db: Database, report_id: int) -> Recording:
    """Everything that the rules look at."""
    outermost = {number for number, around in enclosing_calls(recorded_calls(export)).items() if not around}
    columns = "call_id, process_id, thread_id, name, start_ns, end_ns, _api_kind(name) AS kind"
    calls = view_rows(db, report_id, "api_calls", columns)
    numbered = {c["call_id"]: c | {"is_outermost": c["call_id"] in outermost} for c in calls}
    call_of = {op: numbered[number] for op, number in call_of_ops(export).items()}
    ops = {op["op_id"]: op for op in gpu_ops(export)}
    last_end: dict[int, int] = {}
    for op, call in call_of.items():
        last_end[call["call_id"]] = max(last_end.get(call["call_id"], -NEVER), ops[op]["end"])
    cuda: dict[int, tuple[int, int]] = {}
    for c in calls:
        first, last = cuda.get(c["process_id"], (c["start_ns"], c["end_ns"]))
        cuda[c["process_id"]] = min(first, c["start_ns"]), max(last, c["end_ns"])
    overheads = view_rows(db, report_id, "overheads", "thread_id, kind, is_profiler_cost, start_ns, end_ns")
    os_calls = view_rows(db, report_id, "osrt_calls", "thread_id, name, is_nested, is_blocking, start_ns, end_ns")
    return Recording(
        calls=by_thread(list(numbered.values())),
        overheads=by_thread(overheads),
        os_calls=by_thread([c for c in os_calls if c["is_blocking"] and not c["is_nested"]]),
        call_of=call_of,
        last_end=last_end,
        process_of={number: op["globalPid"] for number, op in ops.items()},
        cuda=cuda,
        first_launches={r["call_id"] for r in view_rows(db, report_id, "first_launches", "call_id")},
    )


def gaps_of(db: Database, report_id: int) -> list[Row]:
    """Every gap with the operation that is asked who launched it."""
    columns = "gpu_id, gap_id, start_ns, end_ns, position, previous_op_id, next_op_id"
    gaps = view_rows(db, report_id, "gaps", columns)
    return [g | {"op": g["previous_op_id"] if g["position"] == "tail" else g["next_op_id"]} for g in gaps]


def gap_causes_by_loop(export: Path, db: Database, report_id: int) -> dict[tuple[int, int], dict[tuple[str, Any], int]]:
    """(GPU, start of the gap) -> (cause, name) -> time: every stretch of every gap is judged by the rules in their order."""
    known = recording(export, db, report_id)
    found: dict[tuple[int, int], dict[tuple[str, Any], int]] = {}
    for gap in gaps_of(db, report_id):
        call = known.call_of.get(gap["op"])
        if call is None:
            shares = without_call(gap, known.cuda.get(known.process_of[gap["op"]]))
        elif gap["position"] == "between" and call["start_ns"] <= gap["start_ns"]:
            length = gap["end_ns"] - gap["start_ns"]
            shares = {("gpu_dispatch" if length < LONG_WAIT_NS else "dependency", None): length}
        else:
            shares = judged(gap, call, known)
        found[gap["gpu_id"], gap["start_ns"]] = {cause: length for cause, length in shares.items() if length > 0}
    return found


def gap_callers_by_loop(export: Path, db: Database, report_id: int) -> dict[tuple[int, int], tuple[int, int | None]]:
    """(GPU, start of the gap) -> process and thread that launched; without a call the process of the operation."""
    known = recording(export, db, report_id)
    found = {}
    for gap in gaps_of(db, report_id):
        call = known.call_of.get(gap["op"])
        who = (call["process_id"], call["thread_id"]) if call else (known.process_of[gap["op"]], None)
        found[gap["gpu_id"], gap["start_ns"]] = who
    return found


def without_call(gap: Row, cuda: tuple[int, int] | None) -> dict[tuple[str, Any], int]:
    """Causes of a gap whose operation nobody called for; `cuda` is when the process used CUDA."""
    length = gap["end_ns"] - gap["start_ns"]
    cause, known_ns = "unknown", 0
    if cuda and gap["position"] == "tail":
        cause, known_ns = "teardown", gap["end_ns"] - max(gap["start_ns"], cuda[1])
    elif cuda and gap["position"] == "lead_in":
        cause, known_ns = "before_cuda", min(gap["end_ns"], cuda[0]) - gap["start_ns"]
    known_ns = max(0, known_ns)
    return {(cause, None): known_ns, ("unknown", None): length - known_ns}


def judged(gap: Row, call: Row, known: Recording) -> dict[tuple[str, Any], int]:
    """Causes of a gap: every stretch between two edges of anything on the thread belongs to the first rule that holds."""
    start, end, thread = gap["start_ns"], gap["end_ns"], call["thread_id"]
    near = [rows[thread].within(start, end) for rows in (known.calls, known.overheads, known.os_calls)]
    edges = {start, end, call["start_ns"], call["end_ns"], *known.cuda[call["process_id"]]}
    edges |= {edge for rows in near for row in rows for edge in (row["start_ns"], row["end_ns"])}
    inside = sorted(edge for edge in edges if start <= edge <= end)
    shares: dict[tuple[str, Any], int] = defaultdict(int)
    for a, b in zip(inside, inside[1:]):
        calls, overheads, os_calls = ([r for r in rows if r["start_ns"] <= a and r["end_ns"] >= b] for rows in near)
        shares[cause_of((a, b), gap["position"], call, known, calls, overheads, os_calls)] += b - a
    return dict(shares)


def cause_of(
    stretch: tuple[int, int],
    position: str,
    call: Row,
    known: Recording,
    calls: list[Row],
    overheads: list[Row],
    os_calls: list[Row],
) -> tuple[str, Any]:
    """The first rule that holds for a stretch in which these calls and overheads of the launching thread were active."""
    first_cuda, last_cuda = known.cuda[call["process_id"]]
    outer = [c for c in calls if c["is_outermost"]]
    launches = [c for c in outer if c["kind"] == "launch"]
    function = outer[0]["name"] if len(outer) == 1 else None
    is_lead_in = position == "lead_in"
    if any(o["is_profiler_cost"] for o in overheads):
        return "profiler_overhead", None
    if is_lead_in and stretch[1] <= first_cuda:
        return "before_cuda", None
    if position == "tail" and stretch[0] >= last_cuda:
        return "teardown", None
    if any(o["kind"] in ("jit", "module_load", "lazy_function_load") for o in overheads):
        return "module_load", None
    if any(c["kind"] == "module" for c in calls):
        return "module_load", None
    if any(c["end_ns"] - c["start_ns"] >= FIRST_USE_NS and c["call_id"] in known.first_launches for c in launches):
        return "first_use", function
    if any(c["kind"] == "sync" for c in outer):
        return "sync", function
    if any(c["kind"] == "copy" and waited(c, known) for c in outer):
        return "blocking_copy", function
    if any(c["kind"] == "alloc" for c in outer):
        return "cuda_init" if is_lead_in else "alloc", function
    if launches:
        return "launch", function
    if position != "tail" and stretch[0] >= call["start_ns"]:
        return "launch", call["name"]
    if outer:
        return "cuda_init" if is_lead_in else "cuda", function
    if os_calls:
        return "os_call", os_calls[0]["name"] if len(os_calls) == 1 else None
    return "host_code", None


def waited(call: Row, known: Recording) -> bool:
    """A copy returned after its own work was done; one without work, if it does not say that it returns before."""
    if call["call_id"] in known.last_end:
        return bool(known.last_end[call["call_id"]] <= call["end_ns"])
    return not call["name"].endswith("Async")
