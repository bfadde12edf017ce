"""interval_overlaps on rows that can be checked by eye, and against every pair of random ones."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nsysql.connect import SETTINGS

from tests.blueprint import build, check

QUERY = """
WITH a (track_id, number, start_ns, end_ns) AS (VALUES {a}),
    b (track_id, number, start_ns, end_ns) AS (VALUES {b})
SELECT track_id, number_a, number_b, start_ns, end_ns FROM interval_overlaps('a', 'b') ORDER BY ALL
"""


@pytest.mark.parametrize(
    ("a", "b", "expect"),
    [
        pytest.param("(1, 1, 0, 10)", "(1, 7, 5, 20)", "1,1,7,5,10", id="part"),
        pytest.param("(1, 1, 0, 10)", "(1, 7, 10, 20)", "", id="touching"),
        pytest.param("(1, 1, 0, 10), (1, 2, 10, 20)", "(1, 7, 5, 15)", "1,1,7,5,10\n1,2,7,10,15", id="touching on a side"),
        pytest.param("(1, 1, 0, 30)", "(1, 7, 5, 6), (1, 8, 9, 12)", "1,1,7,5,6\n1,1,8,9,12", id="a long one meets many"),
        pytest.param("(1, 1, 0, 10)", "(1, 1, 0, 10)", "1,1,1,0,10", id="equal"),
        pytest.param("(1, 1, 0, 10)", "(2, 7, 0, 10)", "", id="tracks apart"),
        pytest.param("(1, 1, 0, 10)", "(1, 7, 5, 5)", "", id="no length"),
        pytest.param("(1, 1, -9, -2)", "(1, 7, -5, 0)", "1,1,7,-5,-2", id="negative times"),
    ],
)
def test_cases(a: str, b: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(a=a, b=b), expect=f"track_id,number_a,number_b,start_ns,end_ns\n{expect}")


Steps = list[tuple[int, int]]
steps = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 6)), min_size=1, max_size=8)


def laid_out(given_steps: Steps) -> list[tuple[int, int, int]]:
    """Intervals (number, start, end) that lie apart or touch."""
    found, at = [], 0
    for number, (pause, length) in enumerate(given_steps, 1):
        found.append((number, at + pause, at + pause + length))
        at += pause + length
    return found


@settings(max_examples=40, deadline=None)
@given(steps, steps)
def test_equals_every_pair(first: Steps, second: Steps) -> None:
    a, b = laid_out(first), laid_out(second)
    values = [", ".join(f"(1, {n}, {s}, {e})" for n, s, e in side) for side in (a, b)]
    query = QUERY.format(a=values[0], b=values[1])
    with duckdb.connect(config=SETTINGS) as con:
        build(con, {}, "report_id\n1", query)
        got = [row[1:] for row in con.sql(query).fetchall()]
    assert sorted(got) == sorted((n, m, max(s, t), min(e, f)) for n, s, e in a for m, t, f in b if max(s, t) < min(e, f))
