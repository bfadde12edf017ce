"""quartile on values that can be checked by eye, and against the definition in integers."""

from __future__ import annotations

import random

import duckdb
import pytest
from nsysql.catalog import load_catalog
from nsysql.install import create_tables, install_views

from tests.blueprint import check


@pytest.mark.parametrize(
    ("values", "q1", "q3"),
    [
        pytest.param("", "", "", id="n = 0"),
        pytest.param("7", "7.0", "7.0", id="n = 1"),
        pytest.param("1,2", "1.0", "2.0", id="n = 2"),
        pytest.param("1,2,3,4", "1.5", "3.5", id="n = 4: half-way"),
        pytest.param("1,2,3,4,5,6", "2.0", "5.0", id="n = 6"),
        pytest.param("12,1,11,2,10,3,9,4,8,5,7,6", "3.5", "9.5", id="n = 12, in any order"),
        pytest.param("5,5,5,5", "5.0", "5.0", id="twins"),
        pytest.param("-4,-3,-2,-1", "-3.5", "-1.5", id="negative"),
        pytest.param("1,NULL,2,3,NULL,4", "1.5", "3.5", id="NULL is no value"),
        pytest.param("0.5,1.5", "0.5", "1.5", id="fractions"),
    ],
)
def test_cases(values: str, q1: str, q3: str) -> None:
    check(
        rows={},
        query=f"SELECT quartile( x, 1) AS q1, quartile( x, 3) AS q3 FROM (SELECT unnest([{values}]) AS x)",
        expect=f"q1,q3\n{q1},{q3}",
    )


def test_groups() -> None:
    check(
        rows={},
        query="SELECT g, quartile( x, 1) AS q1 FROM (VALUES (1, 1), (1, 2), (2, 30), (2, 40), (2, 50), (2, 60)) t(g, x) GROUP BY g ORDER BY g",
        expect="g,q1\n1,1.0\n2,35.0",
    )


def test_equals_the_definition() -> None:
    catalog = load_catalog()
    with duckdb.connect() as con:
        create_tables(con)
        install_views(con, catalog, [catalog.get("quartile")])
        for n in range(1, 60):
            values = [random.randrange(-(10**12), 10**12) for _ in range(n)]
            columns = "v1.quartile(x, 1), v1.quartile(x, 2), v1.quartile(x, 3), median(x)"
            text = f"SELECT {columns} FROM (SELECT unnest({values}) AS x)"
            ordered = sorted(values)
            expected = []
            for quarter in (1, 2, 3):
                whole, rest = divmod(n * quarter, 4)
                expected.append(ordered[whole] if rest else (ordered[whole - 1] + ordered[whole]) / 2)
            assert con.sql(text).fetchall() == [(*expected, expected[1])], n
