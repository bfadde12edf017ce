"""first_launches on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import api_calls, enclosing_calls, gpu_of, gpu_ops, launching_calls, rows_of
from tests.conftest import EXPORTS

CALLS = "report_id,process_id,thread_id,api,call_id,name,start_ns,end_ns,dur_ns,parent_call_id\n"
KERNELS = "report_id,process_id,gpu_id,op_id,short_name,graph_node_id,name_id\n"
NAMES = "report_id,op_id,short_name,name\n"
OPS = "report_id,op_id,call_id,op_number\n"
QUERY = "SELECT name, call_id, first_ns, usual_ns, extra_ns, module_load_ns, module_load_count, launch_count FROM first_launches ORDER BY name"
HEADER = "name,call_id,first_ns,usual_ns,extra_ns,module_load_ns,module_load_count,launch_count\n"


def launched(*rows: tuple[int, str, int, int], thread: int = 7, gpu: int = 0) -> dict[str, str]:
    """Rows for launches (call id, kernel, start, end), one operation each."""
    return {
        "api_calls": CALLS + "".join(f"1,5,{thread},runtime,{c},cudaLaunchKernel,{s},{e},{e - s},\n" for c, _, s, e in rows),
        "_kernel_ops": KERNELS + "".join(f"1,5,{gpu},{c * 8},{name},,{ord(name)}\n" for c, name, _, _ in rows),
        "kernels": NAMES + "".join(f"1,{c * 8},{name},{name}\n" for c, name, _, _ in rows),
        "_op_calls": OPS + "".join(f"1,{c * 8},{c},1\n" for c, *_ in rows),
    }


def test_the_first_against_the_median_of_the_later() -> None:
    rows = launched((1, "a", 0, 100), (2, "a", 200, 205), (3, "a", 300, 309), (4, "a", 400, 407), (5, "b", 500, 550))
    check(rows=rows, query=QUERY, expect=f"{HEADER}a,1,100,7.0,93.0,0,0,4\nb,5,50,,,0,0,1")


def test_the_earliest_call_is_the_first_whatever_its_number() -> None:
    check(rows=launched((9, "a", 0, 100), (1, "a", 200, 205)), query=QUERY, expect=f"{HEADER}a,9,100,5.0,95.0,0,0,2")


def test_module_loads_belong_to_the_next_launch_of_their_thread() -> None:
    rows = launched((1, "a", 100, 150), (2, "b", 300, 400), (3, "a", 500, 505))
    rows["api_calls"] += (
        "1,5,7,driver,10,cuLibraryLoadData,20,60,40,\n"  # before the launch of a
        "1,5,7,driver,11,cuModuleLoadData,310,340,30,2\n"  # inside the launch of b
        "1,5,7,driver,12,cuLibraryLoadData,315,335,20,11\n"  # inside that load
        "1,5,8,driver,13,cuLibraryLoadData,200,290,90,\n"  # another thread's
        "1,5,7,driver,14,cuLibraryGetKernel,160,170,10,\n"
        "1,5,7,driver,15,cuLibraryLoadData,600,700,100,\n"  # nothing is launched after it
    )
    check(rows=rows, query=QUERY, expect=f"{HEADER}a,1,50,5.0,45.0,40,1,2\nb,2,100,,,30,1,1")


def test_graphs_and_batches_are_no_launches_of_a_kernel() -> None:
    rows = launched((1, "a", 0, 100), (2, "b", 200, 300))
    rows["_kernel_ops"] += "1,5,0,90,a,,97\n1,5,0,91,g,4,103\n"
    rows["_op_calls"] += "1,90,1,2\n1,91,3,1\n"
    rows["api_calls"] += "1,5,7,runtime,3,cudaGraphLaunch,400,500,100,\n"
    check(rows=rows, query=QUERY, expect=f"{HEADER}b,2,100,,,0,0,1")


def test_each_gpu_has_its_first() -> None:
    rows = launched((1, "a", 0, 100), (2, "a", 200, 210))
    rows["_kernel_ops"] = KERNELS + "1,5,0,8,a,,97\n1,5,1,16,a,,97\n"
    check(
        rows=rows,
        query="SELECT gpu_id, call_id, launch_count FROM first_launches ORDER BY 1",
        expect="gpu_id,call_id,launch_count\n0,1,1\n1,2,1",
    )


def by_loop(export: Path) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """(GPU, process, name) -> call, first, usual, loads, launches; one call after the other."""
    texts = {r["id"]: r["value"] for r in rows_of(export, "StringIds")}
    gpu = gpu_of(export)
    calls = api_calls(export)
    around = enclosing_calls(calls)
    number_of = launching_calls(export)
    ops = [o for o in gpu_ops(export) if (o["globalPid"], o["correlationId"]) in number_of]
    started = Counter((o["globalPid"], o["correlationId"]) for o in ops)
    launches: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    for op in ops:
        key = (op["globalPid"], op["correlationId"])
        if op["table"] == "KERNEL" and started[key] == 1 and op.get("graphNodeId") is None:
            launches[gpu[op["globalPid"], op["deviceId"]], op["globalPid"], texts[op["demangledName"]]].append(number_of[key])
    every = sorted((c for found in launches.values() for c in found), key=lambda c: c["end"])
    loads: dict[int, list[int]] = defaultdict(list)
    is_load = {c["_rowid"]: bool(re.match("cu(LibraryLoad|ModuleLoad)", texts[c["nameId"]])) for c in calls}
    for call in calls:
        inside_a_load = around[call["_rowid"]] and is_load[around[call["_rowid"]][-1]]
        if is_load[call["_rowid"]] and not inside_a_load:
            after = next((c for c in every if c["globalTid"] == call["globalTid"] and c["end"] >= call["start"]), None)
            if after:
                loads[after["_rowid"]].append(call["end"] - call["start"])
    found = {}
    for key, own in launches.items():
        first, *later = sorted(own, key=lambda c: (c["start"], c["_rowid"]))
        usual = statistics.median(c["end"] - c["start"] for c in later) if later else None
        number = first["_rowid"]
        found[key] = (number, first["end"] - first["start"], usual, sum(loads[number]), len(loads[number]), len(own))
    return found


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export: Path) -> None:
    report = db.report_ids([export.stem])[0]
    columns = "gpu_id, process_id, name, call_id, first_ns, usual_ns, module_load_ns, module_load_count, launch_count"
    rows = db.sql(f"SELECT {columns} FROM first_launches WHERE report_id = {report}").fetchall()
    assert {row[:3]: row[3:] for row in rows} == by_loop(export)


def test_every_launch_over_a_millisecond_of_train_bad_is_a_first_one(db: nsysql.Database) -> None:
    report = db.report_ids(["train_bad"])[0]
    long = db.sql(
        f"SELECT DISTINCT call_id FROM api_ops JOIN api_calls USING (report_id, call_id) JOIN kernels USING (report_id, op_id) "
        f"WHERE report_id = {report} AND api_calls.dur_ns > 1000000"
    ).fetchall()
    firsts = db.sql(f"SELECT call_id FROM first_launches WHERE report_id = {report} AND first_ns > 1000000").fetchall()
    assert set(long) == set(firsts) and len(firsts) == 12
