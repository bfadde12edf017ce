"""`nsysql diagnose` on the command line: its formats, reports by name, what cannot be answered, errors without a traceback."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nsysql as package
import pytest
from nsysql.diagnosis import SECTIONS, Step, as_text, diagnose

from tests.conftest import FIXTURES
from tests.test_cli import nsysql

TITLES = [section.title for section in SECTIONS]
REPORTS = ["train_bad", "tiny", "nocuda"]


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of three reports."""
    path = tmp_path_factory.mktemp("some") / "some.duckdb"
    package.ingest([FIXTURES / f"{name}.sqlite" for name in REPORTS], path)
    return path


def headings(text: str) -> list[str]:
    """The lines that are underlined."""
    lines = text.splitlines()
    return [a for a, b in zip(lines, lines[1:]) if a and re.fullmatch(r"=+|-+", b) and len(a) == len(b)]


def test_text(some: Path) -> None:
    done = nsysql("diagnose", "train_bad", "--db", some)
    assert (done.returncode, done.stderr) == (0, "")
    assert headings(done.stdout) == ["train_bad", *TITLES]
    assert re.search(r"^kernels +1,864$", done.stdout, re.MULTILINE)
    assert re.search(r"^traced +osrt_calls +not_traced +0  nsys profile --trace=osrt$", done.stdout, re.MULTILINE)
    assert re.search(r"^- high: GPU work spans 7\.14 s .*\n  Record .*\(nsysql query phases\)$", done.stdout, re.MULTILINE)
    assert "These are the first; all: nsysql query kernel_sum" in done.stdout
    assert "These are the first; all: nsysql query nvtx_rank" not in done.stdout


def test_verdicts_stand_with_their_topic(some: Path) -> None:
    with package.open(some) as db:
        steps = {step.section.title: step.verdicts for step in diagnose(db, "train_bad")}
        told = db.query("verdicts", reports=["train_bad"]).project("topic, sentence").fetchall()
    topics = {section.title: section.topic for section in SECTIONS if section.topic}
    for title, topic in topics.items():
        assert [v["sentence"] for v in steps.pop(title)] == [sentence for t, sentence in told if t == topic]
    assert not any(steps.values())
    assert sorted(topics.values()) == ["idle", "trace", "work"]


def tables(markdown: str) -> list[list[list[str]]]:
    """Cells of the tables, row by row."""
    found = re.findall(r"(?:^\|.*\|$\n?)+", markdown, re.MULTILINE)
    return [[re.split(r"(?<!\\)\|", line)[1:-1] for line in table.splitlines()] for table in found]


def test_markdown(some: Path) -> None:
    done = nsysql("diagnose", "train_bad", "--format", "markdown", "--db", some)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^## (.*)$", done.stdout, re.MULTILINE) == TITLES
    assert re.findall(r"^# (.*)$", done.stdout, re.MULTILINE) == ["train_bad"]
    got = tables(done.stdout)
    assert len(got) == len(TITLES)
    for section, (names, rule, *rows) in zip(SECTIONS, got):
        assert [name.strip() for name in names] == list(section.columns)
        assert all(re.fullmatch(r"-+:?", cell) for cell in rule)
        assert rows and all(len(row) == len(names) for row in rows)
    assert not re.search(r"(?<!\\)<", done.stdout)
    assert r"in step\_\*/data_load." in done.stdout


def made_up(name: Any, **more: Any) -> Step:
    section = SECTIONS[-1]
    rows = [{"gpu_id": 0, "name": name, "kernel_count": 12345, "dur_ns": 1500}]
    units = {"gpu_id": "id", "name": "text", "kernel_count": "count", "dur_ns": "ns"}
    return Step(**{"section": section, "units": units, "rows": rows, "reason": None, "has_more": False, "verdicts": []} | more)


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("a|b", r"a\|b"),
        ("f<int>", r"f\<int\>"),
        ("line\none", "line one"),
        ("__x__ a_b", r"\_\_x\_\_ a_b"),
        ("*p `q` [r]", r"\*p \`q\` \[r\]"),
        ("k" * 61, "k" * 57 + "..."),
        ("k" * 60, "k" * 60),
        ("名前", "名前"),
    ],
)
def test_names_are_no_markup(name: str, cell: str) -> None:
    lines = list(as_text("r", [made_up(name)], is_markdown=True))
    assert lines[:3] == ["# r", "", "## What the GPUs did"]
    assert re.split(r"(?<!\\)\|", lines[-1])[2].strip() == cell
    assert lines[-1].endswith(" 12,345 | 1.50 µs |")


def test_without_rows_it_says_why() -> None:
    assert list(as_text("r", [made_up("k", rows=[])], is_markdown=False))[-1] == "Nothing."
    assert list(as_text("r", [made_up("k", rows=[], reason="not traced")], is_markdown=False))[-1] == "not traced"


def test_json(some: Path) -> None:
    done = nsysql("diagnose", "train_bad", "--format", "json", "--db", some)
    ((report, sections),) = [(r["report"], r["sections"]) for r in json.loads(done.stdout)]
    assert (done.returncode, done.stderr, report) == (0, "", "train_bad")
    assert [s["title"] for s in sections] == TITLES
    assert [s["view"] for s in sections] == [section.view for section in SECTIONS]
    by_title = {s["title"]: s for s in sections}
    (busy,) = by_title["How busy the GPUs were"]["rows"]
    ops = nsysql("query", "gpu_busy", "--report", "train_bad", "--format", "json", "--db", some)
    assert busy == {k: v for k, v in json.loads(ops.stdout)[0].items() if k in busy}
    assert isinstance(busy["busy_ns"], int) and isinstance(busy["active_ratio"], float)
    verdict = by_title["What is missing"]["verdicts"][0]
    assert verdict["verdict"] == "capture_window" and verdict["evidence"]["lead_in_ns"] > 1e9
    assert {s["title"]: s["has_more"] for s in sections if s["has_more"]} == {
        "Why they idled between their operations": True,
        "What the GPUs did": True,
    }


@pytest.mark.parametrize(("given", "expect"), [([], REPORTS), (["tiny", "nocuda"], ["tiny", "nocuda"]), (["2"], ["tiny"])])
def test_reports(some: Path, given: list[str], expect: list[str]) -> None:
    done = nsysql("diagnose", *given, "--format", "json", "--db", some)
    assert sorted(r["report"] for r in json.loads(done.stdout)) == sorted(expect)
    assert done.returncode == 0


def test_several_reports_as_text(some: Path) -> None:
    done = nsysql("diagnose", "tiny", "nocuda", "--db", some)
    assert headings(done.stdout) == [line for name in ("tiny", "nocuda") for line in (name, *TITLES)]


def test_a_report_without_cuda_says_what_cannot_be_answered(some: Path) -> None:
    done = nsysql("diagnose", "nocuda", "--db", some)
    assert (done.returncode, done.stderr) == (0, "")
    for view in ("phases", "gpu_busy", "idle_by_cause", "kernel_sum"):
        assert (
            f"\n{view} cannot be answered. nocuda: it was not traced; record with `nsys profile --trace=cuda`.\n"
            in done.stdout + "\n"
        )
    assert not re.search("^- (high|medium|low|good): ", done.stdout, re.MULTILINE)
    markdown = nsysql("diagnose", "nocuda", "--format", "markdown", "--db", some)
    assert re.findall(r"^## (.*)$", markdown.stdout, re.MULTILINE) == TITLES
    told = nsysql("query", "verdicts", "--report", "nocuda", "--db", some)
    assert (told.returncode, told.stdout) == (3, "")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["train_bat"], "there is no report 'train_bat'.*did you mean train_bad\\?"),
        (["tiny", "train_bat"], "there is no report 'train_bat'.*did you mean train_bad\\?"),
        (["--format", "csv"], "there is no format 'csv' here; there are text, markdown, json"),
        (["--format", ""], "there is no format ''"),
    ],
)
def test_what_is_not_there(some: Path, args: list[str], said: str) -> None:
    done = nsysql("diagnose", *args, "--db", some)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(said, done.stderr)


@pytest.mark.parametrize("format", ["text", "markdown", "json"])
def test_output_to_a_file(some: Path, tmp_path: Path, format: str) -> None:
    path = tmp_path / "report"
    done = nsysql("diagnose", "tiny", "--format", format, "-o", path, "--db", some)
    assert (done.returncode, done.stdout) == (0, "")
    assert path.read_text() == nsysql("diagnose", "tiny", "--format", format, "--db", some).stdout


def test_a_file_that_cannot_be_written(some: Path, tmp_path: Path) -> None:
    done = nsysql("diagnose", "tiny", "-o", tmp_path / "no" / "report", "--db", some)
    assert done.returncode != 0 and done.stdout == ""
    assert done.stderr.startswith("nsysql: ")


def test_an_empty_database(tmp_path: Path) -> None:
    path = tmp_path / "empty.duckdb"
    package.ingest([FIXTURES / "tiny.sqlite"], path)
    package.drop(["tiny"], path)
    done = nsysql("diagnose", "--db", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "holds no report yet" in done.stderr


def test_a_database_that_is_missing(tmp_path: Path) -> None:
    done = nsysql("diagnose", "--db", tmp_path / "none.duckdb")
    assert done.returncode != 0 and done.stdout == ""
    assert "none.duckdb" in done.stderr
    assert not (tmp_path / "none.duckdb").exists()
