"""interval_holders on rows that can be checked by eye, and against every pair of random ones."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nsysql.connect import SETTINGS

from tests.blueprint import build, check

QUERY = """
WITH held (report_id, track_id, held_id, start_ns, end_ns) AS (VALUES {held}),
    holders (report_id, track_id, holder_id, start_ns, end_ns) AS (VALUES {holders})
SELECT held_id, holder_id FROM interval_holders('held', 'holders') ORDER BY ALL
"""


@pytest.mark.parametrize(
    ("held", "holders", "expect"),
    [
        pytest.param("(1, 1, 'a', 10, 20)", "(1, 1, 'x', 5, 25), (1, 1, 'y', 15, 30)", "a,x", id="both bounds"),
        pytest.param("(1, 1, 'a', 10, 20)", "(1, 1, 'x', 10, 20)", "a,x", id="equal bounds"),
        pytest.param(
            "(1, 1, 'a', 10, 10)",
            "(1, 1, 'x', 0, 10), (1, 1, 'y', 10, 10), (1, 1, 'z', 10, 30)",
            "a,x\na,y\na,z",
            id="a point at the edges",
        ),
        pytest.param("(1, 1, 'a', 10, 20)", "(1, 2, 'x', 0, 30), (2, 1, 'y', 0, 30)", "", id="tracks and reports apart"),
        pytest.param("(1, 1, 'a', -10, -5)", "(1, 1, 'x', -20, 0), (1, 1, 'y', -8, 0)", "a,x", id="negative times"),
        pytest.param("(1, 1, 'a', 5, 6)", "(1, 1, 'x', 0, 4611686018427387904)", "a,x", id="without end"),
    ],
)
def test_cases(held: str, holders: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(held=held, holders=holders), expect=f"held_id,holder_id\n{expect}")


intervals = st.lists(st.tuples(st.integers(-50, 3000), st.integers(0, 2000)), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(intervals, intervals)
def test_equals_every_pair(held: list[tuple[int, int]], holders: list[tuple[int, int]]) -> None:
    rows = [", ".join(f"(1, 1, {i}, {s}, {s + d})" for i, (s, d) in enumerate(side)) for side in (held, holders)]
    query = QUERY.format(held=rows[0], holders=rows[1])
    with duckdb.connect(config=SETTINGS) as con:
        build(con, {}, "report_id\n1", query)
        got = con.sql(query).fetchall()
    pairs = [(i, j) for i, (a, d) in enumerate(held) for j, (b, e) in enumerate(holders) if b <= a and b + e >= a + d]
    assert got == sorted(pairs)
