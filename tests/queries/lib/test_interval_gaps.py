"""interval_gaps on rows that can be checked by eye."""

from __future__ import annotations

import pytest

from tests.blueprint import check

QUERY = """
WITH rows (report_id, track_id, start_ns, end_ns) AS (VALUES {rows})
SELECT * FROM interval_gaps('rows') ORDER BY ALL
"""
HEADER = "report_id,track_id,start_ns,end_ns"


@pytest.mark.parametrize(
    ("rows", "expect"),
    [
        pytest.param("(1, 1, 10, 20)", "", id="one has none"),
        pytest.param("(1, 1, 10, 20), (1, 1, 25, 30)", "1,1,20,25", id="between two"),
        pytest.param("(1, 1, 10, 20), (1, 1, 20, 30)", "", id="touching"),
        pytest.param("(1, 1, 10, 20), (1, 1, 15, 30)", "", id="overlapping"),
        pytest.param("(1, 1, 10, 50), (1, 1, 15, 20), (1, 1, 55, 60)", "1,1,50,55", id="the longest end counts"),
        pytest.param("(1, 1, 10, 20), (1, 1, 25, 25), (1, 1, 30, 40)", "1,1,20,25\n1,1,25,30", id="zero length parts a gap"),
        pytest.param("(1, 1, 10, 20), (1, 2, 15, 30), (1, 1, 50, 60)", "1,1,20,50", id="tracks apart"),
        pytest.param("(1, 1, 10, 20), (2, 1, 25, 30)", "", id="reports apart"),
        pytest.param("(1, 1, 10, 20), (1, 1, 22, NULL), (1, 1, 25, 30)", "1,1,20,25", id="open intervals are left out"),
    ],
)
def test_gaps(rows: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(rows=rows), expect=f"{HEADER}\n{expect}")
