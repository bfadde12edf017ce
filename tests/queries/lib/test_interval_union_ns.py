"""interval_union_ns on rows that can be checked by eye; against a loop it is in test_intervals_at_random."""

from __future__ import annotations

import pytest

from tests.blueprint import check

QUERY = """
WITH rows (report_id, track_id, start_ns, end_ns) AS (VALUES {rows})
SELECT * FROM interval_union_ns('rows') ORDER BY ALL
"""
HEADER = "report_id,track_id,interval_count,union_ns"


@pytest.mark.parametrize(
    ("rows", "expect"),
    [
        pytest.param("(1, 1, 10, 20), (1, 1, 25, 30)", "1,1,2,15", id="apart"),
        pytest.param("(1, 1, 10, 20), (1, 1, 20, 30)", "1,1,2,20", id="touching"),
        pytest.param("(1, 1, 10, 50), (1, 1, 15, 20), (1, 1, 45, 60)", "1,1,3,50", id="end is the running maximum"),
        pytest.param("(1, 1, 10, 10), (1, 1, 12, 12)", "1,1,2,0", id="zero length adds nothing"),
        pytest.param("(1, 1, 10, 5), (1, 1, 7, 14)", "1,1,2,7", id="end before start counts as start"),
        pytest.param("(1, 1, 20, 5), (1, 1, 7, 14)", "1,1,2,7", id="a backward one reaches nothing"),
        pytest.param(
            "(1, 1, 10, 20), (1, 2, 15, 30), (2, 1, 15, 16)", "1,1,1,10\n1,2,1,15\n2,1,1,1", id="tracks and reports apart"
        ),
        pytest.param("(1, 1, 10, 20), (1, 1, 10, 20)", "1,1,2,10", id="twins"),
        pytest.param("(1, 1, 10, NULL), (1, 1, NULL, 9), (1, 1, 12, 14)", "1,1,1,2", id="open intervals are left out"),
        pytest.param("(1, 1, -10, -5), (1, 1, -5, 3)", "1,1,2,13", id="negative times"),
    ],
)
def test_length_of_the_union(rows: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(rows=rows), expect=f"{HEADER}\n{expect}")
