"""openmp_events: eighteen tables in one relation."""

from __future__ import annotations

import pytest
from nsysql.catalog import load_catalog

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

MAIN = (5 << 24) + 5
TABLES = [name.removeprefix("OPENMP_EVENT_KIND_") for name in load_catalog().get("openmp_events").source]
COMMON = "report_id,_rowid,start,end,globalTid,nameId"


def test_every_table_has_a_kind_and_numbers_of_its_own() -> None:
    rows = {f"raw.OPENMP_EVENT_KIND_{t}": f"{COMMON}\n1,1,10,{20 + i},{MAIN},0" for i, t in enumerate(TABLES)}
    check(
        rows=rows | {"raw.StringIds": "report_id,id,value\n1,0,x"},
        query="SELECT kind, name, dur_ns, thread_id, count(DISTINCT event_id) OVER () AS n FROM openmp_events ORDER BY dur_ns",
        expect="kind,name,dur_ns,thread_id,n\n" + "\n".join(f"{t.lower()},x,{10 + i},{MAIN},18" for i, t in enumerate(TABLES)),
    )


@pytest.mark.parametrize(
    ("table", "columns", "expect"),
    [
        ("PARALLEL", "parallelId,parentTaskId", "7,8,"),
        ("TASK", "parallelId,taskId", "7,8,"),
        ("TASK_CREATE", "newTaskId,parentTaskId", ",8,"),
        ("MUTEX_WAIT", "waitId,taskId", ",8,7"),
        ("CRITICAL_SECTION", "waitId,kind", ",,7"),
    ],
)
def test_what_it_is_about(table: str, columns: str, expect: str) -> None:
    check(
        rows={f"raw.OPENMP_EVENT_KIND_{table}": f"{COMMON},{columns}\n1,1,10,,{MAIN},,7,8"},
        query="SELECT parallel_id, task_id, wait_id FROM openmp_events",
        expect=f"parallel_id,task_id,wait_id\n{expect}",
    )


@each_export()
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    expected = [
        (t.lower(), texts.get(r["nameId"]), r["start"], r["end"], r["globalTid"])
        for t in TABLES
        for r in rows_of(traced.export, f"OPENMP_EVENT_KIND_{t}")
    ]
    found = traced.rows("openmp_events", "kind, name, start_ns, end_ns, thread_id")
    assert sorted(found, key=str) == sorted(expected, key=str)
