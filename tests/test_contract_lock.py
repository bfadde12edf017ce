"""queries/contract.json locks what every contract version promises; a change without a new version is refused here.

Columns and parameters may be added at the end, views may be added: `pytest --update-docs` takes them in. A column that goes,
or changes its name, place, type or unit, needs a new version of its view (queries/README.md).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from nsysql.catalog import Catalog, load_catalog
from nsysql.paths import queries_dir

from tests.test_versions import FILES, write

LOCK = queries_dir() / "contract.json"
Contract = dict[str, dict[str, dict[str, list[list[str]]]]]


def promised(catalog: Catalog) -> Contract:
    """What the views promise now: contract -> view -> columns (name, type, unit) and parameters (name, type)."""
    return {
        f"v{number}": {
            view.name: {
                "columns": [[c.name, c.type, c.unit] for c in view.columns],
                "params": [[p.name, p.type] for p in view.params],
            }
            for view in sorted(catalog.shown(number), key=lambda v: v.name)
            if not view.is_private
        }
        for number in range(1, catalog.contract + 1)
    }


def broken(locked: Contract, now: Contract) -> list[str]:
    """Every promise that is not kept any more."""
    found = []
    for contract, views in locked.items():
        for name, parts in views.items():
            current: dict[str, Any] = now.get(contract, {}).get(name, {})
            for part, entries in parts.items():
                kept = current.get(part, [])[: len(entries)]
                found += [f"{contract}.{name}: {part[:-1]} {e} is now {k}" for e, k in zip(entries, kept) if e != k]
                found += [f"{contract}.{name}: {part[:-1]} {e} is gone" for e in entries[len(kept) :]]
    return found


def test_what_was_promised_is_kept(request: pytest.FixtureRequest) -> None:
    locked, now = json.loads(LOCK.read_text()), promised(load_catalog())
    assert broken(locked, now) == [], "give the view a new version: queries/README.md"
    if request.config.getoption("--update-docs"):
        LOCK.write_text(_text(now))
    assert LOCK.read_text() == _text(now), "pytest --update-docs takes in what was added"


def _text(contract: Contract) -> str:
    """One line for each column and parameter, so that a change of the lock is easy to read."""
    return (
        re.sub(r"\[\s+(\"[^][]*\")\s+\]", lambda m: "[" + re.sub(r",\s+", ", ", m[1]) + "]", json.dumps(contract, indent=1))
        + "\n"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("-- @column dur_ns", "-- @column length_ns"),
            "column ['dur_ns', 'BIGINT', 'ns'] is now ['length_ns', 'BIGINT', 'ns']",
        ),
        (("dur_ns BIGINT ns", "dur_ns DOUBLE ns"), "is now ['dur_ns', 'DOUBLE', 'ns']"),
        (("dur_ns BIGINT ns", "dur_ns BIGINT count"), "is now ['dur_ns', 'BIGINT', 'count']"),
        (("-- @column dur_ns BIGINT ns Length.\n", ""), "column ['dur_ns', 'BIGINT', 'ns'] is gone"),
        (("-- @column op_id", "-- @column first INTEGER - One.\n-- @column op_id"), "is now ['first', 'INTEGER', '-']"),
    ],
)
def test_a_change_without_a_new_version_is_red(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    locked = promised(Catalog.read(write(tmp_path, FILES)))
    write(tmp_path, {"base/ops.sql": FILES["base/ops.sql"].replace(*change)})
    found = broken(locked, promised(Catalog.read(tmp_path)))
    assert message in found[0] and found[0].startswith("v2.ops: ")


def test_what_is_added_at_the_end_is_no_change(tmp_path: Path) -> None:
    locked = promised(Catalog.read(write(tmp_path, FILES)))
    more = "-- @column dur_ns BIGINT ns Length.\n-- @column more INTEGER - More.\n"
    write(tmp_path, {"base/ops.sql": FILES["base/ops.sql"].replace("-- @column dur_ns BIGINT ns Length.\n", more)})
    assert broken(locked, promised(Catalog.read(tmp_path))) == []


def test_a_view_that_goes_breaks_every_contract_that_had_it(tmp_path: Path) -> None:
    locked = promised(Catalog.read(write(tmp_path, FILES)))
    (tmp_path / "gpu/same.sql").unlink()
    assert [b.split(":")[0] for b in broken(locked, promised(Catalog.read(tmp_path)))] == ["v1.same", "v2.same"]
