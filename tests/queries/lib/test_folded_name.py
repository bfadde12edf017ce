"""folded_name on names that can be checked by eye."""

from __future__ import annotations

import pytest

from tests.blueprint import check


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("step_12", "step_*"),
        ("step12", "step*"),
        ("12", "*"),
        ("layers.3.mlp", "layers.*.mlp"),
        ("step_12/layers.3.mlp/fc1", "step_*/layers.*.mlp/fc*"),
        ("epoch 3: batch #17", "epoch *: batch #*"),
        ("size=128 (7)", "size=* (*)"),
        ("x[0]", "x[*]"),
        ("rank-1", "rank-*"),
        ("1/2/3", "*/*/*"),
        ("step1/step2", "step*/step*"),
        ("h2d_copy", "h2d_copy"),
        ("conv3x3_bias", "conv3x3_bias"),
        ("forward", "forward"),
    ],
)
def test_cases(name: str, folded: str) -> None:
    check(rows={}, query=f"SELECT folded_name( '{name}') AS name", expect=f"name\n{folded}")


def test_no_name_stays_none() -> None:
    check(rows={}, query="SELECT folded_name( NULL) IS NULL AS is_null", expect="is_null\nTrue")
