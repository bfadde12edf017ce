"""interval_cover on rows that can be checked by eye, and against a loop over every nanosecond of random ones."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nsysql.connect import SETTINGS

from tests.blueprint import build, check

QUERY = """
WITH rows (report_id, track_id, interval_id, start_ns, end_ns) AS (VALUES {rows}),
    covers (report_id, track_id, start_ns, end_ns) AS (VALUES {covers})
SELECT interval_id, covered_ns FROM interval_cover('rows', 'covers') ORDER BY ALL
"""


@pytest.mark.parametrize(
    ("rows", "covers", "expect"),
    [
        pytest.param("(1, 1, 'a', 10, 30)", "(1, 1, 0, 12), (1, 1, 20, 22), (1, 1, 21, 50)", "a,12", id="parts of a union"),
        pytest.param("(1, 1, 'a', 10, 20)", "(1, 1, 0, 10), (1, 1, 20, 30)", "a,0", id="touching"),
        pytest.param("(1, 1, 'a', 10, 20)", "(1, 1, 0, 100), (1, 1, 5, 12)", "a,10", id="one around it"),
        pytest.param("(1, 1, 'a', 10, 10)", "(1, 1, 0, 100)", "a,0", id="zero length"),
        pytest.param("(1, 1, 'a', 20, 10)", "(1, 1, 0, 100)", "a,0", id="end before the start"),
        pytest.param("(1, 1, 'a', 0, 10)", "(1, 1, 8, 2)", "a,0", id="cover that ends before its start"),
        pytest.param("(1, 1, 'a', NULL, 10), (1, 1, 'b', 0, 10)", "(1, 1, 0, 4), (1, 1, 5, NULL)", "b,4", id="no bounds"),
        pytest.param("(1, 1, 'a', 0, 10)", "(1, 2, 0, 10), (2, 1, 0, 10)", "a,0", id="tracks and reports apart"),
        pytest.param("(1, 1, 'a', 0, 10), (1, 1, 'a', 5, 20)", "(1, 1, 4, 8)", "a,7", id="one id"),
        pytest.param("(1, 1, 'a', 0, 10), (1, 2, 'a', 0, 10)", "(1, 2, 0, 3)", "a,0\na,3", id="one id on two tracks"),
        pytest.param("(1, 1, 'a', -9, 5)", "(1, 1, -5, 2), (1, 1, -5, -3)", "a,7", id="negative times"),
    ],
)
def test_cases(rows: str, covers: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(rows=rows, covers=covers), expect=f"interval_id,covered_ns\n{expect}")


intervals = st.lists(st.tuples(st.integers(1, 2), st.integers(-20, 60), st.integers(0, 15)), min_size=1, max_size=12)


@settings(max_examples=80, deadline=None)
@given(intervals, intervals)
def test_equals_every_nanosecond(rows: list[tuple[int, int, int]], covers: list[tuple[int, int, int]]) -> None:
    given_rows = ", ".join(f"(1, {t}, {i}, {s}, {s + d})" for i, (t, s, d) in enumerate(rows))
    given_covers = ", ".join(f"(1, {t}, {s}, {s + d})" for t, s, d in covers)
    query = QUERY.format(rows=given_rows, covers=given_covers)
    with duckdb.connect(config=SETTINGS) as con:
        build(con, {}, "report_id\n1", query)
        got = con.sql(query).fetchall()
    times = {track: {at for t, s, d in covers if t == track for at in range(s, s + d)} for track in (1, 2)}
    assert got == [(i, sum(at in times[t] for at in range(s, s + d))) for i, (t, s, d) in enumerate(rows)]
