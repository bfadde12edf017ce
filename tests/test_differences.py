"""docs/nvidia-differences.md says what both sides print, and nvtx_sum differs nowhere else."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from nsysql.database import Database

from tests.conftest import FIXTURES
from tests.docs import ROOT
from tests.oracle import VIEWS, csv_path, rows_in, rows_of
from tests.queries.nsys.copy_rules import is_of_one_process, pairs

ORACLE = Path(__file__).parent / "oracle"
PAGE = (ROOT / "docs" / "nvidia-differences.md").read_text()
LISTED = {
    (recording, name): ((int(a), int(b)), (int(c), int(d)))
    for recording, name, a, b, c, d in re.findall(r"\| nvtx_sum \| (\w+) \| (\S+) \| (\d+), (\d+) \| (\d+), (\d+) \|", PAGE)
}


def ours(db: Database, recording: str) -> dict[str, tuple[int, int]]:
    report = db.report_ids([recording])[0]
    query = f"SELECT style || ' ' || coalesce(range_name, ''), range_count, total_ns FROM nvtx_sum WHERE report_id = {report}"
    return {name: (count, total) for name, count, total in db.sql(query).fetchall()}


def nvidias(recording: str) -> dict[str, tuple[int, int]]:
    with (ORACLE / recording / "nvtx_sum.csv").open() as file:
        rows = [row for row in csv.reader(file) if len(row) == 10][1:]
    return {f"{row[8]} {row[9]}": (int(row[2]), int(row[1])) for row in rows}


@pytest.mark.parametrize(("recording", "name"), LISTED)
def test_the_page_shows_both_values(db: Database, recording: str, name: str) -> None:
    def find(rows: dict[str, tuple[int, int]]) -> tuple[int, int]:
        return next(value for key, value in rows.items() if key.split(" ", 1)[1] == name)

    assert (find(nvidias(recording)), find(ours(db, recording))) == LISTED[recording, name]


def test_nothing_else_differs(db: Database) -> None:
    left, right = nvidias("nvtx_edges"), ours(db, "nvtx_edges")
    different = {key for key in left if left[key] != right.get(key)}
    twice = {key for key in different if key.split(" ", 1)[1].startswith("twice:")}
    odd_names = {key for key in different if "\n" in key or '"' in key or key.endswith(" ") or key not in right}
    assert different - twice - odd_names == set()
    assert len(odd_names) <= 4


def test_an_open_range_is_open(db: Database) -> None:
    report = db.report_ids(["nvtx_edges"])[0]
    query = f"SELECT range_count, open_count FROM nvtx_range_sum WHERE report_id = {report} AND name = 'open_push'"
    assert db.sql(query).fetchall() == [(0, 1)]
    assert "| nvtx_range_sum | nvtx_edges | open_push | 42967221 | 0 closed, 1 open |" in PAGE
    assert nvidias("nvtx_edges")["PushPop open_push"] == (1, 42967221)


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
