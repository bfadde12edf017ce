"""innermost_intervals on rows that can be checked by eye, and against every point of random trees."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nsysql.connect import SETTINGS

from tests.blueprint import build, check

QUERY = """
WITH nested (track_id, interval_id, start_ns, end_ns, parent_id, is_twin) AS (VALUES {nested})
SELECT track_id, start_ns, end_ns, interval_id FROM innermost_intervals('nested') ORDER BY ALL
"""


@pytest.mark.parametrize(
    ("nested", "expect"),
    [
        pytest.param("(1, 1, 10, 20, NULL, FALSE)", "1,10,20,1", id="one"),
        pytest.param(
            "(1, 1, 0, 100, NULL, FALSE), (1, 2, 20, 50, 1, FALSE)", "1,0,20,1\n1,20,50,2\n1,50,100,1", id="one in another"
        ),
        pytest.param("(1, 1, 0, 10, NULL, FALSE), (1, 2, 10, 20, NULL, FALSE)", "1,0,10,1\n1,10,20,2", id="touching"),
        pytest.param("(1, 1, 0, 10, NULL, FALSE), (1, 2, 15, 20, NULL, FALSE)", "1,0,10,1\n1,15,20,2", id="none between"),
        pytest.param("(1, 1, 0, 9, NULL, FALSE), (1, 2, 0, 4, 1, FALSE)", "1,0,4,2\n1,4,9,1", id="the same start"),
        pytest.param("(1, 1, 0, 9, NULL, FALSE), (1, 2, 5, 9, 1, FALSE)", "1,0,5,1\n1,5,9,2", id="the same end"),
        pytest.param(
            "(1, 1, 0, 9, NULL, FALSE), (1, 2, 3, 6, 1, FALSE), (1, 3, 3, 6, 2, TRUE)",
            "1,0,3,1\n1,3,6,3\n1,6,9,1",
            id="equal bounds",
        ),
        pytest.param("(1, 1, 0, 9, NULL, FALSE), (2, 1, 5, 7, NULL, FALSE)", "1,0,9,1\n2,5,7,1", id="tracks apart"),
        pytest.param("(1, 1, -9, 4611686018427387904, NULL, FALSE)", "1,-9,4611686018427387904,1", id="without end"),
    ],
)
def test_cases(nested: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(nested=nested), expect=f"track_id,start_ns,end_ns,interval_id\n{expect}")


Nested = tuple[int, int, int, int | None]


def _nest(cuts: list[int], first: int, parent: int | None, start: int, end: int) -> list[Nested]:
    """Intervals in [start, end]: one that leaves a bit free on each side, as `cuts` say, then others inside it."""
    if not cuts or end - start < 1:
        return []
    left, right = start + cuts[0] % 3, end - cuts[0] // 3 % 3
    if right <= left:
        return []
    middle = (left + right) // 2
    half = len(cuts) // 2 + 1
    inside = _nest(cuts[1:half], first + 1, first, left, middle)
    return [(first, left, right, parent), *inside, *_nest(cuts[half:], first + 1 + len(inside), first, middle, right)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 8), min_size=1, max_size=12))
def test_equals_every_point(cuts: list[int]) -> None:
    nested = _nest(cuts, 1, None, 0, 40)
    bounds = {i: (s, e) for i, s, e, _ in nested}
    rows = [(1, i, s, e, p or "NULL", p is not None and bounds[p] == (s, e)) for i, s, e, p in nested]
    with duckdb.connect(config=SETTINGS) as con:
        query = QUERY.format(nested=", ".join(f"({', '.join(map(str, row))})" for row in rows))
        build(con, {}, "report_id\n1", query)
        spans = con.sql(query).fetchall()
    got = {t: i for _, s, e, i in spans for t in range(s, e)}
    # Later numbers lie deeper, so of the intervals around a point the last one is the innermost.
    assert got == {t: max(around) for t in range(40) if (around := [i for i, s, e, _ in nested if s <= t < e])}
    assert sum(e - s for _, s, e, _ in spans) == len(got)
