"""sources.sql: every table in it is understood, and what is never read is what it says."""

from __future__ import annotations

from nsysql.paths import queries_dir
from nsysql.sources import load_sources


def test_every_table_of_the_file_is_one() -> None:
    text = (queries_dir() / "sources.sql").read_text()
    assert len(load_sources()) == text.count("\nCREATE TABLE raw.")


def test_tables_that_are_never_read() -> None:
    private = {s.name for s in load_sources().values() if s.is_private}
    assert private == {"ProcessStreams", "ANALYSIS_FILE", "TARGET_INFO_PROCESS", "OSRT_ARGUMENTS"}
