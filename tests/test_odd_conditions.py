"""Ingests under conditions that nobody would choose: odd names, odd folders, closed streams, programs that hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nsysql
import pytest
from nsysql.errors import UsageError

from tests.conftest import FIXTURES
from tests.test_exporter import program, stand_in

TINY, NOCUDA, REPORT = FIXTURES / "tiny.sqlite", FIXTURES / "nocuda.sqlite", FIXTURES / "pipeline.nsys-rep"


def shell(folder: Path, command: str, code: int = 0, limit_s: float = 60) -> str:
    """Run bash in a folder, with `nsysql` as a command; everything that it printed."""
    script = f"nsysql() {{ {sys.executable} -c 'from nsysql.cli import main; main()' \"$@\"; }}\n{command}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, cwd=folder, timeout=limit_s)
    text = (done.stdout + done.stderr).decode(errors="replace")
    assert "Traceback" not in text, text
    assert done.returncode == code, text
    return text


def names(folder: Path, database: str = "nsysql.duckdb") -> list[str]:
    with nsysql.open(folder / database) as db:
        return [r[0] for r in db.sql("SELECT name FROM reports ORDER BY report_id").fetchall()]


@pytest.mark.parametrize("module", ["duckdb.py", "typing.py", "nsysql/__init__.py", "json.py"])
def test_modules_in_the_current_folder_are_not_imported(tmp_path: Path, module: str) -> None:
    (tmp_path / module).parent.mkdir(exist_ok=True)
    (tmp_path / module).write_text("print('not mine'); raise SystemExit(7)")
    program(tmp_path / "nsysql.sh", f"exec {sys.executable} -P -c 'from nsysql.cli import main; main()' \"$@\"")
    if sys.version_info < (3, 11):
        pytest.skip("python -P is of 3.11")
    done = subprocess.run([tmp_path / "nsysql.sh", "ingest", str(TINY)], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert names(tmp_path) == ["tiny"]


def test_a_named_nsys_is_that_file(tmp_path: Path) -> None:
    stand_in(tmp_path / "nsys", f'cp {FIXTURES / "pipeline.sqlite"} "$TARGET"', "2024.1.1")
    assert f"{tmp_path}/nsys,2024.1.1,--nsys,used: named" in shell(tmp_path, "nsysql doctor --nsys ./nsys")
    shell(tmp_path, f"nsysql ingest --nsys ./nsys {REPORT}")
    assert names(tmp_path) == ["pipeline"]


def test_pipes_are_no_files(tmp_path: Path) -> None:
    shell(tmp_path, "mkfifo fifo.sqlite p.duckdb")
    assert "fifo.sqlite: is not a file" in shell(tmp_path, f"nsysql ingest {TINY} fifo.sqlite", 4, 20)
    assert names(tmp_path) == ["tiny"]
    shell(tmp_path, f"nsysql ingest --db p.duckdb {TINY}", 2, 20)
    shell(tmp_path, "nsysql drop x --db p.duckdb", 2, 20)
    shell(tmp_path, "nsysql reports --db p.duckdb", 2, 20)
    assert "is no report" in shell(tmp_path, "nsysql doctor fifo.sqlite", 4, 20)


@pytest.mark.parametrize(
    "body",
    ["cat > /dev/null", 'case "$*" in *--help*) sleep 300 & ;; esac', "echo warnings >&2"],
    ids=["reads its input", "leaves a child", "talks"],
)
def test_programs_that_do_not_behave(tmp_path: Path, body: str) -> None:
    real = stand_in(tmp_path / "real", f'cp {FIXTURES / "pipeline.sqlite"} "$TARGET"')
    odd = program(tmp_path / "odd", f'{body if "warnings" not in body else "true"}\nexec {real} "$@"')
    shell(tmp_path, f"nsysql ingest --nsys {odd} {REPORT}", 0, 30)
    assert names(tmp_path) == ["pipeline"]
    subprocess.run(["pkill", "-f", "^sleep 300$"], check=False)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('mkdir "$TARGET"', "is not a file"),
        ('rm -rf "$(dirname "$TARGET")"', "it wrote nothing"),
        ('printf "SQLite format 3\\0" > "$TARGET"', "pipeline.nsys-rep"),
        ("head -c 100000 /dev/urandom >&2", "could not export it"),
    ],
)
def test_exports_that_are_none(tmp_path: Path, body: str, message: str) -> None:
    tool = stand_in(tmp_path / "nsys", body)
    text = shell(tmp_path, f"nsysql ingest --nsys {tool} {REPORT} {TINY}", 4)
    assert message in text and len(text) < 5000
    assert names(tmp_path) == ["tiny"]


def test_an_interrupt_while_an_nsys_hangs(tmp_path: Path) -> None:
    tool = program(tmp_path / "nsys", "exec sleep 301")
    command = [sys.executable, "-m", "nsysql", "ingest", "--nsys", tool, str(REPORT)]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, text = process.communicate(timeout=10)
    assert process.returncode in (130, -signal.SIGINT) and "Traceback" not in text
    assert subprocess.run(["pgrep", "-f", "^sleep 301$"], capture_output=True).stdout == b""


@pytest.mark.parametrize("streams", ["2>&-", ">&-", "2>/dev/full", "2>&1 | true; test ${PIPESTATUS[0]} = 0", ">&- 2>&- <&-"])
def test_messages_that_cannot_be_told_do_not_stop_the_work(tmp_path: Path, streams: str) -> None:
    shell(tmp_path, f"nsysql ingest {TINY} {NOCUDA} {FIXTURES / 'multiproc.sqlite'} {streams}")
    assert names(tmp_path) == ["tiny", "nocuda", "multiproc"]


def test_rows_that_cannot_be_printed_are_an_error(tmp_path: Path) -> None:
    shell(tmp_path, f"nsysql ingest {TINY}")
    assert "standard output is closed" in shell(tmp_path, "nsysql reports >&-", 9)
    shell(tmp_path, "nsysql reports --db none.duckdb 2>/dev/full", 2)


def test_names_that_are_no_text(tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/caf\xe9.sqlite"
    Path(os.fsdecode(odd)).write_bytes(TINY.read_bytes())
    shell(tmp_path, f"nsysql ingest {NOCUDA} caf*.sqlite {FIXTURES / 'multiproc.sqlite'}")
    assert names(tmp_path) == ["nocuda", "caf\ufffd", "multiproc"]
    shell(tmp_path, f"nsysql ingest --db $'b\\xff.duckdb' {TINY}", 2)
    shell(tmp_path, f"nsysql ingest --name $'\\xff' {TINY}", 2)
    shell(tmp_path, f"mkdir 'q?d'; cd 'q?d'; nsysql ingest {TINY}", 2)


@pytest.mark.parametrize("bad", ["empty", "x" * 300 + ".sqlite", "loop", "link", "none/x.sqlite", "text.sqlite", "packed.xz"])
def test_after_a_bad_input_the_others_follow(tmp_path: Path, bad: str) -> None:
    shell(tmp_path, "mkdir empty; ln -s loop loop; ln -s nowhere link; echo text > text.sqlite; echo x | xz > packed.xz")
    assert bad[:20] in shell(tmp_path, f"nsysql ingest {TINY} {bad} {NOCUDA}", 4)
    assert names(tmp_path) == ["tiny", "nocuda"]


def test_an_nsys_is_only_looked_for_if_there_is_a_report(tmp_path: Path) -> None:
    shell(tmp_path, f"nsysql ingest --nsys /none/nsys {TINY}")
    assert "is not a program" in shell(tmp_path, f"nsysql ingest --nsys /none/nsys {NOCUDA} {REPORT}", 4)
    assert names(tmp_path) == ["tiny", "nocuda"]


def test_two_files_of_one_name_in_one_ingest(tmp_path: Path) -> None:
    for folder, file in (("a", TINY), ("b", NOCUDA)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.sqlite").write_bytes(file.read_bytes())
    text = shell(tmp_path, "nsysql ingest --replace a/same.sqlite b/same.sqlite", 4)
    assert "another file of this ingest has the name 'same'" in text
    assert names(tmp_path) == ["same"]


def test_two_ingests_into_one_new_database(tmp_path: Path) -> None:
    train_bad = FIXTURES / "train_bad.sqlite"
    shell(tmp_path, f"nsysql ingest {TINY} {NOCUDA} & nsysql ingest {train_bad} {FIXTURES / 'ddp_one.sqlite'} && wait $!")
    assert sorted(names(tmp_path)) == ["ddp_one", "nocuda", "tiny", "train_bad"]
    with nsysql.open(tmp_path / "nsysql.duckdb") as db:  # recorded on one machine, so hashed with one key
        assert len(db.sql("SELECT DISTINCT host FROM reports WHERE name IN ('tiny', 'train_bad')").fetchall()) == 1


def test_a_folder_that_is_not_ours_stays(tmp_path: Path) -> None:
    mine = tmp_path / ".nsysql.duckdb.ingest-mine"
    mine.mkdir()
    (mine / "data").write_text("mine")
    shell(tmp_path, f"nsysql ingest {TINY}")
    assert (mine / "data").read_text() == "mine"


@pytest.mark.parametrize("database", ["x**.duckdb", "[a].duckdb", "a b'q\".duckdb", "ü✓.duckdb"])
def test_odd_names_of_the_database(tmp_path: Path, database: str) -> None:
    nsysql.ingest([TINY], tmp_path / database)
    assert names(tmp_path, database) == ["tiny"]
    assert not [p for p in tmp_path.iterdir() if p.is_dir()]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("nsysql drop x --db /", 2),
        (f"nsysql drop x --db {'x' * 300}.duckdb", 2),
        ("nsysql drop x --wait nan", 2),
        (f"nsysql ingest --wait -1 {TINY}", 2),
        (f"nsysql ingest --jobs 0 {TINY}", 2),
        ("nsysql ingest", 2),
        (f"cp {TINY} 123.sqlite; nsysql ingest 123.sqlite", 2),
        ("mkdir gone; cd gone; rmdir ../gone; nsysql reports", 9),
    ],
)
def test_odd_arguments(tmp_path: Path, command: str, code: int) -> None:
    text = shell(tmp_path, command, code)
    assert len(text) < 900


def test_one_path_is_one_path(tmp_path: Path) -> None:
    nsysql.ingest(str(TINY), tmp_path / "nsysql.duckdb")
    nsysql.ingest(NOCUDA, tmp_path / "nsysql.duckdb")
    assert names(tmp_path) == ["tiny", "nocuda"]
    with nsysql.open(tmp_path / "nsysql.duckdb") as db:
        assert db.query("kernels", reports="tiny").aggregate("count(*)").fetchall() == [(63,)]
    assert nsysql.drop("tiny", tmp_path / "nsysql.duckdb") == ["tiny"]
    for call in (
        lambda: nsysql.ingest([], tmp_path / "x.duckdb"),
        lambda: nsysql.ingest([TINY], tmp_path / "x.duckdb", jobs=0),
    ):
        with pytest.raises(UsageError):
            call()


def test_the_run_stays_when_a_report_is_replaced_and_names_its_reports(tmp_path: Path) -> None:
    database = tmp_path / "nsysql.duckdb"
    nsysql.ingest([TINY, NOCUDA], database, run="night")
    nsysql.ingest([TINY], database, replace=True)
    with nsysql.open(database) as db:
        assert db.sql("SELECT run FROM reports").fetchall() == [("night",), ("night",)]
        assert db.report_ids("night") == [1, 2]
    assert nsysql.drop(["night", "tiny", 1], database) == ["tiny", "nocuda"]
