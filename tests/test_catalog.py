"""The catalog: dependencies, order, qualified bodies, what it refuses, what it installs."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from nsysql.catalog import Catalog, CatalogError
from nsysql.errors import UsageError
from nsysql.install import create_tables, install

HEADER = "-- Things.\n--\n-- @version 1\n-- @grain x\n{tags}-- @column x INTEGER id The thing.\n{body}\n"


def catalog(tmp_path: Path, **bodies: str) -> Catalog:
    """A catalog with the views layer__name=body; tags may stand before the body after a bar."""
    for key, text in bodies.items():
        layer, name = key.split("__")
        tags, _, body = text.rpartition("|")
        folder = tmp_path / layer
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.sql").write_text(HEADER.format(tags=f"-- {tags}\n" if tags else "", body=body))
    return Catalog.read(tmp_path)


def test_dependencies_are_read_from_the_text(tmp_path: Path) -> None:
    found = catalog(
        tmp_path,
        gpu__c="WITH own AS (SELECT x FROM b) SELECT x FROM own JOIN m('own') USING (x) WHERE x IN (SELECT x FROM a)",
        base__a="SELECT x FROM raw.StringIds",
        base__b="SELECT x FROM a",
        lib__m="@kind macro\n-- @param rows TABLE - - A relation.|SELECT x FROM query_table(rows)",
    )
    assert found.dependencies("c") == {"a", "b", "m"}
    assert found.raw_tables("a") == {"StringIds"}
    order = [v.name for v in found.order]
    assert order.index("a") < order.index("b") < order.index("c")
    assert [v.name for v in found.closure(["b"])] == ["a", "b"]


def test_names_are_qualified_where_they_stand(tmp_path: Path) -> None:
    found = catalog(
        tmp_path,
        base__a="SELECT x FROM raw.StringIds",
        gpu__c="WITH own AS ( -- a comment that names a\nSELECT a.x, 'a' AS a FROM a) SELECT x FROM own AS a JOIN a AS é USING (x)",
    )
    assert "FROM v1.a)" in found.qualified_body(found.views["c"])
    assert "SELECT a.x, 'a' AS a FROM v1.a" in found.qualified_body(found.views["c"])
    assert "JOIN v1.a AS é" in found.qualified_body(found.views["c"])
    assert found.qualified_body(found.views["a"]) == "SELECT x FROM raw.StringIds\n"


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        ({"base__a": "SELECT x FROM b", "base__b": "SELECT x FROM a"}, "a -> b -> a"),
        ({"base__a": "SELECT x FROM bb", "base__bbb": "SELECT 1 AS x"}, "did you mean bbb"),
        ({"base__a": "SELECT x FROM raw.Strings"}, "did you mean StringIds"),
        ({"base__a": "SELECT 1 AS x", "gpu__a": "SELECT 1 AS x"}, "is also"),
        ({"base__a": "SELECT 1 AS x; SELECT 2"}, "one SELECT"),
        ({"base__a": "DELETE FROM t"}, "one SELECT"),
        ({"base__a": "PIVOT t ON y USING sum(x)"}, "one SELECT"),
        ({"base__a": "SELECT 1 AS x", "base__b": "WITH a AS (SELECT 2 AS x) SELECT x FROM a"}, "hides the view"),
        ({"base__a": "@param x INTEGER 1 - A parameter.|SELECT 1 AS x"}, "name of a column"),
        ({"lib__m": "@kind scalar\n-- @param v ANY - - A value.|SELECT v, 1"}, "one expression"),
        ({"lib__m": "@kind scalar\n-- @param v ANY - - A value.|SELECT v FROM range(3)"}, "one expression"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, bodies: dict[str, str], message: str) -> None:
    with pytest.raises(CatalogError, match=message):
        _ = catalog(tmp_path, **bodies).order


def test_an_unknown_view_gets_the_closest_names(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean things"):
        catalog(tmp_path, base__things="SELECT 1 AS x").get("thing")


def test_parameters_install_as_macro_and_view(tmp_path: Path) -> None:
    found = catalog(tmp_path, base__a="@param step INTEGER 5 - A step.|SELECT step AS x", gpu__b="SELECT x + 1 AS x FROM a")
    with duckdb.connect() as con:
        install(con, found)
        assert con.sql("FROM a").fetchall() == [(5,)]
        assert con.sql("FROM a(step := 7)").fetchall() == [(7,)]
        assert con.sql("FROM v1.a(step := 8)").fetchall() == [(8,)]
        assert con.sql("FROM b").fetchall() == [(6,)]


def test_a_scalar_macro_is_an_aggregate_wherever_it_is_called(tmp_path: Path) -> None:
    found = catalog(
        tmp_path,
        lib__top="@kind scalar\n-- @param v ANY - - Values.\n-- @param more ANY 0 - Added.|SELECT coalesce(max(v), -1) + more",
        lib__twice="@kind scalar\n-- @param v ANY - - Values.|SELECT 2 * top(v)",
        base__a="@column y INTEGER - Number.|SELECT range::INTEGER AS y, (range % 2)::INTEGER AS x FROM range(10)",
        gpu__b="SELECT x, top(y) AS t, twice(y) AS tt, sum(top(y)) OVER () AS s FROM a GROUP BY x",
    )
    assert found.dependencies("b") == {"a", "top", "twice"}
    with duckdb.connect() as con:
        install(con, found)
        con.execute("CREATE SCHEMA other; CREATE MACRO other.top(v) AS 99")
        for schema in ("main", "other", "v1"):
            con.execute(f"SET schema = '{schema}'")
            assert con.sql("FROM v1.b ORDER BY x").fetchall() == [(0, 8, 16, 17), (1, 9, 18, 17)]
        con.execute("SET schema = 'main'")
        assert con.sql("SELECT top(y), top(y, more := 5), v1.top(y) FROM a").fetchall() == [(9, 14, 9)]
        assert con.sql("SELECT top(y) FROM a WHERE false").fetchall() == [(-1,)]


def test_a_scalar_macro_is_commented_and_replaced(tmp_path: Path) -> None:
    text = "@kind scalar\n-- @param v ANY - - A value.|SELECT v + {}"
    with duckdb.connect() as con:
        for added in (1, 2):
            install(con, catalog(tmp_path, lib__plus=text.format(added)))
            assert con.sql("SELECT plus(10)").fetchall() == [(10 + added,)]
        comments = "SELECT schema_name, comment FROM duckdb_functions() WHERE function_name = 'plus' ORDER BY 1"
        assert con.sql(comments).fetchall() == [("main", "Things."), ("v1", "Things.")]
        install(con, Catalog([]))
        assert con.sql(comments).fetchall() == []


def test_a_body_binds_in_its_own_schema_whatever_the_search_path(tmp_path: Path) -> None:
    found = catalog(tmp_path, base__a="SELECT 1 AS x", gpu__m="@param step INTEGER 5 - A step.|SELECT a.x FROM a")
    with duckdb.connect() as con:
        install(con, found)
        con.execute("CREATE SCHEMA other; CREATE VIEW other.a AS SELECT 99 AS x; SET schema = 'other'")
        assert con.sql("FROM v1.m()").fetchall() == [(1,)]


def test_comments_tell_units(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        install(con, catalog(tmp_path, base__a="SELECT 1 AS x"))
        comments = con.sql("SELECT comment FROM duckdb_columns() WHERE table_name = 'a' AND schema_name = 'main'").fetchall()
        assert comments == [("[id] The thing.",)]
        assert con.sql("SELECT comment FROM duckdb_views() WHERE view_name = 'a' AND schema_name = 'v1'").fetchall() == [
            ("Things.",)
        ]


def test_derived_rows_follow_the_text_of_the_view(tmp_path: Path) -> None:
    table = "@kind table\n-- @column report_id INTEGER id Report.|SELECT n + {} AS x, report_id FROM b"
    base = "-- @column report_id INTEGER id Report.\n"
    below = "@column n INTEGER - Number.\n" + base + "--|SELECT 0 AS x, 1 AS n, report_id FROM nsysql_meta.report_files"
    with duckdb.connect() as con:
        create_tables(con)
        con.execute("INSERT INTO nsysql_meta.report_files (report_id) VALUES (1), (2)")
        first = catalog(tmp_path, base__t=table.format(1).replace("@column report", "@column report"), base__b=below)
        install(con, first)
        assert con.sql("SELECT DISTINCT x FROM t").fetchall() == [(2,)]
        second = catalog(tmp_path, base__t=table.format(10), base__b=below)
        install(con, second)
        assert con.sql("SELECT DISTINCT x FROM t").fetchall() == [(11,)]
        assert first.derived_table(first.views["t"]) != second.derived_table(second.views["t"])
