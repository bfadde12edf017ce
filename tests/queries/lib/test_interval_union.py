"""interval_union on rows that can be checked by eye."""

from __future__ import annotations

import pytest

from tests.blueprint import check

QUERY = """
WITH rows (report_id, track_id, start_ns, end_ns) AS (VALUES {rows})
SELECT * FROM interval_union('rows') ORDER BY ALL
"""
HEADER = "report_id,track_id,start_ns,end_ns,interval_count"


@pytest.mark.parametrize(
    ("rows", "expect"),
    [
        pytest.param("(1, 1, 10, 20)", "1,1,10,20,1", id="one"),
        pytest.param("(1, 1, 10, 20), (1, 1, 25, 30)", "1,1,10,20,1\n1,1,25,30,1", id="apart"),
        pytest.param("(1, 1, 10, 20), (1, 1, 20, 30)", "1,1,10,30,2", id="touching merge"),
        pytest.param("(1, 1, 10, 20), (1, 1, 15, 30)", "1,1,10,30,2", id="overlapping"),
        pytest.param("(1, 1, 10, 50), (1, 1, 15, 20), (1, 1, 30, 40)", "1,1,10,50,3", id="long one covers later ones"),
        pytest.param("(1, 1, 10, 50), (1, 1, 15, 20), (1, 1, 45, 60)", "1,1,10,60,3", id="end is the running maximum"),
        pytest.param("(1, 1, 10, 10)", "1,1,10,10,1", id="zero length counts"),
        pytest.param("(1, 1, 10, 20), (1, 1, 20, 20), (1, 1, 25, 25)", "1,1,10,20,2\n1,1,25,25,1", id="zero length at an edge"),
        pytest.param("(1, 1, 10, 5), (1, 1, 12, 14)", "1,1,10,10,1\n1,1,12,14,1", id="end before start counts as start"),
        pytest.param("(1, 1, 10, 20), (1, 2, 15, 30)", "1,1,10,20,1\n1,2,15,30,1", id="tracks apart"),
        pytest.param("(1, 1, 10, 20), (2, 1, 15, 30)", "1,1,10,20,1\n2,1,15,30,1", id="reports apart"),
        pytest.param("(1, 1, 10, 20), (1, 1, 10, 20)", "1,1,10,20,2", id="twins"),
        pytest.param("(1, 1, 10, NULL), (1, 1, 12, 14)", "1,1,12,14,1", id="open intervals are left out"),
        pytest.param("(1, 1, -10, -5), (1, 1, -5, 3)", "1,1,-10,3,2", id="negative times"),
    ],
)
def test_union(rows: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(rows=rows), expect=f"{HEADER}\n{expect}")
