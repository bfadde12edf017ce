"""kernel_launches on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import gpu_ops, launching_calls, nvtx_ranges, rows_of
from tests.conftest import EXPORTS

ROWS = {
    "kernels": "report_id,op_id,process_id,gpu_id,start_ns,end_ns,dur_ns,name,name_id\n1,8,5,0,150,160,10,a,1\n1,16,5,0,105,190,85,b,2\n1,24,5,0,300,310,10,c,3\n1,32,5,0,320,330,10,d,",
    "api_ops": "report_id,op_id,call_id,op_number,reason\n1,8,1,1,\n1,16,2,1,\n1,24,,,call_not_recorded\n1,32,2,2,",
    "api_calls": "report_id,call_id,thread_id,name,start_ns,end_ns,dur_ns\n1,1,7,cudaLaunchKernel,100,120,20\n1,2,7,cudaGraphLaunch,100,140,40",
    "_call_ranges": "report_id,call_id,range_id,is_innermost\n1,1,3,true\n1,1,4,false",
    "nvtx_ranges": "report_id,range_id,path\n1,3,step/forward\n1,4,step",
    "_kernel_families": "report_id,name_id,family,operation,precision,tensor_cores\n1,1,gemm,nvjet,bf16,yes\n1,2,copy,layout,,no\n1,3,,,,unknown",
}


def test_latency_queue_and_range() -> None:
    check(
        rows=ROWS,
        query="SELECT name, call_id, launch_ns, latency_ns, queue_ns, op_number, reason, nvtx_path FROM kernel_launches ORDER BY op_id",
        expect="""name,call_id,launch_ns,latency_ns,queue_ns,op_number,reason,nvtx_path
            a,1,20,50,30,1,,step/forward
            b,2,40,5,0,1,,
            c,,,,,,call_not_recorded,
            d,2,40,220,180,2,,""",
    )


def test_family_of_each_kernel() -> None:
    check(
        rows=ROWS,
        query="SELECT name, family, operation, precision, tensor_cores FROM kernel_launches ORDER BY op_id",
        expect="""name,family,operation,precision,tensor_cores
            a,gemm,nvjet,bf16,yes
            b,copy,layout,,no
            c,,,,unknown
            d,,,,unknown""",
    )


def by_loop(export: Path) -> dict[int, tuple[Any, ...]]:
    """op_id -> call, duration of the call, latency, queue, path; one kernel after the other."""
    number_of = launching_calls(export)
    paths = {row[0]: row[3] for row in nvtx_ranges(export)}
    events = [e for e in rows_of(export, "NVTX_EVENTS") if e["_rowid"] in paths and e["end"] is not None]
    events = [e for e in events if e["endGlobalTid"] in (None, e["globalTid"])]
    found = {}
    for op in gpu_ops(export):
        if op["table"] != "KERNEL":
            continue
        call = number_of.get((op["globalPid"], op["correlationId"]))
        if call is None:
            found[op["op_id"]] = (None, None, None, None, None)
            continue
        holding = [
            e for e in events if e["globalTid"] == call["globalTid"] and e["start"] <= call["start"] and call["end"] <= e["end"]
        ]
        innermost = min(holding, key=lambda e: (e["end"] - e["start"], -e["start"], -e["_rowid"]), default=None)
        found[op["op_id"]] = (
            call["_rowid"],
            call["end"] - call["start"],
            op["start"] - call["start"],
            max(op["start"] - call["end"], 0),
            paths[innermost["_rowid"]] if innermost else None,
        )
    return found


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export: Path) -> None:
    report = db.report_ids([export.stem])[0]
    columns = "op_id, call_id, launch_ns, latency_ns, queue_ns, nvtx_path"
    rows = db.sql(f"SELECT {columns} FROM kernel_launches WHERE report_id = {report}").fetchall()
    assert {row[0]: row[1:] for row in rows} == by_loop(export)
