"""What every file in queries/ must hold, checked on every bundled report."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nsysql
import pytest
from nsysql import checks
from nsysql.catalog import LAYERS, load_catalog
from nsysql.header import View
from nsysql.paths import queries_dir

CATALOG = load_catalog()
VIEWS = list(CATALOG.views.values())
ROWS = [v for v in VIEWS if not v.is_macro]
TESTS = Path(__file__).parent / "queries"

# A layer may use the layers named; lib knows nothing, base alone reads raw tables.
ARROWS = {
    "lib": (),
    "base": ("base", "lib"),
    "gpu": ("lib", "base", "gpu"),
    "api": ("lib", "base", "gpu", "api"),
    "nvtx": ("lib", "base", "gpu", "api", "nvtx"),
    "cpu": ("lib", "base", "gpu", "api", "nvtx", "cpu"),
    "check": LAYERS,
    "nsys": ("lib", "base", "nsys"),
}

each_view = pytest.mark.parametrize("view", VIEWS, ids=lambda v: v.name)
each_relation = pytest.mark.parametrize("view", ROWS, ids=lambda v: v.name)


@pytest.mark.parametrize("check", checks.CHECKS)
@each_view
def test_every_check_holds(db: nsysql.Database, view: View, check: str) -> None:
    assert list(checks.faults(db, view, [check])) == []


@each_view
def test_units_and_names_agree(view: View) -> None:
    suffixes = {
        "_ns": "ns",
        "_bytes": "bytes",
        "_ratio": "ratio",
        "_count": "count",
        "_hz": "hz",
        "_percent": "percent",
        "_mb": "mb",
        "_bytes_per_s": "bytes_per_s",
    }
    for column in view.columns:
        for suffix, unit in suffixes.items():
            if column.name.endswith(suffix):
                assert column.unit == unit, column.name
            if column.unit == unit == "ns":
                assert column.name.endswith("_ns"), column.name
        if column.unit in ("percent", "mb"):
            assert view.layer == "nsys", "ratios and bytes: only the views that equal NVIDIA's have percent and MB"
        if column.type == "BOOLEAN":
            assert re.match(r"(is|has|was)_", column.name), column.name
        if column.unit == "ns":
            assert column.type in ("BIGINT", "DOUBLE"), column.name


@each_view
def test_keys_point_to_columns(view: View) -> None:
    for column in view.columns:
        if match := re.fullmatch(r"id\((\w+)\.(\w+)\)", column.unit):
            assert match[2] in {c.name for c in CATALOG.get(match[1]).columns}, column.name


@each_relation
def test_keys_are_found(db: nsysql.Database, view: View) -> None:
    for column in view.columns:
        match = re.fullmatch(r"id\((\w+)\.(\w+)\)", column.unit)
        if match and match[1] != view.name:
            lost = db.sql(
                f"SELECT v.report_id, v.{column.name} FROM {view.name} v ANTI JOIN {match[1]} t "
                f"ON t.report_id = v.report_id AND t.{match[2]} = v.{column.name} WHERE v.{column.name} IS NOT NULL LIMIT 3"
            ).fetchall()
            assert lost == [], column.name


@each_view
def test_layers_look_only_down(view: View) -> None:
    for name in CATALOG.dependencies(view.name):
        assert CATALOG.views[name].layer in ARROWS[view.layer], f"{view.name} uses {name}"
    if view.layer != "base":
        assert CATALOG.raw_tables(view.name) == set(), "only base reads raw tables"


@each_view
def test_every_need_is_a_base_view_that_says_how_it_is_traced(view: View) -> None:
    for name in view.needs.views:
        assert CATALOG.get(name).trace, name
    if view.layer not in ("lib", "base", "check") and not view.is_private:
        assert view.needs.views, "a view of a topic says what it needs"


@each_view
def test_a_test_of_the_same_name_exists(view: View) -> None:
    if not view.is_private:
        assert (TESTS / view.layer / f"test_{view.name}.py").is_file()


@each_view
def test_body_avoids_known_traps(view: View) -> None:
    assert "round(" not in view.body.lower() or view.layer == "nsys", "rounding is the printer's"
    assert not re.search(r"FILTER \([^()]*\) OVER", view.body), "quadratic: sum(CASE ...) is not"
    assert "0x" not in view.body.lower(), "DuckDB has no hex literals"
    bare = re.sub(r"'[^']*'|--[^\n]*", "", view.body)
    assert not re.search(r"\b(?!raw\.)[a-z_]+\.[a-z_]+\.[a-z_]+", bare), "a.b.c is also schema b of a database that is named a"


def test_only_base_and_sources_know_nsight_spellings() -> None:
    spelling = re.compile(r"\b(globalTid|globalPid|demangledName|StringIds|correlationId|CUPTI_\w+|NVTX_EVENTS|EXPORT_\w+)\b")
    files = [*queries_dir().glob("*/*.sql"), *(queries_dir().parent / "nsysql").rglob("*.py")]
    found = [f"{f.name}: {m[0]}" for f in files if f.parent.name != "base" for m in spelling.finditer(f.read_text())]
    assert found == []


def test_no_analytical_sql_in_python() -> None:
    for file in (queries_dir().parent / "nsysql").rglob("*.py"):
        text = file.read_text()
        assert not re.search(r"\b(OVER \((?!\))|PARTITION BY|ASOF JOIN|sum\(dur)", text), file.name


def test_python_stays_thin() -> None:
    for file in (queries_dir().parent / "nsysql").rglob("*.py"):
        text = file.read_text()
        assert len(text.splitlines()) <= 350, f"{file.name} is too long"
        tree = ast.parse(text)
        public = [n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_")]
        methods = [m for c in public if isinstance(c, ast.ClassDef) for m in c.body if isinstance(m, ast.FunctionDef)]
        for node in [*public, *(m for m in methods if not m.name.startswith("_"))]:
            assert ast.get_docstring(node), f"{file.name}: {node.name} has no docstring"
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.lineno < 50, f"{file.name}: {node.name} needs a scroll"
