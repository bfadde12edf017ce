"""strings: ids are per report, 0 is an ordinary one."""

from __future__ import annotations

from tests.blueprint import check


def test_ids_are_per_report() -> None:
    check(
        rows={"raw.StringIds": "report_id,id,value\n1,0,a\n2,0,b"},
        query="SELECT * FROM strings ORDER BY ALL",
        expect="report_id,string_id,value\n1,0,a\n2,0,b",
    )
