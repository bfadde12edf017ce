"""What recordings do not show: made-up exports through NVIDIA's tool, and the views over the same rows.

The printed texts are those of nsys 2023.4.4; with that one at hand they are made again. docs/nvidia-differences.md lists
every report that differs.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.docs import ROOT
from tests.made_up import MadeUp, Rows, run_tool, write_export
from tests.oracle import VIEWS, printed
from tests.queries.nsys.made_up_calls import CALLS
from tests.queries.nsys.made_up_nvtx import NVTX

CASES: dict[str, MadeUp] = NVTX | CALLS
PAIRS = [pytest.param(name, report, id=f"{name}-{report}") for name, case in CASES.items() for report in case.reports]
PAGE = (ROOT / "docs" / "nvidia-differences.md").read_text()
LISTED = re.findall(r"\| (\w+) \| `(\w+)` \| (rows with|rows|sum of)(?: (\w[\w ]*))? \| (\d+|an error) \| (\d+) \|", PAGE)
"""(report, case, what, header, number of NVIDIA's, number here)"""


@pytest.mark.parametrize(("name", "report"), PAIRS)
def test_the_view_says_the_same_or_what_is_listed(name: str, report: str) -> None:
    assert CASES[name].of_view(report) == CASES[name].expected(report)


@pytest.mark.parametrize(("name", "report"), PAIRS)
def test_the_tool_prints_that(nsys: str, tmp_path: Path, name: str, report: str) -> None:
    version = subprocess.run([nsys, "--version"], capture_output=True, text=True, check=True).stdout
    if "2023.4.4" not in version:
        pytest.skip("no nsys 2023.4.4: the texts are those of that release")
    write_export(tmp_path / "made_up.sqlite", CASES[name].rows)
    rows, headers, errors = run_tool(nsys, tmp_path / "made_up.sqlite", report)
    assert rows == CASES[name].of_tool(report)
    assert CASES[name].error.get(report, "") in errors and ("ERROR" in errors) == (report in CASES[name].error)
    if headers:
        assert [re.sub(r" \((ns|%|MB)\)$", "", h) for h in headers] == [header for _, header in printed(VIEWS[report]).headers]


def test_what_differs_is_listed() -> None:
    assert {(report, name) for report, name, *_ in LISTED} == {(r, n) for n, case in CASES.items() for r in case.ours}


@pytest.mark.parametrize(("report", "name", "what", "header", "theirs", "ours"), LISTED)
def test_the_page_shows_both(report: str, name: str, what: str, header: str, theirs: str, ours: str) -> None:
    case, headers = CASES[name], printed(VIEWS[report]).headers
    place = [h for _, h in headers].index(header) if header else None
    assert _number(case.of_view(report), what, place) == int(ours)
    if theirs == "an error":
        assert report in case.error
    else:
        assert _number(case.of_tool(report), what, place) == int(theirs)


def _number(rows: Rows, what: str, place: int | None) -> int:
    cells = [row[place] for row in rows if row[place] is not None] if place is not None else rows
    return sum(cell for cell in cells if isinstance(cell, int)) if what == "sum of" else len(cells)
