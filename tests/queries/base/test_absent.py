"""absent: tables and columns that an export lacks, and those that are not loaded."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from nsysql.sources import load_sources

from tests.blueprint import check
from tests.queries.conftest import Traced, each_export


def test_tables_and_columns() -> None:
    check(
        rows={
            "nsysql_meta.source_tables": """report_id,table_name,source_name,state,row_count
                1,K,K,loaded,5
                1,M,,absent,0
                1,P,P,private,7
                1,X,X,not_loaded,9
                1,ENUM,ENUM_A,loaded,2
                1,ENUM,ENUM_B,loaded,3""",
            "nsysql_meta.source_columns": """report_id,table_name,column_name,state
                1,K,start,present
                1,K,graphId,absent
                1,K,path,private
                1,ENUM,label,absent
                1,ENUM,label,absent
                2,K,start,present""",
        },
        query="SELECT report_id, table_name, column_name, state, row_count FROM absent ORDER BY ALL",
        expect="""report_id,table_name,column_name,state,row_count
            1,ENUM,label,absent,5
            1,K,graphId,absent,5
            1,K,path,private,5
            1,M,,absent,0
            1,P,,private,7
            1,X,,not_loaded,9""",
    )


@each_export("cudf_2020", "lanl_2021_5", "wddm_windows", "nccl_payload_2026_2")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    with closing(sqlite3.connect(traced.export)) as source:
        names = source.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall()
        columns = {n: {r[1] for r in source.execute(f"PRAGMA table_info({n})")} for (n,) in names}
    specs = [s for s in load_sources().values() if not s.glob]
    found = {s.name: next((columns[n] for n in (s.name, s.was) if n in columns), None) for s in specs}
    lacking = {(s.name, None) for s in specs if found[s.name] is None}
    lacking |= {
        (s.name, c.name)
        for s in specs
        for c in s.columns
        if found[s.name] is not None and not s.is_private and c.role != "rowid" and not {c.name, c.was} & found[s.name]
    }
    rows = traced.rows("absent", "table_name, column_name, state")
    assert {r[:2] for r in rows if r[2] == "absent" and r[0] != "ENUM"} == lacking
    unknown = columns.keys() - {n for s in specs for n in (s.name, s.was)} - {n for n in columns if n.startswith("ENUM_")}
    assert {r[0] for r in rows if r[2] == "not_loaded" and r[1] is None} == unknown
