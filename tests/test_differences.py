"""docs/nvidia-differences.md says what both sides print, and sums of NVTX ranges differ nowhere else."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from nsysql.database import Database

from tests.conftest import FIXTURES
from tests.docs import ROOT
from tests.oracle import VIEWS, csv_path, printed, rows_in, rows_of
from tests.queries.nsys.copy_rules import is_of_one_process, pairs

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
    places = {name: place for place, name in enumerate(n for n, _ in printed(VIEWS[report]).headers)}
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


def test_nvidia_pairs_copies_with_calls_of_other_processes(db: Database) -> None:
    view = VIEWS["cuda_memcpy_async"]
    theirs, ours = rows_in(csv_path(ORACLE, "ddp_one", view.name), view), rows_of(db, "ddp_one", view, {})
    assert f"| cuda_memcpy_async | ddp_one | {len(theirs)} rows | {len(ours)} rows |" in PAGE
    paired = [
        (op["end"] - op["start"], op["start"], call["name"], is_of_one_process(op, call))
        for op, call in pairs(FIXTURES / "ddp_one.sqlite", "MEMCPY", "cudaMemcpy")
        if "Async" in call["name"] and 0 in (op["srcKind"], op["dstKind"])
    ]
    assert sorted((row[0], row[1], row[-1]) for row in theirs) == sorted(pair[:3] for pair in paired)
    assert sorted((row[0], row[1], row[-1]) for row in ours) == sorted(pair[:3] for pair in paired if pair[3])


def test_the_printed_throughput_and_the_exact_one(db: Database) -> None:
    ((start, printed, exact),) = re.findall(r"\| cuda_gpu_trace \| um_faults \| (\d+) \| ([\d.]+) \| ([\d.]+) \|", PAGE)
    report = db.report_ids(["um_faults"])[0]
    query = f"SELECT throughput_bytes_per_s, exact_bytes_per_s FROM cuda_gpu_trace WHERE report_id = {report} AND start_ns = {start}"
    assert [tuple(f"{value / 1e6:.3f}" for value in row) for row in db.sql(query).fetchall()] == [(printed, exact)]
    lines = (ORACLE / "um_faults" / "cuda_gpu_trace.csv").read_text().splitlines()
    assert [line.split(",")[13] for line in lines if line.startswith(start)] == [printed]


def test_context_and_stream_of_migrations(db: Database) -> None:
    with (ORACLE / "um_faults" / "cuda_gpu_trace.csv").open() as file:
        moved = [row for row in csv.reader(file) if row and "Unified" in row[-1]]
    assert {(row[17], row[19]) for row in moved} == {("0", "0")}
    query = "SELECT count(*), count(context_id), count(stream_id) FROM cuda_gpu_trace WHERE name LIKE '%Unified%'"
    assert db.sql(query).fetchall() == [(len(moved), 0, 0)]
