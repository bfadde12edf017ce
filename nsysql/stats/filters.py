"""--filter-time and --filter-nvtx: the rows that lie in a time, or in that of a range, at least in part; none is cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nsysql.database import Database
from nsysql.errors import UsageError
from nsysql.header import View
from nsysql.sqltext import literal
from nsysql.window import Window

_UNITS = {
    **{"": 1, "ns": 1, "nsec": 1, "us": 10**3, "usec": 10**3, "ms": 10**6, "msec": 10**6, "s": 10**9, "sec": 10**9},
    **{"m": 60 * 10**9, "min": 60 * 10**9, "h": 3600 * 10**9, "hour": 3600 * 10**9},
}
_PART = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([a-z]*)")
_LEAST, _MOST = -(2**63), 2**63 - 1


@dataclass(frozen=True)
class Filter:
    """What is looked at: from `start_ns` to before `end_ns`, of one process or thread if these are given."""

    start_ns: int = _LEAST
    end_ns: int = _MOST
    process_id: int | None = None
    thread_id: int | None = None
    reports: tuple[int, ...] | None = None
    cut_nothing: bool = True

    @property
    def arguments(self) -> tuple[str, ...]:
        """The time as arguments of a report."""
        return (f"start={self.start_ns}", f"end={self.end_ns}")

    @property
    def condition(self) -> str:
        """SQL condition for rows of the reports that are looked at."""
        return "TRUE" if self.reports is None else f"report_id IN ({', '.join(map(str, self.reports))})"

    def are_for(self, view: View) -> bool:
        """True for a relation whose rows have a start and an end."""
        return {"start_ns", "end_ns"} <= {c.name for c in view.columns}

    def cut(self, view: View, body: str) -> str:
        """The rows of `body` that begin, end or go on in the time; a row without an end only if it begins there.

        What was never closed ends where the collector says so.
        """
        columns = {c.name for c in view.columns}
        ends = ", ".join(name for name in ("end_ns", "recorded_end_ns", "start_ns") if name in columns)
        conditions = [self.condition, f"start_ns < {self.end_ns}", f"coalesce({ends}) >= ({self.start_ns})"]
        if self.thread_id is not None and "thread_id" in columns:
            conditions.append(f"thread_id = {self.thread_id}")
        elif self.process_id is not None and "process_id" in columns:
            conditions.append(f"process_id = {self.process_id}")
        return f"SELECT * FROM ({body}\n) WHERE {' AND '.join(conditions)}"


@dataclass(frozen=True)
class Wanted:
    """What a command line, or the arguments of a report, ask to be looked at: a range, and times that go before its own."""

    start: str | None = None
    end: str | None = None
    range: str | None = None

    def having(self, arguments: Sequence[str]) -> tuple[Wanted, list[str]]:
        """With the arguments start=, end= and nvtx= of a report in their places, and the other arguments."""
        named = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
        rest = [a for a in arguments if a.partition("=")[0] not in ("start", "end", "nvtx")]
        return Wanted(named.get("start", self.start), named.get("end", self.end), named.get("nvtx", self.range)), rest

    def found(self, database: Database, report_id: int) -> Filter | None:
        """The filter for a report; None if the range is not there. Raises UsageError for what is no time."""
        if self == Wanted():
            return Filter()
        found = Filter() if self.range is None else of_range(database, report_id, self.range)
        if found is None:
            return None
        start_ns = of_time(f"{self.start}/").start_ns if self.start else found.start_ns
        end_ns = of_time(f"/{self.end}").end_ns if self.end else found.end_ns
        return replace(found, start_ns=start_ns, end_ns=end_ns, reports=(report_id,))

    def arguments(self) -> tuple[str, ...]:
        """The filter as arguments of a report, as they are printed behind its name."""
        if self.range is not None:
            return (f"nvtx={self.range}",)
        return of_time(f"{self.start or ''}/{self.end or ''}").arguments if self.start or self.end else ()


def filtered(database: Database, found: Filter) -> Database:
    """The database as a filter leaves it."""
    if found == Filter():
        return database
    return Window(database, found)


def of_time(text: str) -> Filter:
    """The filter of `[START]/[END]`; raises UsageError for what is no such pair of times."""
    start, slash, end = text.partition("/")
    if not slash or not (start or end):
        raise UsageError(f"--filter-time {text}: START/END is wanted, at least one of them, as 1s/1500ms.")
    found = Filter(_nanoseconds(start) if start else _LEAST, _nanoseconds(end) if end else _MOST)
    if found.start_ns > found.end_ns:
        raise UsageError(f"--filter-time {text}: the start must not be later than the end.")
    return found


def of_range(database: Database, report_id: int, text: str) -> Filter | None:
    """The filter of `NAME[@DOMAIN][/INDEX]`: the time and the thread of that NVTX range; None if there is no such range.

    Of a process's main thread, and of a start/end range, the whole process is looked at.
    """
    rest, slash, index = text.rpartition("/")
    rest, number = (rest, int(index)) if slash and index.isdecimal() else (text, 0)
    readings: list[tuple[str, str | None]] = [(rest, None)]
    if "@" in rest:
        name, _, domain = rest.rpartition("@")
        readings.append((name, domain))
    for name, of_domain in readings:
        is_meant = f"r.name = {literal(name)} AND r.domain " + (f"= {literal(of_domain)}" if of_domain else "IS NULL")
        rows = database.sql(
            "SELECT start_ns, coalesce(end_ns, recorded_end_ns), process_id, thread_id, style = 'push_pop' AND NOT is_main "
            "FROM nvtx_ranges AS r INNER JOIN threads AS t USING (report_id, process_id, thread_id) "
            f"WHERE report_id = {report_id} AND {is_meant} ORDER BY start_ns, range_id LIMIT 1 OFFSET {number}"
        ).fetchall()
        if rows:
            start_ns, end_ns, process_id, thread_id, is_of_thread = rows[0]
            return Filter(start_ns, _MOST if end_ns is None else end_ns, process_id, thread_id if is_of_thread else None)
    return None


def _nanoseconds(text: str) -> int:
    """A time as NVIDIA's tools take it: numbers with units, one behind the other, which add up."""
    parts = _PART.findall(text)
    if "".join(number + unit for number, unit in parts) != text or any(unit not in _UNITS for _, unit in parts):
        raise UsageError(f"--filter-time: {text} is no time; numbers with units are wanted, as 1s2ms or 1500000 (ns).")
    total = 0
    for number, unit in parts:
        is_whole = number.lstrip("+-").isdecimal()
        value = int(number) if is_whole else float(number)
        if abs(value) > _MOST:
            raise UsageError(f"--filter-time: {text} is further away than 290 years.")
        total += int(value * _UNITS[unit])
    return max(_LEAST, min(_MOST, total))
