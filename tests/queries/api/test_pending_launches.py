"""pending_launches on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from collections import defaultdict

from tests.blueprint import check
from tests.brute import gpu_of, gpu_ops, launching_calls
from tests.queries.conftest import Traced, each_export

CALLS = "report_id,call_id,process_id,start_ns,end_ns\n"
OPS = "report_id,op_id,process_id,gpu_id,start_ns,end_ns\n"
MATCHES = "report_id,op_id,call_id\n"
HEADER = "gpu_id,start_ns,end_ns,queued_count,running_count\n"


def pending(calls: str, ops: str, matches: str, expect: str) -> None:
    check(
        rows={"api_calls": CALLS + calls, "gpu_ops": OPS + ops, "_op_calls": MATCHES + matches},
        query=f"SELECT {HEADER.strip()} FROM pending_launches ORDER BY process_id, gpu_id, start_ns",
        expect=HEADER + expect,
    )


def test_queued_from_the_call_to_the_start_then_running() -> None:
    pending(
        "1,1,5,0,5\n1,2,5,10,15",
        "1,8,5,0,20,50\n1,16,5,0,50,60",
        "1,8,1\n1,16,2",
        "0,0,10,1,0\n0,10,20,2,0\n0,20,50,1,1\n0,50,60,0,1",
    )


def test_a_hole_counts_zero_and_streams_run_at_once() -> None:
    pending(
        "1,1,5,0,5\n1,2,5,1,5\n1,3,5,100,105",
        "1,8,5,0,10,50\n1,16,5,0,20,30\n1,24,5,0,110,120",
        "1,8,1\n1,16,2\n1,24,3",
        "0,0,1,1,0\n0,1,10,2,0\n0,10,20,1,1\n0,20,30,0,2\n0,30,50,0,1\n0,50,100,0,0\n0,100,110,1,0\n0,110,120,0,1",
    )


def test_operations_of_a_graph_are_all_queued_from_its_launch() -> None:
    pending("1,1,5,0,5", "1,8,5,0,10,20\n1,16,5,0,20,30", "1,8,1\n1,16,1", "0,0,10,2,0\n0,10,20,1,1\n0,20,30,0,1")


def test_before_its_call_without_a_call_and_without_length() -> None:
    pending(
        "1,1,5,10,15\n1,2,5,20,25",
        "1,8,5,0,5,30\n1,16,5,0,40,40\n1,24,5,0,0,500",
        "1,8,1\n1,16,2",
        "0,5,20,0,1\n0,20,30,1,1\n0,30,40,1,0",
    )


def test_processes_and_gpus_are_apart() -> None:
    pending(
        "1,1,5,0,5\n1,2,5,3,5\n1,3,6,4,5",
        "1,8,5,0,10,20\n1,16,5,1,10,20\n1,24,6,0,10,20",
        "1,8,1\n1,16,2\n1,24,3",
        "0,0,10,1,0\n0,10,20,0,1\n1,3,10,1,0\n1,10,20,0,1\n0,4,10,1,0\n0,10,20,0,1",
    )


@each_export()
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    gpu, number_of = gpu_of(traced.export), launching_calls(traced.export)
    changes: dict[tuple, dict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for op in gpu_ops(traced.export):
        call = number_of.get((op["globalPid"], op["correlationId"]))
        if call:
            edges = changes[op["globalPid"], gpu[op["globalPid"], op["deviceId"]]]
            for at, queued, running in (
                (min(call["start"], op["start"]), 1, 0), (op["start"], -1, 1), (op["end"], 0, -1)
            ):  # fmt: skip
                edges[at][0] += queued
                edges[at][1] += running
    found = []
    for key, edges in changes.items():
        queued = running = 0
        times = sorted(edges)
        for start, end in zip(times, times[1:]):
            queued, running = queued + edges[start][0], running + edges[start][1]
            found.append((*key, start, end, queued, running))
    got = traced.rows("pending_launches", "process_id, gpu_id, start_ns, end_ns, queued_count, running_count")
    assert got == sorted(found)
