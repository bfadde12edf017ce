"""The shape of a case test: rows of the relations below a view, a query, the rows expected; all on one page."""

from __future__ import annotations

import csv
import io

import duckdb
from nsysql.catalog import load_catalog
from nsysql.connect import SETTINGS
from nsysql.header import View
from nsysql.install import SOURCE_VIEWS, create_tables, install_views
from nsysql.sources import load_sources


def check(*, rows: dict[str, str], query: str, expect: str, reports: str = "report_id\n1") -> None:
    """Run `query` over the real text of the views it names, standing on the given rows, and compare with `expect`.

    `rows` maps a view or raw.TABLE to CSV text; columns not given are NULL, an empty cell is NULL. A view with parameters
    gives them whatever the parameters are. Views above the given ones are the shipped ones. `expect` is CSV text too: header
    and rows in the order of the query.
    """
    with duckdb.connect(config=SETTINGS) as con:
        build(con, rows, reports, query)
        result = con.sql(query)
        got = [list(result.columns), *([_text(v) for v in row] for row in result.fetchall())]
    want = list(csv.reader(io.StringIO(expect.strip())))
    want = [[cell.strip() for cell in row] for row in want]
    assert got == want, f"\n{_csv(got)}\nexpected\n{_csv(want)}"


def stored_islands(rows: str) -> str:
    """Rows of report, GPU, start and end as those of _busy_islands."""
    cells = [line.split(",") for line in rows.strip().splitlines()]
    stored = [f"{report},{gpu},{start},{int(end) - int(start)}" for report, gpu, start, end in cells]
    return "\n".join(["report_id,gpu_id,start_ns,dur_ns", *stored])


def build(con: duckdb.DuckDBPyConnection, rows: dict[str, str], reports: str, query: str) -> None:
    """Install the views that `query` needs on tables with the given rows."""
    catalog = load_catalog()
    create_tables(con)
    names = ("view_name", "table_name", "option_key", "option_value", "trace_option")
    con.execute(f"CREATE TABLE nsysql_meta.trace_sources ({', '.join(f'{n} VARCHAR' for n in names)})")
    con.execute(f"CREATE SCHEMA {catalog.schema}")
    _fill(con, "nsysql_meta.report_files", reports)
    named = [name for name in catalog.views if name in query.replace("(", " ").replace(",", " ").split()]
    needed: list[View] = []
    todo = list(named)
    while todo:
        name = todo.pop()
        view = catalog.views[name]
        if view in needed:
            continue
        needed.append(view)
        if name not in rows:
            todo += catalog.dependencies(name)
    views = [v for v in catalog.order if v in needed]
    unread = {name for name in rows if name in catalog.views} - {v.name for v in needed}
    assert not unread, f"rows of what the query does not read: {unread}"
    for table in sorted({t for v in views if v.name not in rows for t in catalog.raw_tables(v.name)}):
        con.execute(load_sources()[table].ddl)
    for name, text in rows.items():
        if name.startswith(("raw.", "nsysql_meta.")):
            is_of_sources = name.removeprefix("nsysql_meta.") in SOURCE_VIEWS
            _fill(con, "nsysql_meta.sources" if is_of_sources else name, text)
    for view in views:
        if view.name in rows:
            columns = ", ".join(f"{c.name} {c.type}" for c in view.columns)
            con.execute(f"CREATE TABLE {catalog.schema}.{view.name} ({columns})")
            _fill(con, f"{catalog.schema}.{view.name}", rows[view.name])
            if view.params:
                arguments = ", ".join(f"{p.name} := NULL" for p in view.params)
                con.execute(
                    f"CREATE MACRO {catalog.schema}.{view.name}({arguments}) AS TABLE FROM {catalog.schema}.{view.name}"
                )
        else:
            install_views(con, catalog, [view])
    con.execute(f"SET schema = '{catalog.schema}'")


def _fill(con: duckdb.DuckDBPyConnection, table: str, text: str) -> None:
    header, *lines = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text.strip())) if row]
    columns = ", ".join(f'"{name}"' for name in header)
    for line in lines:
        values = ", ".join("NULL" if cell == "" else "'" + cell.replace("'", "''") + "'" for cell in line)
        con.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})")


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _csv(rows: list[list[str]]) -> str:
    return "\n".join(",".join(row) for row in rows)
