"""slow_launches on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from typing import Any

import nsysql
import pytest

from tests.blueprint import check, stored_islands
from tests.brute import api_calls, covered_ns, enclosing_calls, gpu_of, gpu_ops, launching_calls, process_islands, rows_of
from tests.queries.conftest import Traced, each_export

CALLS = "report_id,process_id,thread_id,call_id,name,start_ns,end_ns,dur_ns,is_nested\n"
KERNELS = "report_id,process_id,gpu_id,op_id,name_id,graph_node_id\n"
OPS = "report_id,process_id,op_id,name,start_ns,end_ns\n"
OVERHEADS = "report_id,thread_id,kind,start_ns,end_ns\n"
US = 1000


def launched(
    *launches: tuple[int, str, int, int, int], more_calls: str = "", islands: str = "", overheads: str = "", thread: int = 7
) -> dict[str, str]:
    """Rows for launches (call, kernel, start and end of the call, start of the kernel), times in us."""
    return {
        "api_calls": CALLS
        + "".join(f"1,5,{thread},{c},cudaLaunchKernel,{s * US},{e * US},{(e - s) * US},false\n" for c, _, s, e, _ in launches)
        + more_calls,
        "_kernel_ops": KERNELS + "".join(f"1,5,0,{c * 8},{ord(name)},\n" for c, name, *_ in launches),
        "gpu_ops": OPS + "".join(f"1,5,{c * 8},{name},{k * US},{k * US + 1}\n" for c, name, _, _, k in launches),
        "_op_calls": "report_id,op_id,call_id,op_number\n" + "".join(f"1,{c * 8},{c},1\n" for c, *_ in launches),
        "_busy_islands": stored_islands(islands),
        "process_gpus": "report_id,process_id,device_id,gpu_id,is_used\n1,5,0,0,true",
        "overheads": OVERHEADS + overheads,
    }


def test_a_first_launch_and_a_launch_beside_it() -> None:
    rows = launched((1, "a", 0, 500, 501), (3, "a", 600, 605, 606), (4, "a", 700, 707, 708), (5, "a", 800, 950, 951))
    of_other_thread = launched((2, "a", 400, 520, 521), thread=8)
    for name, header in (("api_calls", CALLS), ("_kernel_ops", KERNELS), ("gpu_ops", OPS)):
        rows[name] += of_other_thread[name][len(header) :]
    rows["_op_calls"] += "1,16,2,1\n"
    check(
        rows=rows,
        query="SELECT call_id, op_id, op_name, cause, dur_ns, usual_ns, usual_of, queued_count, is_first FROM slow_launches ORDER BY call_id",
        expect="""call_id,op_id,op_name,cause,dur_ns,usual_ns,usual_of,queued_count,is_first
            1,8,a,first_use,500000,120000.0,kernel,0,True
            2,16,a,first_use,120000,120000.0,kernel,1,False
            5,40,a,other,150000,120000.0,kernel,0,False""",
    )


def test_a_kernel_launched_once_is_compared_with_its_function() -> None:
    rows = launched((1, "a", 0, 500, 501), (2, "b", 600, 604, 606), (3, "b", 700, 706, 708))
    check(
        rows=rows,
        query="SELECT call_id, usual_ns, usual_of FROM slow_launches",
        expect="call_id,usual_ns,usual_of\n1,6000.0,function",
    )


@pytest.mark.parametrize(
    ("busy_until", "full", "expect"),
    [(500, 2, "queue_full"), (498, 2, "queue_full"), (497, 2, "other"), (500, 3, "other")],
)
def test_a_full_queue(busy_until: int, full: int, expect: str) -> None:
    # queued when call 4 begins: the kernels of 2 and 3; that of 1 has started, that of 5 was called for later
    rows = launched(
        (1, "a", 0, 5, 50), (2, "a", 60, 65, 600), (3, "a", 70, 75, 700), (4, "a", 300, 500, 800), (5, "a", 510, 515, 900),
        islands=f"1,0,0,{busy_until * US}",
    )  # fmt: skip
    check(
        rows=rows,
        query=f"SELECT call_id, cause, queued_count FROM slow_launches(full_queue_count := {full})",
        expect=f"call_id,cause,queued_count\n4,{expect},2",
    )


@pytest.mark.parametrize(
    ("more", "overheads", "expect"),
    [
        ("", "", "other,0,0,0"),
        ("", "1,7,lazy_function_load,310000,320000\n1,7,jit,330000,331000", "first_use,2,11000,0"),
        ("1,5,7,9,cuModuleLoadData,310000,320000,10000,true\n", "1,7,module_load,312000,318000", "first_use,1,10000,0"),
        ("1,5,7,9,cuLibraryLoadData,290000,299000,9000,false\n", "", "other,0,0,0"),
        ("1,5,7,9,cuLibraryGetKernel,310000,320000,10000,true\n", "", "other,0,0,0"),
        ("", "1,8,lazy_function_load,310000,320000\n1,7,jit,500000,600000", "other,0,0,0"),
        ("", "1,7,command_buffer_full,310000,420000\n1,7,buffer_flush,430000,490000", "queue_full,0,0,110000"),
        ("", "1,7,command_buffer_full,310000,320000", "other,0,0,10000"),
        ("", "1,7,command_buffer_full,310000,320000\n1,7,jit,330000,480000", "first_use,1,150000,10000"),
        ("", "1,7,jit,490000,520000", "first_use,1,10000,0"),
    ],
)
def test_loads_and_waits_for_room(more: str, overheads: str, expect: str) -> None:
    rows = launched((1, "a", 0, 5, 50), (4, "a", 300, 500, 501), more_calls=more, overheads=overheads)
    check(
        rows=rows,
        query="SELECT cause, module_load_count, module_load_ns, buffer_full_ns FROM slow_launches",
        expect=f"cause,module_load_count,module_load_ns,buffer_full_ns\n{expect}",
    )


def test_what_is_here() -> None:
    more = (
        "1,5,7,10,cudaStreamSynchronize,0,900000,900000,false\n"
        "1,5,7,11,cuLaunchKernel,300000,410000,110000,true\n"
        "1,5,7,12,cudaGraphLaunch,1000000,1200000,200000,false\n"
    )
    rows = launched((1, "a", 0, 5, 50), (4, "a", 300, 420, 501), (5, "a", 600, 699, 700), more_calls=more)
    expect = "call_id,op_id,usual_of,busy_ratio,queued_count\n4,32,kernel,0.0,0\n12,,function,0.0,0"
    check(
        rows=rows,
        query="SELECT call_id, op_id, usual_of, busy_ratio, queued_count FROM slow_launches ORDER BY 1",
        expect=expect,
    )
    check(rows=rows, query="SELECT count(*) AS n FROM slow_launches(at_least_ns := 99000)", expect="n\n3")


def usual_ns(export: Any, calls: list[dict[str, Any]], around: dict[int, list[int]]) -> dict[int, tuple[float, str, Any]]:
    """Call -> usual duration, of what, kernel: median over the calls alike."""
    gpu, number_of = gpu_of(export), launching_calls(export)
    ops = [o for o in gpu_ops(export) if (o["globalPid"], o["correlationId"]) in number_of]
    started = Counter((o["globalPid"], o["correlationId"]) for o in ops)
    kernel_of, alike = {}, defaultdict(list)
    for op in ops:
        key = (op["globalPid"], op["correlationId"])
        if op["table"] == "KERNEL" and started[key] == 1 and op.get("graphNodeId") is None:
            kernel = (op["globalPid"], gpu[op["globalPid"], op["deviceId"]], op["demangledName"])
            kernel_of[number_of[key]["_rowid"]] = kernel
            alike[kernel].append(number_of[key])
    functions = defaultdict(list)
    for call in calls:
        if not around[call["_rowid"]]:
            functions[call["process"], call["name"]].append(call)
    found = {}
    for call in calls:
        kernel = kernel_of.get(call["_rowid"])
        peers = alike[kernel] if kernel and len(alike[kernel]) > 1 else functions[call["process"], call["name"]]
        of = "kernel" if kernel and len(alike[kernel]) > 1 else "function"
        first = min(alike[kernel], key=lambda c: (c["start"], c["_rowid"])) if kernel else None
        if peers:
            found[call["_rowid"]] = (statistics.median(c["end"] - c["start"] for c in peers), of, first)
    return found


@each_export("jetson_2024_5", "rank1")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    calls = [c | {"name": re.sub(r"(_v\d+|_ptsz|_ptds)+$", "", texts[c["nameId"]])} for c in api_calls(traced.export)]
    slow = [
        c
        for c in calls
        if re.match("cu(da)?(Graph)?Launch", c["name"]) and "HostFunc" not in c["name"] and c["end"] - c["start"] >= 100_000
    ]
    around, islands = (enclosing_calls(calls), process_islands(traced.export)) if slow else ({}, {})
    usual = usual_ns(traced.export, calls, around) if slow else {}
    number_of = launching_calls(traced.export)
    queue = defaultdict(list)
    for op in gpu_ops(traced.export):
        if (op["globalPid"], op["correlationId"]) in number_of:
            queue[op["globalPid"]].append((number_of[op["globalPid"], op["correlationId"]]["start"], op["start"]))
    found = {}
    for call in slow:
        if around[call["_rowid"]]:
            continue
        dur, (median, of, first) = call["end"] - call["start"], usual[call["_rowid"]]
        busy = covered_ns(call["start"], call["end"], islands[call["process"]]) if call["process"] in islands else None
        queued = sum(asked < call["start"] <= began for asked, began in queue[call["process"]])
        loads = [
            c for c in calls
            if re.match("cu(Library|Module)Load", c["name"]) and around[c["_rowid"]] and c["globalTid"] == call["globalTid"]
            and call["start"] <= c["start"] < call["end"]
        ]  # fmt: skip
        is_full = busy is not None and busy >= 0.99 * dur and queued >= 500
        is_first = first is not None and call["start"] < first["end"]
        cause = "queue_full" if is_full else "first_use" if is_first or loads else "other"
        ratio = None if busy is None else busy / dur
        found[call["_rowid"]] = (cause, median, of, ratio, queued, first is not None and first["_rowid"] == call["_rowid"])
    got = traced.rows("slow_launches", "call_id, cause, usual_ns, usual_of, busy_ratio, queued_count, is_first")
    assert {row[0]: row[1:] for row in got} == found


@pytest.mark.parametrize(
    ("report", "expect"),
    [("train_bad", [("first_use", 12)]), ("backpressure", [("first_use", 2), ("queue_full", 3)])],
)
def test_launches_over_a_millisecond(db: nsysql.Database, report: str, expect: list[tuple[str, int]]) -> None:
    rows = db.query("slow_launches", {"at_least_ns": 1_000_001}, reports=[report])
    assert rows.aggregate("cause, count(*)").order("1").fetchall() == expect
    full = rows.filter("cause = 'queue_full'").project("dur_ns // 100000, busy_ratio >= 0.999").order("1").fetchall()
    assert full == ([(1344, True), (1345, True), (1350, True)] if report == "backpressure" else [])
