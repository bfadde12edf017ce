"""docs/nvidia-differences.md says what both sides print, and sums of NVTX ranges differ nowhere else."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from nsysql.database import Database

from tests.docs import ROOT
from tests.oracle import COLUMNS

ORACLE = Path(__file__).parent / "oracle"
PAGE = (ROOT / "docs" / "nvidia-differences.md").read_text()
LISTED = {
    (report, recording, name): ((int(a), int(b)), (int(c), int(d)))
    for report, recording, name, a, b, c, d in re.findall(
        r"\| (nvtx_\w*sum) \| (\w+) \| (\S+) \| (\d+), (\d+) \| (\d+), (\d+) \|", PAGE
    )
}
Found = dict[tuple[str, str], tuple[int, int]]
"""(style, name) -> number of ranges, total ns; a report that has one style has no style."""


def ours(db: Database, report: str, recording: str) -> Found:
    style = "style" if report == "nvtx_sum" else "''"
    where = f"report_id = {db.report_ids([recording])[0]}"
    rows = db.sql(f"SELECT {style}, coalesce(range_name, ''), range_count, total_ns FROM {report} WHERE {where}").fetchall()
    return {(style, name): (count, total) for style, name, count, total in rows}


def nvidias(report: str, recording: str) -> Found:
    places = {name: place for place, name in enumerate(COLUMNS[report])}
    with (ORACLE / recording / f"{report}.csv").open() as file:
        rows = [row for row in csv.reader(file) if len(row) == len(places)][1:]
    return {
        (row[places["style"]] if "style" in places else "", row[places["range_name"]]): (
            int(row[places["range_count"]]),
            int(row[places["total_ns"]]),
        )
        for row in rows
    }


@pytest.mark.parametrize(("report", "recording", "name"), LISTED)
def test_the_page_shows_both_values(db: Database, report: str, recording: str, name: str) -> None:
    def find(rows: Found) -> tuple[int, int]:
        return next(value for key, value in rows.items() if key[1] == name)

    assert (find(nvidias(report, recording)), find(ours(db, report, recording))) == LISTED[report, recording, name]


@pytest.mark.parametrize("report", ["nvtx_sum", "nvtx_pushpop_sum", "nvtx_startend_sum"])
def test_nothing_else_differs(db: Database, report: str) -> None:
    left, right = nvidias(report, "nvtx_edges"), ours(db, report, "nvtx_edges")
    different = {key for key in left if left[key] != right.get(key)}
    twice = {key for key in different if key[1].startswith("twice:")}
    odd_names = {key for key in different if "\n" in key[1] or '"' in key[1] or key[1] == "" or key not in right}
    assert different - twice - odd_names == set()
    assert len(odd_names) <= 4


def test_an_open_range_is_open(db: Database) -> None:
    report = db.report_ids(["nvtx_edges"])[0]
    query = f"SELECT range_count, open_count FROM nvtx_range_sum WHERE report_id = {report} AND name = 'open_push'"
    assert db.sql(query).fetchall() == [(0, 1)]
    assert "| nvtx_range_sum | nvtx_edges | open_push | 42967221 | 0 closed, 1 open |" in PAGE
    assert nvidias("nvtx_sum", "nvtx_edges")["PushPop", "open_push"] == (1, 42967221)
