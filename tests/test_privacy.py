"""Nothing secret is loaded, stored or printed."""

from __future__ import annotations

import csv
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import nsysql
import pytest
from nsysql.catalog import load_catalog

from tests.conftest import FIXTURES

SECRETS = {
    "environment": "hf_FAKEfakeFAKE0001", "argument": "--password=FAKEpw0012", "host": "fakehost01.corp.example",
    "user": "jane_fake", "folder": "secret_project_fake", "output": "ghp_FAKEfake0016", "uuid": "fa4efa4e-0015-4000-8000-fa4efa4efa4e",
    "other process": "sshd: jane_fake@pts/18",
}  # fmt: skip


def plant(path: Path) -> None:
    """A copy of a bundled export with invented secrets where real exports hold them."""
    path.write_bytes((FIXTURES / "tiny.sqlite").read_bytes())
    with closing(sqlite3.connect(path)) as db:
        pid = db.execute("SELECT globalPid FROM PROCESSES").fetchone()[0]
        home = f"/home/{SECRETS['user']}/{SECRETS['folder']}"
        run = db.execute
        run("UPDATE PROCESSES SET name = ?", [f"{home}/python3"])
        run("INSERT INTO PROCESSES VALUES (?, 9, ?)", [1 << 48 | 9 << 24, SECRETS["other process"]])
        run("UPDATE TARGET_INFO_SYSTEM_ENV SET value = ? WHERE name = 'Hostname'", [SECRETS["host"]])
        run("UPDATE TARGET_INFO_SYSTEM_ENV SET value = ? WHERE name = 'DeviceEnvironment'", [SECRETS["environment"]])
        run("UPDATE TARGET_INFO_GPU SET uuid = ?", [SECRETS["uuid"]])
        run("UPDATE DIAGNOSTIC_EVENT SET text = ? WHERE rowid = 2", [f"see {home}/streams/pid_1_stdout.log"])
        for name, value in (("PROCESS_0:ENVIRONMENT_VARIABLE", f'TOKEN="{SECRETS["environment"]}"'), ("PROCESS_0:ENVIRONMENT_VARIABLE", 'RANK="3"'),
                            ("PROCESS_0:ARGUMENT_1", SECRETS["argument"]), ("PROCESS_0:USER_NAME", SECRETS["user"])):  # fmt: skip
            run("INSERT INTO META_DATA_CAPTURE VALUES (?, ?)", [name, value])
        run("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_USER', ?)", [SECRETS["user"]])
        run(
            "INSERT INTO StringIds VALUES (900001, ?), (900002, ?)", [SECRETS["output"], f"A=1\0TOKEN={SECRETS['environment']}"]
        )
        run("CREATE TABLE IF NOT EXISTS ProcessStreams (globalPid INTEGER, filenameId INTEGER, contentId INTEGER)")
        run("INSERT INTO ProcessStreams VALUES (?, 900001, 900001)", [pid])
        db.commit()


def leaks(text: bytes, secrets: list[str]) -> list[str]:
    return [s for s in secrets if s.encode() in text]


def everything(export: Path, folder: Path) -> bytes:
    """All bytes that nsysql writes or prints about an export: database, Parquet, every view, every message."""
    database = folder / "db.duckdb"
    parts = [b""]
    done = subprocess.run([sys.executable, "-m", "nsysql", "ingest", export, "--db", database], capture_output=True)
    parts += [done.stdout, done.stderr, database.read_bytes()]
    with nsysql.open(database) as db:
        db.export(folder / "parquet")
        for view in load_catalog().views.values():
            if view.kind == "view" and view.has_view:
                parts.append(repr(db.sql(f"FROM {view.name}").fetchall()).encode())
        for (table,) in db.sql("SELECT schema_name || '.' || table_name FROM duckdb_tables()").fetchall():
            parts.append(repr(db.sql(f"FROM {table}").fetchall()).encode())
    parts += [p.read_bytes() for p in (folder / "parquet").iterdir()]
    return b"\n".join(parts)


def test_planted_secrets_are_nowhere(tmp_path: Path) -> None:
    plant(tmp_path / "planted.sqlite")
    everything_known = everything(tmp_path / "planted.sqlite", tmp_path)
    assert leaks(everything_known, list(SECRETS.values())) == []
    assert b'RANK="3"' in everything_known


def test_nothing_is_left_of_an_ingest_but_the_database(tmp_path: Path) -> None:
    plant(tmp_path / "planted.sqlite")
    nsysql.ingest([tmp_path / "planted.sqlite"], tmp_path / "db.duckdb")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".db.duckdb.lock", "db.duckdb", "planted.sqlite"]


@pytest.mark.corpus
def test_the_corpus_file_with_secrets(corpus: Path, tmp_path: Path) -> None:
    export = next(corpus.rglob("privacy.sqlite"))
    with next(corpus.rglob("privacy_secrets.tsv")).open() as file:
        secrets = [row[0] for row in csv.reader(file, delimiter="\t") if row and not row[0].startswith("#")]
    assert len(secrets) > 10
    assert leaks(everything(export, tmp_path), secrets) == []
