"""interval_intersection on rows that can be checked by eye."""

from __future__ import annotations

import pytest

from tests.blueprint import check

QUERY = """
WITH a (report_id, track_id, start_ns, end_ns) AS (VALUES {a}), b (report_id, track_id, start_ns, end_ns) AS (VALUES {b})
SELECT * FROM interval_intersection('a', 'b') ORDER BY ALL
"""
HEADER = "report_id,track_id,start_ns,end_ns"


@pytest.mark.parametrize(
    ("a", "b", "expect"),
    [
        pytest.param("(1, 1, 10, 20)", "(1, 1, 15, 30)", "1,1,15,20", id="overlap"),
        pytest.param("(1, 1, 10, 20)", "(1, 1, 20, 30)", "", id="touching do not meet"),
        pytest.param("(1, 1, 10, 40)", "(1, 1, 15, 20), (1, 1, 25, 30)", "1,1,15,20\n1,1,25,30", id="two inside one"),
        pytest.param("(1, 1, 10, 40), (1, 1, 12, 35)", "(1, 1, 15, 20)", "1,1,15,20", id="covered twice, given once"),
        pytest.param("(1, 1, 10, 20), (1, 1, 20, 30)", "(1, 1, 5, 50)", "1,1,10,30", id="parts that touch are one"),
        pytest.param("(1, 1, 10, 20)", "(1, 2, 10, 20)", "", id="tracks apart"),
        pytest.param("(1, 1, 10, 20)", "(2, 1, 10, 20)", "", id="reports apart"),
        pytest.param("(1, 1, 10, 20)", "(1, 1, 15, 15)", "", id="zero length is not seen"),
    ],
)
def test_intersection(a: str, b: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(a=a, b=b), expect=f"{HEADER}\n{expect}")
