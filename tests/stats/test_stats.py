"""`nsysql stats` and `analyze` beyond what NVIDIA's tools print: inputs, names as they are, units, faults."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest
from nsysql.catalog import load_catalog
from nsysql.database import Database
from nsysql.errors import UsageError
from nsysql.stats import filters
from nsysql.stats.requests import parameters, questions, requests
from nsysql.stats.units import timeunit

from tests.conftest import FIXTURES
from tests.test_cli import nsysql

ODD = ["12.5", "1e5", "null", 'a,b "q" c', "tab\there", "new\nline", "<a&b>", "it's \\ back", "é…ü", "x" * 130, "007", " lead"]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of one report whose ranges have names that are hard to print."""
    folder = tmp_path_factory.mktemp("odd")
    shutil.copy(FIXTURES / "train_good.sqlite", folder / "odd.sqlite")
    with closing(sqlite3.connect(folder / "odd.sqlite")) as db:
        for number, name in enumerate(ODD):
            db.execute("UPDATE NVTX_EVENTS SET text = ? WHERE text = ?", (name, f"step_{number}"))
        db.commit()
    done = nsysql("ingest", folder / "odd.sqlite", "--db", folder / "odd.duckdb")
    assert done.returncode == 0, done.stderr
    return folder / "odd.duckdb"


def printed(path: Path, layout: str) -> str:
    done = nsysql("stats", "-q", "-r", "nvtx_sum", "-f", layout, "--like", "2023.4", path)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_names_come_back_from_csv_as_they_are(odd: Path) -> None:
    rows = list(csv.reader(io.StringIO(printed(odd, "csv"))))
    assert set(ODD) <= {row[9] for row in rows if len(row) == 10}
    assert {len(row) for row in rows} == {0, 10}


def test_names_come_back_from_json_as_they_are(odd: Path) -> None:
    rows = json.loads(printed(odd, "json"))
    assert set(ODD) <= {row["Range"] for row in rows}
    assert {type(row["Total Time (ns)"]) for row in rows} == {int}


def test_names_come_back_from_html_as_they_are(odd: Path) -> None:
    cells: list[str] = []

    class Reader(HTMLParser):
        def handle_data(self, data: str) -> None:
            cells.append(data)

    Reader().feed(printed(odd, "htable"))
    assert set(ODD) <= set(cells)


def test_a_long_name_is_cut_on_the_terminal(odd: Path) -> None:
    assert "x" * 99 + "…\n" in printed(odd, "column")
    assert "x" * 130 + "\n" in printed(odd, "column:colmax=0")


def test_every_report_of_a_database(database_path: Path) -> None:
    done = nsysql("stats", "-r", "cuda_gpu_mem_size_sum", "-f", "csv", database_path)
    assert f"Processing [{database_path}: train_bad] with [cuda_gpu_mem_size_sum.py]... " in done.stdout
    assert f"SKIPPED: {database_path}: nocuda does not contain GPU memory data." in done.stdout
    assert done.returncode == 0


def test_one_report_of_a_database(database_path: Path) -> None:
    done = nsysql("stats", "-q", "-r", "cuda_gpu_mem_size_sum", "-f", "csv", "--name", "tiny", database_path)
    assert {line.rpartition(",")[2] for line in done.stdout.splitlines()[1:3]} == {
        "[CUDA memcpy Device-to-Host]",
        "[CUDA memset]",
    }


def test_a_report_is_exported_beside_it_and_not_again(tmp_path: Path, nsys: str) -> None:
    shutil.copy(FIXTURES / "pipeline.nsys-rep", tmp_path)
    first = nsysql("stats", "-r", "osrt_sum", "-f", "csv", "pipeline.nsys-rep", cwd=tmp_path)
    made = (tmp_path / "pipeline.sqlite").stat().st_mtime_ns
    again = nsysql("stats", "-r", "osrt_sum", "-f", "csv", "pipeline.nsys-rep", cwd=tmp_path)
    assert first.stdout == again.stdout
    assert "Processing [pipeline.sqlite] with [osrt_sum.py]... \nTime (%)" in first.stdout
    assert (tmp_path / "pipeline.sqlite").stat().st_mtime_ns == made
    quiet = nsysql("stats", "-r", "osrt_sum", "-q", "pipeline.nsys-rep", "--force-export", cwd=tmp_path)
    assert ("exporting pipeline.nsys-rep" in first.stderr, quiet.stderr) == (True, "")
    assert (tmp_path / "pipeline.sqlite").stat().st_mtime_ns != made


def test_the_export_goes_where_it_is_told(tmp_path: Path, nsys: str) -> None:
    shutil.copy(FIXTURES / "pipeline.nsys-rep", tmp_path)
    done = nsysql("stats", "-r", "osrt_sum", "pipeline.nsys-rep", "--sqlite", "there.sqlite", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Processing [there.sqlite]" in done.stdout
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pipeline.nsys-rep", "there.sqlite"]


@pytest.mark.parametrize("option", [(), ("--sqlite", "pipeline.sqlite")])
def test_an_export_older_than_its_report_is_not_read(option: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("pipeline.nsys-rep", "pipeline.sqlite"):
        shutil.copy(FIXTURES / name, tmp_path)
    os.utime(tmp_path / "pipeline.sqlite", (0, 0))
    done = nsysql("stats", "-q", "-r", "osrt_sum", *option, "pipeline.nsys-rep", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (4, "")
    assert "pipeline.sqlite is older than pipeline.nsys-rep" in done.stderr
    assert "--force-export=true" in done.stderr


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "pipeline.nsys-rep", tmp_path)
    done = nsysql("stats", "--sqlite", "sub/x.sqlite", "pipeline.nsys-rep", cwd=tmp_path)
    assert (done.returncode, "sub/x.sqlite: there is no folder sub;" in done.stderr) == (9, True), done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["stats", "none.sqlite"], 4, "Specified input file (none.sqlite) does not exist."),
        (["stats", "tiny.sqlite", "-r", "foo,nvtx_sum"], 2, "1 of 2 could not be printed"),
        (["stats", "tiny.sqlite", "-f", "xml"], 2, "Unknown format name xml"),
        (["stats", "tiny.sqlite", "--timeunit", "m"], 2, "--timeunit m"),
        (["stats", "tiny.sqlite", "--filter-time", "2s/1s"], 2, "the start must not be later"),
        (["stats", "tiny.sqlite", "--filter-time", "soon/"], 2, "soon is no time"),
        (["stats", "tiny.sqlite", "--filter-time", "1e400/"], 2, "further away than 290 years"),
        (["analyze", "tiny.sqlite", "-r", "gpu_gaps:rows=\u00b2"], 2, "1 of 1 could not be printed"),
        (["stats", "tiny.sqlite", "--sqlite", "a.sqlite"], 2, "is no report"),
        (["stats", "tiny.sqlite", "--like", "2019"], 2, "--like 2019"),
        (["stats", "tiny.sqlite", "--force-overwrite=maybe"], 2, "must be true or false"),
        (["stats", "tiny.sqlite", "--memory-limit", "some"], 2, "--memory-limit some"),
        (["stats", "tiny.sqlite", "-q", "-r", "cuda_api_sum", "-o", "@no-such-command"], 4, "no-such-command cannot be run"),
        (["stats", "tiny.sqlite", "-q", "-r", "cuda_api_sum", "-o", "no/folder"], 9, "cannot be written"),
        (["stats", "text.sqlite"], 4, "is no database of nsysql, no export"),
        (["analyze", "tiny.sqlite", "-r", "gpu_time_util:chunks=0,gpu_gaps:gap=x"], 2, "2 of 2 could not be printed"),
        (["stats", "tiny.sqlite", "-r", "cuda_api_sum:start=soon"], 2, "1 of 1 could not be printed"),
    ],
)
def test_faults_are_told_in_a_line(arguments: list[str], code: int, message: str, tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "tiny.sqlite", tmp_path)
    (tmp_path / "text.sqlite").write_text("no database")
    done = nsysql(*arguments, cwd=tmp_path)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr


def test_the_files_of_reports_without_rows_are_emptied(tmp_path: Path) -> None:
    """As nsys does: 19 files, 15 of them empty, so that no row of another run is read."""
    shutil.copy(FIXTURES / "tiny.sqlite", tmp_path)
    (tmp_path / "tiny_vulkan_marker_sum.csv").write_text("rows of another run")
    done = nsysql("stats", "-o", ".", "--force-overwrite", "tiny.sqlite", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    sizes = [path.stat().st_size for path in tmp_path.glob("tiny_*.csv")]
    assert (len(sizes), sizes.count(0)) == (19, 15)


def test_a_command_that_fails_is_told_and_the_others_go_on(database_path: Path) -> None:
    reports = ("-r", "cuda_api_sum,cuda_gpu_kern_sum", "-f", "csv", "-o", "@grep nomatch,-")
    done = nsysql("stats", "-q", "--name", "tiny", *reports, database_path)
    assert (done.returncode, done.stderr) == (0, "nsysql: ERROR: grep nomatch: ended with exit code 1.\n")
    assert done.stdout.splitlines()[0].startswith("Time (%)")


@pytest.mark.parametrize("option", ["-q", "--force-overwrite=false"])
def test_a_closed_standard_output(option: str, tmp_path: Path) -> None:
    def stats(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "nsysql", "stats", option, "-r", "cuda_api_sum", "-f", "csv", *options]
        export = str(FIXTURES / "tiny.sqlite")
        closing = ["sh", "-c", '"$@" >&-', "sh", *command, export]
        return subprocess.run(closing, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)

    to_file, to_none = stats("-o", "x"), stats()
    assert (to_file.returncode, to_file.stderr) == (0, "")
    assert len((tmp_path / "x_cuda_api_sum.csv").read_text().splitlines()) == 23
    assert (to_none.returncode, "ERROR: standard output is closed; -o FILE" in to_none.stderr) == (9, True), to_none.stderr


def test_a_name_of_old_is_known(database_path: Path) -> None:
    old, new = (
        nsysql("stats", "-q", "-f", "csv", "--name", "tiny", "-r", name, database_path).stdout
        for name in ("cudaapisum", "cuda_api_sum")
    )
    assert old == new != ""


def test_reports_layouts_and_outputs_go_in_step() -> None:
    made, warnings = requests(["a,b:x:y=1", "c"], ["csv", "."], ["one,-"], (), "ns")
    assert [(r.name, r.arguments, r.layout.name, r.output) for r in made] == [
        ("a", (), "csv", "one"),
        ("b", ("x", "y=1"), "column", "-"),
        ("c", (), "column", "-"),
    ]
    assert warnings == []
    assert requests(["a"], ["csv,json"], [], (), "ns")[1] == [
        "WARNING: Number of specified output formats exceeds number of reports."
    ]


def test_arguments_become_parameters(db: Database) -> None:
    view = db.catalog.get("gpu_gaps")
    assert parameters(view, []) == ({}, 50)
    assert parameters(view, ["gap=100", "rows=-1"]) == ({"gap_ms": "100"}, None)
    for wrong in ("gap", "rows=few", "other=1"):
        with pytest.raises(UsageError, match="there is no argument"):
            parameters(view, [wrong])


@pytest.mark.parametrize(
    ("text", "start_ns", "end_ns"),
    [
        ("1s2ms3us4ns/", 1_002_003_004, 2**63 - 1),
        ("/2ns5us2", -(2**63), 5004),
        ("-1us/1.5m", -1000, 90_000_000_000),
        ("1e3/2e-3s", 1000, 2_000_000),
    ],
)
def test_times_as_the_tool_takes_them(text: str, start_ns: int, end_ns: int) -> None:
    assert filters.of_time(text) == filters.Filter(start_ns, end_ns)


def test_what_requests_ask() -> None:
    """A report that is not there, or with an argument that it does not have, asks nothing; one that differs between nsys both."""
    names = ["cuda_gpu_kern_sum:base", "cuda_gpu_kern_sum:bse", "no_such_report", "gpu_gaps:gap=3:rows=5", "nvtx_sum"]
    found, _ = requests(names, [], [], (), None)
    assert list(questions(load_catalog(), found)) == [
        ("cuda_gpu_kern_sum", {"name_form": "base"}),
        ("gpu_gaps", {"gap_ms": "3"}),
        ("nvtx_sum", {"like_nsys": "2023.4"}),
        ("nvtx_sum", {"like_nsys": "2025.3"}),
    ]


def test_units_of_time_by_their_beginning() -> None:
    assert [timeunit(t) for t in ("nsec", "micro", "us", "milli", "sec", "s", "nanoseconds")] == [
        *("ns", "us", "us", "ms", "sec", "sec", "ns")
    ]


def test_arguments_that_a_layout_does_not_have_are_told(database_path: Path) -> None:
    command = ("stats", "--name", "tiny", "-r", "cuda_api_sum,cuda_gpu_kern_sum", "-f", "csv:nohdr:esc:dur=usec")
    told = [f"nsysql: --format csv: '{argument}' is no argument" for argument in ("esc", "dur=usec")]
    lines = nsysql(*command, database_path).stderr.splitlines()
    assert [line[: len(start)] for line, start in zip(lines, told, strict=True)] == told
    assert nsysql(*command, "-q", database_path).stderr == ""


def test_widths_of_columns(odd: Path) -> None:
    lines = printed(odd, "column:0:5:.:0").splitlines()
    assert lines[3].split()[:2] == ["Tota…", "Instances"]
    assert all("%" not in line for line in lines)


def test_a_report_may_have_a_time_of_its_own() -> None:
    general = filters.Wanted("1s", "2s")
    assert general.having(["base"]) == (general, ["base"])
    assert general.having(["gap=1", "start=5"]) == (filters.Wanted("5", "2s"), ["gap=1"])
    assert general.having(["nvtx=a=b@c/1"]) == (filters.Wanted("1s", "2s", "a=b@c/1"), [])


def test_a_full_disk_is_told(database_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "nsysql", "stats", "-q", "-r", "cuda_api_sum", str(database_path)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, "standard output: cannot be written" in done.stderr) == (9, True), done.stderr


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_broken_off_command_leaves_no_folder(ending: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nsysql", "stats", str(FIXTURES / "ddp_one.sqlite")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"TMPDIR": str(tmp_path)}
    ) as p:
        while not list(tmp_path.glob("nsysql-*")) and p.poll() is None:
            time.sleep(0.01)
        p.send_signal(ending)
        p.communicate()
    assert p.returncode in (130, -signal.SIGINT)  # the latter, in a shell 130 too, if Python was in an import
    assert list(tmp_path.iterdir()) == []


def test_a_filter_of_a_range_is_of_its_report(database_path: Path) -> None:
    def of(*names: str) -> str:
        options = [part for name in names for part in ("--name", name)]
        return nsysql(
            "stats", "-q", "-r", "nvtx_sum", "-f", "csv", "--filter-nvtx", "forward/3", *options, database_path
        ).stdout

    assert of("train_bad", "train_good") == of("train_bad") + of("train_good")
    assert "27564462" in of("train_bad")
