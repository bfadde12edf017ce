"""The command line as a user meets it: rows on stdout, everything else on stderr, exit codes, no traceback."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import EXPORTS, FIXTURES


def nsysql(
    *args: str | Path, cwd: Path | None = None, stdin: str | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "nsysql", *map(str, args)],
        capture_output=True,
        text=True,
        cwd=cwd,
        input=stdin,
        env={**os.environ, **(env or {})},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture(scope="session")
def at(database_path: Path) -> tuple[str, str]:
    return "--db", str(database_path)


def test_ingest_then_query_in_an_empty_folder(tmp_path: Path) -> None:
    done = nsysql("ingest", FIXTURES / "train_bad.sqlite", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "train_bad: added" in done.stderr
    rows = nsysql("query", "gaps", "--limit", "1", cwd=tmp_path)
    assert rows.stdout.splitlines()[0].startswith("report_id,gap_id,gpu_id,position")
    assert ",5361275662," in rows.stdout.splitlines()[1]
    assert rows.stderr == ""


def test_rows_and_nothing_else_on_stdout(at) -> None:
    done = nsysql("query", "gpu_busy", "--report", "multiproc", "--format", "json", *at)
    assert json.loads(done.stdout)[0]["process_count"] == 2


def test_where_order_limit(at) -> None:
    done = nsysql(
        "query",
        "gaps",
        "-r",
        "train_bad",
        "--where",
        "dur_ns >= 1_000_000 AND position = 'between'",
        "--order",
        "start_ns",
        *at,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 1 + 70
    starts = [int(line.split(",")[4]) for line in lines[1:]]
    assert starts == sorted(starts)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["query", "gaps", "--where", 'position = "between it"'], 1, "a text stands in single quotes"),
        (["sql", "SELECT nothing FROM gaps"], 1, "`nsysql show VIEW` lists the columns"),
        (["query", "nsysql_views"], 2, '`nsysql sql "FROM nsysql_views"` shows it'),
    ],
)
def test_what_to_do_about_a_wrong_name(at, words: list[str], code: int, message: str) -> None:
    done = nsysql(*words, *at)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


def test_parameters(at) -> None:
    done = nsysql("query", "gpu_utilization", "-p", "bin_count=4", "-r", "tiny", *at)
    assert len(done.stdout.splitlines()) == 5


def test_table_cuts_and_says_so(at) -> None:
    done = nsysql("query", "gaps", "--format", "table", *at)
    assert "--limit N" in done.stderr
    assert len(done.stdout.splitlines()) == 2 + 40


def test_several_reports_of_which_one_cannot_answer(at) -> None:
    done = nsysql("query", "gpu_busy", "-r", "tiny", "-r", "nocuda", *at)
    assert done.returncode == 0
    assert "nocuda: it was not traced" in done.stderr
    assert "--trace=cuda" in done.stderr


def test_no_report_can_answer(at) -> None:
    done = nsysql("query", "gaps", "-r", "nocuda", *at)
    assert (done.returncode, done.stdout) == (3, "")
    assert "--trace=cuda" in done.stderr


def test_traced_but_nothing_happened(at) -> None:
    done = nsysql("query", "graph_launches", "-r", "tiny", *at)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert "nothing happened in tiny" in done.stderr


def test_nvtx_traced_without_ranges_and_not_traced(at, tmp_path: Path) -> None:
    done = nsysql("query", "nvtx_sum", "-r", "tiny", *at)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    assert "traced, nothing happened in tiny" in done.stderr
    export = tmp_path / "cuda_only.sqlite"
    export.write_bytes((FIXTURES / "tiny.sqlite").read_bytes())
    with closing(sqlite3.connect(export)) as db:
        db.execute("DELETE FROM META_DATA_CAPTURE WHERE value = 'NvtxEvents'")
        db.commit()
    nsysql("ingest", export, cwd=tmp_path)
    done = nsysql("query", "nvtx_sum", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "--trace=nvtx" in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["query", "gap"], 2, "did you mean gaps"),
        (["query", "gaps", "--report", "train_bat"], 2, "did you mean train_bad"),
        (["query", "gaps", "-p", "x=1"], 2, "no parameter 'x'"),
        (["query", "gpu_utilization", "-p", "bin_count"], 2, "NAME=VALUE"),
        (["query", "gpu_utilization", "-p", "bin_count=many"], 2, "bin_count=many"),
        (["query", "gpu_utilization", "-p", "bin_count=0"], 2, "bin_count >= 1"),
        (["query", "nvtx_gpu_projection", "-p", "across_threads=maybe"], 2, "across_threads=maybe"),
        (["query", "interval_union"], 2, "macro"),
        (["query", "gaps", "--where", "nonsense = 1"], 1, "nonsense"),
        (["query", "gaps", "--where", "1=1) OR (1=1"], 2, "--where"),
        (["query", "gaps", "--where", "1=1; DROP VIEW gaps"], 2, "--where"),
        (["query", "gaps", "--order", "1; SELECT 2"], 2, "--order"),
        (["query", "gaps", "--limit", "-1"], 2, "--limit"),
        (["sql", "SELECT INTERVAL 3 DAY AS pause", "--format", "parquet"], 1, "pause INTERVAL"),
        (["query", "gaps", "--format", "xml"], 2, "markdown"),
        (["query", "gaps", "--nope"], 2, "--nope"),
        (["query"], 2, "view"),
        (["frobnicate"], 2, "frobnicate"),
        (["sql", "SELEC 1"], 1, "SELEC"),
        (["sql", "SELECT 1; SELECT 2"], 2, "one statement"),
        (["sql", ""], 2, "one statement"),
        (["sql", "FROM read_csv('/etc/hostname')"], 1, "disabled"),
        (["sql", "COPY gaps TO 'x.csv'"], 1, "disabled"),
        (["sql", "CREATE TABLE x (i INTEGER)"], 1, "read-only"),
        (["show", "gapps"], 2, "did you mean gaps"),
    ],
)
def test_errors(at, args: list[str], code: int, message: str) -> None:
    done = nsysql(*args, *(at if args[0] in ("query", "sql") and len(args) > 1 else ()))
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stdout == ""


def test_no_database_says_what_to_do(tmp_path: Path) -> None:
    done = nsysql("query", "gaps", cwd=tmp_path)
    assert done.returncode == 2
    assert "nsysql ingest" in done.stderr


def test_the_environment_names_the_database(database_path: Path, tmp_path: Path) -> None:
    done = nsysql("query", "gpu_busy", "-r", "tiny", cwd=tmp_path, env={"NSYSQL_DB": str(database_path)})
    assert done.returncode == 0


def test_bad_files_exit_4_and_good_ones_are_ingested(tmp_path: Path) -> None:
    (tmp_path / "bad.sqlite").write_text("text")
    done = nsysql("ingest", tmp_path / "bad.sqlite", FIXTURES / "tiny.sqlite", cwd=tmp_path)
    assert done.returncode == 4
    assert "bad.sqlite: is neither a report nor a SQLite file" in done.stderr
    assert "tiny: added" in done.stderr
    assert "1 of 2" in done.stderr


def test_no_nsys_exits_4(tmp_path: Path) -> None:
    done = nsysql("ingest", FIXTURES / "pipeline.nsys-rep", cwd=tmp_path, env={"NSYSQL_NSYS": str(tmp_path / "none")})
    assert done.returncode == 4
    assert "--nsys" in done.stderr


def test_a_locked_database_exits_8_and_names_the_holder(tmp_path: Path) -> None:
    nsysql("ingest", FIXTURES / "tiny.sqlite", cwd=tmp_path)
    holder = subprocess.Popen(
        [sys.executable, "-c", "import duckdb; c = duckdb.connect('nsysql.duckdb'); print('open', flush=True); input()"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout.readline() == "open\n"
        done = nsysql("query", "gaps", "--wait", "0", cwd=tmp_path)
        assert done.returncode == 8
        assert str(holder.pid) in done.stderr
    finally:
        holder.communicate("\n")


def test_head_is_safe(at) -> None:
    for view in ("gaps", "kernels -f json"):
        command = (
            f"{sys.executable} -m nsysql query {view} -r backpressure {at[0]} {at[1]} | head -n 2; echo ${{PIPESTATUS[0]}}"
        )
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        assert done.stderr == ""
        assert done.stdout.splitlines()[2] == "0"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_exits_9(at) -> None:
    command = f"{sys.executable} -m nsysql query kernels {at[0]} {at[1]} > /dev/full; echo $? >&2"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == "9"
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


ENDLESS = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = -1"


@pytest.mark.parametrize("args", [["ingest", str(FIXTURES / "ddp_one.sqlite")], ["sql", ENDLESS]], ids=lambda a: a[0])
def test_interrupted_exits_130(database_path: Path, tmp_path: Path, args: list[str]) -> None:
    database = tmp_path / "x.duckdb" if args[0] == "ingest" else database_path
    command = [sys.executable, "-m", "nsysql", *args, "--db", str(database)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in err
    assert args[0] != "ingest" or list(tmp_path.iterdir()) == []


def test_an_export_given_as_the_database() -> None:
    done = nsysql("query", "gaps", "--db", FIXTURES / "tiny.sqlite")
    assert done.returncode == 2
    assert "nsysql ingest" in done.stderr


def test_the_name_of_the_output_file_tells_the_format(at, tmp_path: Path) -> None:
    import polars

    nsysql("query", "gpu_busy", "-o", tmp_path / "x.parquet", *at)
    assert len(polars.read_parquet(tmp_path / "x.parquet")) > 10
    nsysql("query", "gpu_busy", "-o", tmp_path / "x.json", *at)
    assert len(json.loads((tmp_path / "x.json").read_text())) > 10


def test_a_view_says_what_it_leaves_out(at) -> None:
    done = nsysql("query", "kernel_sum", "-r", "graphs_graph", "-r", "tiny", *at)
    assert "graphs_graph: 30 launches of CUDA graphs" in done.stderr
    assert "tiny:" not in done.stderr


def test_file_metadata_names_only_the_reports_asked_for(at, tmp_path: Path) -> None:
    import pyarrow.parquet

    nsysql("export", tmp_path / "out", "gaps", "-r", "tiny", *at)
    metadata = pyarrow.parquet.read_schema(tmp_path / "out" / "gaps.parquet").metadata
    assert list(json.loads(metadata[b"nsysql_sources"])) == ["tiny"]


def test_sql_from_standard_input(at) -> None:
    assert nsysql("sql", "-", *at, stdin="SELECT 1 AS one").stdout == "one\n1\n"


def test_sql_may_read_files_when_asked(at, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n5\n")
    assert nsysql("sql", "FROM read_csv('x.csv')", "--allow-files", *at, cwd=tmp_path).stdout == "a\n5\n"


def test_sql_that_shows_and_describes(at) -> None:
    assert "gap_id" in nsysql("sql", "DESCRIBE gaps", *at).stdout
    assert nsysql("sql", "EXPLAIN SELECT * FROM gaps", *at).returncode == 0


def test_output_to_a_file_is_the_same_bytes(at, tmp_path: Path) -> None:
    nsysql("query", "gpu_busy", "-o", tmp_path / "out.csv", *at)
    assert (tmp_path / "out.csv").read_text() == nsysql("query", "gpu_busy", *at).stdout
    done = nsysql("query", "gpu_busy", "-o", tmp_path / "no" / "out.csv", *at)
    assert done.returncode == 9


def test_views_are_found_by_word() -> None:
    lines = nsysql("views", "idle").stdout.splitlines()
    assert any(line.startswith("gpu,gpu_busy,") for line in lines)
    assert nsysql("views", "zebra").returncode == 2
    assert not any(",_" in line for line in nsysql("views").stdout.splitlines())


def test_show_describes_and_its_sql_runs_in_a_shell(at) -> None:
    text = nsysql("show", "gaps").stdout
    assert "Intervals in which a GPU had nothing to run." in text
    assert "previous_op_id" in text
    for view in ("gaps", "kernels", "gpu_utilization"):
        import duckdb

        with duckdb.connect(at[1], read_only=True) as con:
            rows = con.execute(nsysql("show", view, "--sql").stdout).fetchall()
            assert len(rows) == con.execute(f"SELECT count(*) FROM {view}").fetchall()[0][0]
    with duckdb.connect() as con:
        con.execute(nsysql("show", "quartile", "--sql").stdout)
        assert con.execute("SELECT quartile(range, 1) FROM range(4)").fetchall() == [(0.5,)]


def test_export_writes_parquet_for_every_reader(at, tmp_path: Path) -> None:
    import duckdb
    import polars
    import pyarrow.parquet

    done = nsysql("export", tmp_path / "out", "gaps", "kernel_sum", "-r", "train_bad", *at)
    assert done.returncode == 0, done.stderr
    path = tmp_path / "out" / "gaps.parquet"
    assert len(polars.read_parquet(path)) == 2072
    assert duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall() == [(2072,)]
    metadata = pyarrow.parquet.read_schema(path).metadata
    assert metadata[b"nsysql_view"] == b"gaps"
    assert json.loads(metadata[b"nsysql_units"])["dur_ns"] == "ns"
    assert "train_bad" in json.loads(metadata[b"nsysql_sources"])
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["gaps.parquet", "kernel_sum.parquet"]


def test_export_of_everything(at, tmp_path: Path) -> None:
    assert nsysql("export", tmp_path / "out", *at).returncode == 0
    assert len(list((tmp_path / "out").glob("*.parquet"))) >= 15
    done = nsysql("export", tmp_path / "out", "gaps", "-r", "nocuda", *at)
    assert done.returncode == 3


def test_reports(at) -> None:
    lines = nsysql("reports", *at).stdout.splitlines()
    assert len(lines) == 1 + len(EXPORTS)
    assert ",train_bad," in "\n".join(lines)


def test_version() -> None:
    import nsysql as package

    assert nsysql("--version").stdout == f"nsysql {package.__version__}\n"


@pytest.mark.parametrize("args", [["--help"], ["query", "--help"]])
def test_help_loads_neither_duckdb_nor_polars_nor_rich(args: list[str]) -> None:
    code = "import os, sys; os._exit = sys.exit; from nsysql.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "heavy = {'polars', 'rich', 'duckdb', 'pyarrow', 'numpy'} & set(sys.modules); print('loaded', sorted(heavy))"
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "loaded []"


def test_import_loads_nothing_heavy() -> None:
    code = "import sys, nsysql; print(sorted({'polars', 'rich', 'duckdb', 'pyarrow', 'typer'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_output_never_takes_the_databases_place(tmp_path: Path) -> None:
    nsysql("ingest", FIXTURES / "tiny.sqlite", cwd=tmp_path)
    done = nsysql("query", "gaps", "-o", "nsysql.duckdb", "--format", "csv", cwd=tmp_path)
    assert (done.returncode, "is the database itself" in done.stderr) == (2, True)
    assert nsysql("query", "gaps", cwd=tmp_path).returncode == 0


def test_output_that_fails_leaves_the_file_as_it_was(at, tmp_path: Path) -> None:
    target = tmp_path / "rows.csv"
    target.write_text("before")
    done = nsysql("sql", "SELECT error('late') FROM range(3)", *at, "-o", target)
    assert done.returncode == 1
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("rows.csv", "before")]


def test_an_ended_ingest_leaves_no_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nsysql", "ingest", str(FIXTURES / "ddp_one.sqlite")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    while process.poll() is None and not list(tmp_path.iterdir()):
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=20)
    assert "Traceback" not in err
    assert process.returncode in (0, 130, -signal.SIGINT)  # the last is how Python says 130 to a shell at times
    assert [p.name for p in tmp_path.iterdir() if p.is_dir()] == []
