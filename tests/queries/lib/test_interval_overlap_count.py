"""interval_overlap_count on rows that can be checked by eye."""

from __future__ import annotations

import pytest

from tests.blueprint import check

QUERY = """
WITH rows (report_id, track_id, start_ns, end_ns) AS (VALUES {rows})
SELECT * FROM interval_overlap_count('rows') ORDER BY ALL
"""
HEADER = "report_id,track_id,start_ns,end_ns,overlap_count"


@pytest.mark.parametrize(
    ("rows", "expect"),
    [
        pytest.param("(1, 1, 10, 20)", "1,1,10,20,1", id="one"),
        pytest.param("(1, 1, 10, 20), (1, 1, 15, 30)", "1,1,10,15,1\n1,1,15,20,2\n1,1,20,30,1", id="overlap"),
        pytest.param("(1, 1, 10, 20), (1, 1, 25, 30)", "1,1,10,20,1\n1,1,20,25,0\n1,1,25,30,1", id="a hole counts 0"),
        pytest.param("(1, 1, 10, 20), (1, 1, 20, 30)", "1,1,10,20,1\n1,1,20,30,1", id="touching never count 2"),
        pytest.param("(1, 1, 10, 20), (1, 1, 10, 20)", "1,1,10,20,2", id="twins"),
        pytest.param("(1, 1, 10, 20), (1, 1, 15, 15)", "1,1,10,20,1", id="zero length is not seen"),
        pytest.param("(1, 1, 10, 20), (1, 2, 10, 20), (2, 1, 10, 20)", "1,1,10,20,1\n1,2,10,20,1\n2,1,10,20,1", id="apart"),
    ],
)
def test_overlap_count(rows: str, expect: str) -> None:
    check(rows={}, query=QUERY.format(rows=rows), expect=f"{HEADER}\n{expect}")
