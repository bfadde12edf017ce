"""api_sum on rows that can be checked by eye, and against loops over the source rows."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from pathlib import Path

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import api_calls, enclosing_calls, rows_of
from tests.conftest import EXPORTS

CALLS = "report_id,process_id,thread_id,api,name,dur_ns,is_nested,result\n"


def test_no_moment_counts_twice() -> None:
    check(
        rows={
            "api_calls": CALLS
            + "1,5,7,runtime,cudaLaunchKernel,60,false,0\n1,5,7,driver,cuLaunchKernel,50,true,0\n1,5,7,driver,cuLaunchKernel,40,false,0"
        },
        query="SELECT name, call_count, nested_count, outermost_ns, outermost_ratio, inclusive_ns FROM api_sum ORDER BY outermost_ns DESC",
        expect="""name,call_count,nested_count,outermost_ns,outermost_ratio,inclusive_ns
            cudaLaunchKernel,1,0,60,0.6,60
            cuLaunchKernel,2,1,40,0.4,90""",
    )


def test_processes_threads_and_apis_apart() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "api_calls": CALLS
            + "1,5,7,runtime,f,10,false,0\n1,5,8,runtime,f,20,false,0\n1,5,8,driver,f,20,false,0\n2,5,7,runtime,f,5,false,0"
        },
        query="SELECT report_id, thread_id, api, outermost_ns, outermost_ratio FROM api_sum ORDER BY ALL",
        expect="report_id,thread_id,api,outermost_ns,outermost_ratio\n1,7,runtime,10,1.0\n1,8,driver,20,0.5\n1,8,runtime,20,0.5\n2,7,runtime,5,1.0",
    )


def test_errors_and_statistics() -> None:
    check(
        rows={"api_calls": CALLS + "\n".join(f"1,5,7,driver,q,{d},true,{r}" for d, r in [(1, 0), (2, 600), (3, ""), (10, 1)])},
        query="SELECT error_count, outermost_ns, outermost_ratio, mean_ns, q1_ns, median_ns, q3_ns, min_ns, max_ns, round(stddev_ns, 3) AS s FROM api_sum",
        expect="error_count,outermost_ns,outermost_ratio,mean_ns,q1_ns,median_ns,q3_ns,min_ns,max_ns,s\n2,0,,4.0,1.5,2.5,6.5,1,10,4.082",
    )


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export: Path) -> None:
    names = {r["id"]: re.sub(r"(_v[0-9]+)+$", "", r["value"]) for r in rows_of(export, "StringIds")}
    calls = api_calls(export)
    around = enclosing_calls(calls)
    groups = defaultdict(list)
    for call in calls:
        groups[call["globalTid"], names[call["nameId"]], call["eventClass"]].append(call)
    expected = []
    for (thread, name, _), own in groups.items():
        lengths = [c["end"] - c["start"] for c in own]
        outermost = sum(c["end"] - c["start"] for c in own if not around[c["_rowid"]])
        errors = sum(c["returnValue"] != 0 for c in own)
        expected.append((thread, name, len(own), errors, outermost, sum(lengths), statistics.median(lengths)))
    report = db.report_ids([export.stem])[0]
    columns = "thread_id, name, call_count, error_count, outermost_ns, inclusive_ns, median_ns"
    assert db.sql(f"SELECT {columns} FROM api_sum WHERE report_id = {report} ORDER BY ALL").fetchall() == sorted(expected)
