"""Parents of ranges and the ranges around calls, on random ones with many equal times, against every pair of them."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st
from nsysql.connect import SETTINGS

from tests.blueprint import build

PUSH, START = 59, 60
THREAD = 7


@dataclass(frozen=True)
class Range:
    """A range on THREAD; `number` is its rowid."""

    number: int
    kind: int
    domain: int
    start: int
    end: int

    def holds(self, other: Range) -> bool:
        """Both bounds of the other lie in this one; of equal ones the earlier recorded holds the later."""
        is_wider = self.start < other.start or self.end > other.end
        return self.start <= other.start and other.end <= self.end and (is_wider or self.number < other.number)

    def is_around(self, call: tuple[int, int]) -> bool:
        """Both bounds of the call lie in this one."""
        return self.start <= call[0] and call[1] <= self.end


def shortest(ranges: list[Range]) -> int | None:
    """Number of the shortest; of equal ones that which started last, then that which was recorded last."""
    return min(ranges, key=lambda r: (r.end - r.start, -r.start, -r.number)).number if ranges else None


@st.composite
def recordings(draw: st.DrawFn) -> tuple[list[Range], list[tuple[int, int]]]:
    """Ranges, pushed and popped in three domains at times that often repeat or started and ended anyhow; and calls."""
    found = []
    for domain in range(3):
        clock, stack = 0, []
        for step in draw(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), max_size=12)):
            clock += step[1]
            if step[0]:
                stack.append(clock)
            elif stack:
                found.append((PUSH, domain, stack.pop(), clock))
        found += [(PUSH, domain, start, clock + 1) for start in stack]
    spans = st.tuples(st.integers(0, 10), st.integers(0, 5))
    found += [(START, 0, start, start + length) for start, length in draw(st.lists(spans, max_size=3))]
    ranges = [Range(number, *values) for number, values in enumerate(draw(st.permutations(found)))]
    return ranges, [(start, start + length) for start, length in draw(st.lists(spans, max_size=8))]


@settings(max_examples=60, deadline=None)
@given(recordings())
def test_equals_every_pair(recording: tuple[list[Range], list[tuple[int, int]]]) -> None:
    ranges, calls = recording
    events = [f"1,{r.number},{THREAD},{r.kind},{r.domain},{r.start},{r.end}" for r in ranges]
    api = [f"1,{n},{THREAD},0,{n + 1},{start},{end}" for n, (start, end) in enumerate(calls)]
    kernels = [f"1,0,{n + 1}" for n in range(len(calls))]
    rows = {
        "raw.NVTX_EVENTS": "\n".join(["report_id,_rowid,globalTid,eventType,domainId,start,end", *events]),
        "raw.CUPTI_ACTIVITY_KIND_RUNTIME": "\n".join(["report_id,_rowid,globalTid,eventClass,correlationId,start,end", *api]),
        "raw.CUPTI_ACTIVITY_KIND_KERNEL": "\n".join(["report_id,globalPid,correlationId", *kernels]),
    }
    with duckdb.connect(config=SETTINGS) as con:
        build(con, rows, "report_id\n1", "FROM _call_ranges")
        nesting = con.sql(
            "SELECT range_id, coalesce(other_parent_id, family_parent_id) AS parent_id, family_parent_id FROM _nvtx_nesting"
        ).fetchall()
        around = con.sql("SELECT call_id, range_id, is_innermost FROM _call_ranges").fetchall()

    by_number = {r.number: r for r in ranges}
    assert {n: parent for n, parent, _ in nesting} == {r.number: shortest([c for c in ranges if c.holds(r)]) for r in ranges}

    family_parents = {n: parent for n, _, parent in nesting}
    for number, call in enumerate(calls):
        listed = [r for c, r, _ in around if c == number]
        named = set(listed)
        for name in listed:
            while (name := family_parents[name]) is not None and by_number[name].is_around(call):
                named.add(name)
        holders = [r for r in ranges if r.is_around(call) and not (r.kind == PUSH and r.start == r.end)]
        assert named - {r.number for r in ranges if r.start == r.end} == {r.number for r in holders if r.start < r.end}
        if holders:
            assert [r for c, r, innermost in around if c == number and innermost] == [shortest(holders)]
