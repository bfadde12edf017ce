"""stddev_or_zero on values that can be checked by eye."""

from __future__ import annotations

import pytest

from tests.blueprint import check


@pytest.mark.parametrize(
    ("values", "expect"),
    [
        pytest.param("NULL::BIGINT", "0.0", id="n = 0"),
        pytest.param("7", "0.0", id="n = 1"),
        pytest.param("1,3", "1.4142135623730951", id="n = 2"),
        pytest.param("1,NULL,3", "1.4142135623730951", id="NULL is no value"),
        pytest.param("1,1,3,3", "1.1547005383792515", id="n = 4: the square root of 4 / 3"),
        pytest.param("1,1,1,1,1,1,1,1,1,1,1,25", "6.928203230275509", id="n = 12: the square root of (11 * 4 + 484) / 11"),
    ],
)
def test_cases(values: str, expect: str) -> None:
    check(rows={}, query=f"SELECT stddev_or_zero( x) AS s FROM (SELECT unnest([{values}]) AS x)", expect=f"s\n{expect}")


def test_groups() -> None:
    check(
        rows={},
        query="SELECT g, stddev_or_zero( x) AS s FROM (VALUES (1, 1), (1, 5), (2, 3)) t(g, x) GROUP BY g ORDER BY g",
        expect="g,s\n1,2.8284271247461903\n2,0.0",
    )
