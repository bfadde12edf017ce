"""openacc_sum by hand; against NVIDIA's own numbers see test_made_up and test_live."""

from __future__ import annotations

from pathlib import Path

import nsysql
import pytest

from tests.blueprint import check
from tests.docs import ROOT
from tests.made_up import run_tool, write_export
from tests.queries.nsys.made_up_calls import ACC, MAIN


def test_kinds_together_by_name_and_line() -> None:
    check(
        rows={
            "openacc_events": "report_id,event_id,kind,name,file_name,line,dur_ns\n"
            "1,4,data,Wait,a.c,5,10\n1,5,launch,Wait,a.c,5,20\n1,6,other,Wait,a.c,6,60\n1,10,other,Init,,,10"
        },
        query="SELECT time_percent, total_ns, num_calls, mean_ns, median_ns, min_ns, max_ns, stddev_ns, name FROM openacc_sum ORDER BY total_ns DESC",
        expect="""time_percent,total_ns,num_calls,mean_ns,median_ns,min_ns,max_ns,stddev_ns,name
            60.0,60,1,60.0,60.0,60,60,0.0,Wait@a.c:6
            30.0,30,2,15.0,15.0,10,20,7.1,Wait@a.c:5
            10.0,10,1,10.0,10.0,10,10,0.0,Init""",
    )


TWO_FILES = {
    "raw.CUPTI_ACTIVITY_KIND_OPENACC_OTHER": f"{ACC}\n1,1,0,10,0,{MAIN},7,4,5,0,1,7,1,\n1,2,20,40,0,{MAIN},7,4,5,0,1,7,2,",
    "raw.StringIds": "report_id,id,value\n1,0,Wait\n1,1,/one/a.c\n1,2,/two/a.c",
}
LISTED = "| openacc_sum | line 5 of /one/a.c and of /two/a.c | 2 rows | 1 row |"


@pytest.fixture
def export(tmp_path: Path) -> Path:
    assert LISTED in (ROOT / "docs" / "nvidia-differences.md").read_text()
    write_export(tmp_path / "two_files.sqlite", TWO_FILES)
    return tmp_path / "two_files.sqlite"


def test_files_of_one_name_are_one(export: Path, tmp_path: Path) -> None:
    nsysql.ingest([export], tmp_path / "one.duckdb")
    with nsysql.open(tmp_path / "one.duckdb") as db:
        assert db.sql("SELECT name, num_calls, total_ns FROM openacc_sum").fetchall() == [("Wait@a.c:5", 2, 30)]


def test_the_tool_has_two(nsys: str, export: Path) -> None:
    rows, _, _ = run_tool(nsys, export, "openacc_sum")
    assert [row[-1] for row in rows] == ["Wait@/one/a.c:5", "Wait@/two/a.c:5"]
