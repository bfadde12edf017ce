"""The interval macros against a loop over every nanosecond, on random intervals of two tracks."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nsysql.connect import SETTINGS

from tests.blueprint import build

Rows = list[tuple[int, int, int]]
rows = st.lists(st.tuples(st.integers(1, 2), st.integers(0, 60), st.integers(0, 15)), min_size=1, max_size=10)
some = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    query = "interval_union( interval_union_ns( interval_gaps( interval_overlap_count( interval_intersection("
    with duckdb.connect(config=SETTINGS) as con:
        build(con, {}, "report_id\n1", query)
        yield con


def values(given_rows: Rows) -> str:
    return "VALUES " + ", ".join(f"(1, {track}, {start}, {start + length})" for track, start, length in given_rows)


def covered(given_rows: Rows, track: int) -> dict[int, int]:
    """How many intervals cover the nanosecond that begins at a time."""
    inside = [range(start, start + length) for t, start, length in given_rows if t == track]
    return {at: sum(at in r for r in inside) for at in range(80)}


def total(con: duckdb.DuckDBPyConnection, macro: str, track: int, a: Rows, b: Rows | None = None) -> list[tuple[int, int]]:
    names = "report_id, track_id, start_ns, end_ns"
    second = f", b ({names}) AS ({values(b)})" if b is not None else ""
    call = f"{macro}('a', 'b')" if b is not None else f"{macro}('a')"
    query = f"WITH a ({names}) AS ({values(a)}){second} SELECT start_ns, end_ns FROM {call} WHERE track_id = {track} AND end_ns > start_ns ORDER BY 1"
    return con.sql(query).fetchall()


def times(intervals: list[tuple[int, int]]) -> set[int]:
    return {at for start, end in intervals for at in range(start, end)}


@some
@given(rows)
def test_union_and_gaps_share_out_the_time(con: duckdb.DuckDBPyConnection, a: Rows) -> None:
    for track in {t for t, _, _ in a}:
        cover = {at for at, count in covered(a, track).items() if count}
        union, gaps = total(con, "interval_union", track, a), total(con, "interval_gaps", track, a)
        assert times(union) == cover
        length = con.sql(
            f"WITH a (report_id, track_id, start_ns, end_ns) AS ({values(a)}) FROM interval_union_ns('a') WHERE track_id = {track}"
        )
        assert length.fetchall() == [(1, track, sum(t == track for t, _, _ in a), len(cover))]
        first, last = min(s for t, s, _ in a if t == track), max(s + d for t, s, d in a if t == track)
        assert times(gaps) == set(range(first, last)) - cover
        assert all(x[1] < y[0] for x, y in zip(union, union[1:]))


@some
@given(rows)
def test_overlap_count_is_the_number_of_open_intervals(con: duckdb.DuckDBPyConnection, a: Rows) -> None:
    names = "report_id, track_id, start_ns, end_ns"
    for track in {t for t, _, _ in a}:
        query = f"WITH a ({names}) AS ({values(a)}) SELECT start_ns, end_ns, overlap_count FROM interval_overlap_count('a') WHERE track_id = {track}"
        counts = {at: n for start, end, n in con.sql(query).fetchall() for at in range(start, end)}
        expected = covered(a, track)
        assert all(counts.get(at, 0) == expected[at] for at in expected)


@some
@given(rows, rows)
def test_intersection_is_what_both_cover(con: duckdb.DuckDBPyConnection, a: Rows, b: Rows) -> None:
    for track in (1, 2):
        both = {at for at in range(80) if covered(a, track)[at] and covered(b, track)[at]}
        assert times(total(con, "interval_intersection", track, a, b)) == both
