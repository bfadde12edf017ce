"""Formats: every one over rows that hold every hard value."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import duckdb
import pyarrow
import pyarrow.parquet
import pytest
from nsysql.output import FORMATS, write_rows
from nsysql.printing import write
from nsysql.tables import human

HARD = """
SELECT * FROM (VALUES
    (1, 'plain', 1.5::DOUBLE, 12345678901234567890123::HUGEINT, TRUE, [1, 2], {'a': 1}, TIMESTAMP '2026-01-02 03:04:05'),
    (2, 'comma, "quote"', 'nan'::DOUBLE, 0::HUGEINT, FALSE, [], {'a': NULL}, NULL),
    (9007199254740993, E'two\nlines | bar', 'inf'::DOUBLE, NULL, NULL, NULL, NULL, NULL),
    (NULL, '', 0.1::DOUBLE, -1::HUGEINT, NULL, NULL, NULL, NULL),
    (5, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
) AS t (id, name, value, big, flag, list, struct, moment)
"""


def written(query: str, format: str, **options) -> bytes:
    stream = io.BytesIO()
    with duckdb.connect() as con:
        write_rows(con.sql(query), format, stream, **options)
    return stream.getvalue()


def test_csv_reads_back() -> None:
    rows = list(csv.reader(io.StringIO(written(HARD, "csv").decode())))
    assert rows[0] == ["id", "name", "value", "big", "flag", "list", "struct", "moment"]
    assert rows[1][:5] == ["1", "plain", "1.5", "12345678901234567890123", "true"]
    assert rows[2][1] == 'comma, "quote"'
    assert rows[3][:2] == ["9007199254740993", "two\nlines | bar"]
    assert len(rows) == 6


def test_csv_keeps_null_and_empty_text_apart() -> None:
    lines = written("SELECT * FROM (VALUES ('', 1), (NULL, 2)) AS t (a, b)", "csv").decode().splitlines()
    assert lines == ["a,b", '"",1', ",2"]


def test_json_and_jsonl_read_back() -> None:
    rows = json.loads(written(HARD, "json"))
    assert rows == [json.loads(line) for line in written(HARD, "jsonl").decode().splitlines()]
    assert rows[0]["big"] == 12345678901234567890123
    assert rows[0]["list"] == [1, 2]
    assert rows[1]["value"] is None
    assert rows[2]["id"] == 9007199254740993
    assert rows[3]["name"] == ""
    assert rows[4]["name"] is None


def test_markdown_is_one_line_a_row() -> None:
    lines = written(HARD, "markdown").decode().splitlines()
    assert len(lines) == 7
    assert "two lines \\| bar" in lines[4]
    assert lines[1].startswith("| ---: | --- |")


def test_parquet_holds_types_and_metadata() -> None:
    data = written("SELECT 5::BIGINT AS dur_ns, sum(1) AS n", "parquet", metadata={"nsysql_view": "x"}, units={"dur_ns": "ns"})
    file = pyarrow.parquet.ParquetFile(io.BytesIO(data))
    assert file.schema_arrow.metadata[b"nsysql_view"] == b"x"
    assert file.schema_arrow.field("dur_ns").metadata[b"unit"] == b"ns"
    assert file.schema_arrow.field("dur_ns").type == pyarrow.int64()
    assert file.read().to_pylist() == [{"dur_ns": 5, "n": 1}]


def test_arrow_reads_back() -> None:
    with pyarrow.ipc.open_stream(written(HARD, "arrow")) as reader:
        assert reader.read_all()["id"].to_pylist() == [1, 2, 9007199254740993, None, 5]


@pytest.mark.parametrize("format", FORMATS)
def test_no_rows_are_a_header_not_an_error(format: str) -> None:
    data = written("SELECT 1 AS a, 'x' AS b WHERE FALSE", format)
    expected = {"csv": b"a,b\n", "json": b"[]\n", "jsonl": b""}
    if format in expected:
        assert data == expected[format]
    elif format in ("table", "markdown"):
        assert b"a" in data and b"b" in data


@pytest.mark.parametrize("format", FORMATS)
def test_columns_of_one_name(format: str) -> None:
    data = written("SELECT 1 AS a, 2 AS a", format)
    if format == "csv":
        assert data == b"a,a\n1,2\n"


@pytest.mark.parametrize("format", ["csv", "jsonl", "markdown"])
def test_many_rows_keep_their_order(format: str) -> None:
    lines = written("SELECT i FROM range(50_000) AS t (i) ORDER BY i DESC", format).decode().splitlines()
    numbers = [int("".join(c for c in line if c.isdigit())) for line in lines if any(c.isdigit() for c in line)]
    assert numbers == list(range(49_999, -1, -1))


@pytest.mark.parametrize(
    ("value", "unit", "name", "expected"),
    [
        (12_345_678, "ns", "dur_ns", "12.3 ms"),
        (999, "ns", "dur_ns", "999 ns"),
        (0, "ns", "dur_ns", "0 ns"),
        (-1_500, "ns", "gap_ns", "-1.50 µs"),
        (5_361_275_662, "ns", "dur_ns", "5.36 s"),
        (1.25, "ns", "mean_ns", "1.25 ns"),
        (5_361_275_662, "ns", "start_ns", "5.361276 s"),
        (4_100_000_000, "bytes", "size_bytes", "4.10 GB"),
        (12, "bytes", "size_bytes", "12 B"),
        (4_814_304_000_000, "bytes_per_s", "x_bytes_per_s", "4.81 TB/s"),
        (0.9731, "ratio", "busy_ratio", "97.3 %"),
        (1234567, "count", "op_count", "1,234,567"),
        (1234567, "id", "op_id", "1234567"),
        (None, "ns", "dur_ns", ""),
        (True, "bool", "is_x", "yes"),
    ],
)
def test_human_units(value: object, unit: str, name: str, expected: str) -> None:
    assert human(value, unit, name) == expected


def test_only_the_table_has_human_units() -> None:
    query = "SELECT 12345678 AS dur_ns, 0.5::DOUBLE AS busy_ratio"
    assert b"12.3 ms" in written(query, "table")
    for format in ("csv", "json", "jsonl", "markdown"):
        assert b"12345678" in written(query, format)


def test_a_table_for_a_narrow_terminal_cuts_texts_never_numbers() -> None:
    text = written("SELECT 1234567 AS op_count, repeat('x', 200) AS name", "table", width=60).decode()
    assert "1,234,567" in text
    assert max(len(line) for line in text.splitlines()) <= 60
    assert "…" in text


def test_headers_break_before_texts_are_cut() -> None:
    query = "SELECT 1 AS previous_operation_id, 'a name of some length, long enough to matter' AS name, 5 AS other_long_count"
    lines = written(query, "table", width=70).decode().splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["previous_", "operation_", "id"]
    assert "a name of some length, long enough to matter" in lines[-1]


def test_what_cannot_fit_becomes_a_list() -> None:
    query = "SELECT " + ", ".join(f"{i}000000::BIGINT AS column_{i}" for i in range(1, 10))
    lines = written(query, "table", width=40).decode().splitlines()
    assert lines[0] == "-- 1 --"
    assert lines[1] == "column_1  1000000"


def test_a_file_cannot_control_the_terminal() -> None:
    text = written("SELECT chr(27) || '[31mred' || chr(10) || 'x' AS name", "table").decode()
    assert chr(27) not in text
    assert "[31mred x" in text


def test_a_table_is_computed_once(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        con.execute("CREATE SEQUENCE times")
        write(None, con.sql("SELECT nextval('times') AS n"), None, "table", tmp_path / "rows.txt", None)
        assert con.execute("SELECT currval('times')").fetchall() == [(1,)]
