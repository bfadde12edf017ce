"""The database in other programs: a plain DuckDB shell, the lowest supported DuckDB."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

QUERY = "SELECT count(*) AS n, sum(dur_ns) AS idle_ns FROM v1.gaps WHERE report_id = (SELECT report_id FROM v1.reports WHERE name = 'train_bad')"
MACRO = "SELECT count(*) AS n FROM v1.gpu_utilization(bin_count := 7) WHERE report_id = 1"
IDLE = 4_933_240_579 + 7_046_072_889 + 1_015_046_380


def test_a_plain_duckdb_shell(database_path: Path) -> None:
    shell = shutil.which("duckdb", path=Path(sys.executable).parent)
    assert shell, "duckdb-cli is part of the dev extra"
    done = subprocess.run([shell, "-readonly", "-csv", str(database_path), QUERY], capture_output=True, text=True)
    assert done.stdout.split() == ["n,idle_ns", f"2072,{IDLE}"], done.stderr


def test_the_lowest_supported_duckdb(database_path: Path) -> None:
    lowest = Path(sys.prefix) / "lowest"
    if not lowest.is_dir():
        pytest.skip("the lowest supported duckdb is not installed: make test does it")
    code = (
        "import duckdb, sys\n"
        f"con = duckdb.connect(r'{database_path}', read_only=True)\n"
        f'print(duckdb.__version__, con.execute("""{QUERY}""").fetchall(), con.execute("""{MACRO}""").fetchall()[0][0] > 0)\n'
        f"con = duckdb.connect()\ncon.execute(\"ATTACH '{database_path}' AS other (READ_ONLY)\")\n"
        'print(con.execute("SELECT count(*) FROM other.v1.gaps").fetchall()[0][0] > 0)\n'
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(lowest)})
    assert done.stdout == f"1.4.4 [(2072, {IDLE})] True\nTrue\n", done.stderr
