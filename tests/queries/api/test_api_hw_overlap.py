"""api_hw_overlap on rows that can be checked by eye, and against a loop over calls and busy stretches."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import nsysql
import pytest

from tests.blueprint import check, stored_islands
from tests.brute import api_calls, busy_islands, covered_ns, gpu_ops, launching_calls, process_islands
from tests.conftest import EXPORTS

CALLS = "report_id,call_id,process_id,name,start_ns,end_ns,dur_ns,is_nested\n"
GPUS = "report_id,process_id,device_id,gpu_id,is_used\n1,5,0,0,true"
OPS = "report_id,op_id,start_ns,end_ns\n"
MATCHES = "report_id,op_id,call_id\n"


def rows(calls: str, islands: str, *, gpus: str = GPUS, ops: str = "", matches: str = "", firsts: str = "") -> dict[str, str]:
    return {
        "api_calls": CALLS + calls,
        "_busy_islands": stored_islands(islands),
        "process_gpus": gpus,
        "gpu_ops": OPS + ops,
        "_op_calls": MATCHES + matches,
        "_first_launches": "report_id,call_id\n" + firsts,
    }


def test_busy_in_the_middle_of_stretches_and_between_them() -> None:
    calls = "1,1,5,cudaDeviceSynchronize,15,55,40,false\n1,2,5,cudaDeviceSynchronize,22,28,6,false\n1,3,5,cudaStreamSynchronize,0,5,5,false\n1,4,5,cudaStreamSynchronize,90,95,5,false"
    check(
        rows=rows(calls, "1,0,10,20\n1,0,30,50\n1,0,55,60"),
        query="SELECT call_id, class, gpu_busy_ns, gpu_idle_ns, busy_ratio FROM api_hw_overlap ORDER BY call_id",
        expect="""call_id,class,gpu_busy_ns,gpu_idle_ns,busy_ratio
            1,ok_waiting,25,15,0.625
            2,idle_wait,0,6,0.0
            3,idle_wait,0,5,0.0
            4,idle_wait,0,5,0.0""",
    )


def test_any_gpu_that_the_process_uses_counts_and_no_other() -> None:
    calls = "1,1,5,cudaDeviceSynchronize,0,100,100,false\n1,2,6,cudaDeviceSynchronize,0,100,100,false\n1,3,9,cudaDeviceSynchronize,0,100,100,false"
    gpus = "report_id,process_id,device_id,gpu_id,is_used\n1,5,0,0,true\n1,5,1,1,true\n1,6,0,2,true\n1,6,1,0,false"
    check(
        rows=rows(calls, "1,0,10,30\n1,1,20,50\n1,2,0,5", gpus=gpus),
        query="SELECT call_id, class, gpu_busy_ns, gpu_idle_ns FROM api_hw_overlap ORDER BY call_id",
        expect="call_id,class,gpu_busy_ns,gpu_idle_ns\n1,idle_wait,40,60\n2,idle_wait,5,95\n3,,,",
    )


def test_own_work_is_clipped_to_the_call() -> None:
    calls = "1,1,5,cudaMemcpy,10,50,40,false\n1,2,5,cudaMemcpyAsync,60,70,10,false\n1,3,5,cudaMemcpyAsync,80,90,10,false"
    check(
        rows=rows(
            calls,
            "1,0,20,30\n1,0,40,60\n1,0,82,88",
            ops="1,8,40,60\n1,16,20,25\n1,24,82,88\n1,32,100,110",
            matches="1,8,1\n1,16,1\n1,24,3\n1,32,2",
        ),
        query="SELECT call_id, class, gpu_busy_ns, own_busy_ns FROM api_hw_overlap ORDER BY call_id",
        expect="call_id,class,gpu_busy_ns,own_busy_ns\n1,ok_waiting,20,15\n2,,0,0\n3,ok_waiting,6,6",
    )


@pytest.mark.parametrize(
    ("end", "busy", "first", "expect"),
    [
        (200_000, "0,200000", "", "queue_full"),
        (200_000, "0,197000", "", "launch_ok"),
        (200_000, "0,200000", "1,1", "first_use"),
        (99_999, "0,99999", "1,1", "launch_ok"),
        (99_999, "0,99999", "", "launch_ok"),
        (200_000, "0,90000", "", "launch_exposed"),
        (10, "20,30", "", "launch_exposed"),
        (0, "0,30", "", ""),
    ],
)
def test_classes_of_launches(end: int, busy: str, first: str, expect: str) -> None:
    check(
        rows=rows(f"1,1,5,cudaLaunchKernel,0,{end},{end},false", f"1,0,{busy}", firsts=first),
        query="SELECT class FROM api_hw_overlap",
        expect=f"class\n{expect}" if expect else 'class\n""\n',
    )


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (
            "launch",
            "cudaLaunchKernel cudaLaunchKernelExC cuLaunchKernelEx cudaGraphLaunch cuGraphLaunch cudaLaunchCooperativeKernel",
        ),
        ("sync", "cudaDeviceSynchronize cuStreamSynchronize cudaEventSynchronize cuCtxSynchronize cudaThreadSynchronize"),
        (
            "copy",
            "cudaMemcpy cudaMemcpyAsync cuMemcpyDtoHAsync cuMemsetD32Async cudaMemset cudaMemPrefetchAsync cudaMemcpy2DAsync",
        ),
        (
            "alloc",
            "cudaMalloc cudaFree cudaFreeHost cudaHostAlloc cuMemAlloc cuMemCreate cuMemMap cuMemAddressReserve cudaMallocAsync cudaMallocManaged cudaHostRegister cuMemHostAlloc cuIpcOpenMemHandle cudaMemPoolCreate cuMemRelease",
        ),
        (
            "module",
            "cuLibraryLoadData cuLibraryGetKernel cuLibraryUnload cuModuleLoadData cuModuleLoadDataEx cuModuleUnload cuModuleGetFunction cuLinkCreate",
        ),
        (
            "query",
            "cudaStreamQuery cuEventQuery cudaGetLastError cudaPeekAtLastError cudaStreamIsCapturing cuMemGetInfo cudaGetDeviceProperties cuModuleGetLoadingMode cudaOccupancyMaxActiveClusters cuKernelGetAttribute",
        ),
        (
            "other",
            "cudaLaunchHostFunc cudaStreamWaitEvent cudaEventRecord cudaStreamCreateWithFlags cuInit cudaGraphInstantiateWithFlags eglCreateStream",
        ),
    ],
)
def test_kinds(kind: str, names: str) -> None:
    calls = "\n".join(f"1,{n},5,{name},0,1,1,false" for n, name in enumerate(names.split()))
    check(
        rows=rows(calls, "1,0,5,6"),
        query="SELECT kind, string_agg(name, ' ' ORDER BY call_id) AS names FROM api_hw_overlap GROUP BY kind",
        expect=f"kind,names\n{kind},{names}",
    )


def by_loop(export: Path) -> dict[int, tuple[Any, ...]]:
    """call_id -> busy, own busy; one call after the other."""
    calls = api_calls(export)
    stretches = process_islands(export)
    number_of = launching_calls(export)
    own: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for op in gpu_ops(export):
        if (op["globalPid"], op["correlationId"]) in number_of:
            own[number_of[op["globalPid"], op["correlationId"]]["_rowid"]].append((op["start"], op["end"]))
    return {
        c["_rowid"]: (
            covered_ns(c["start"], c["end"], stretches[c["process"]]) if c["process"] in stretches else None,
            covered_ns(c["start"], c["end"], busy_islands(own[c["_rowid"]])),
        )
        for c in calls
    }


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export: Path) -> None:
    report = db.report_ids([export.stem])[0]
    query = f"SELECT call_id, gpu_busy_ns, own_busy_ns FROM api_hw_overlap WHERE report_id = {report}"
    assert {row[0]: row[1:] for row in db.sql(query).fetchall()} == by_loop(export)


@pytest.mark.parametrize(
    ("report", "expect"),
    [
        ("train_bad", [("first_use", 12)]),
        ("backpressure", [("first_use", 2), ("queue_full", 3)]),
    ],
)
def test_long_launches_say_why(db: nsysql.Database, report: str, expect: list[tuple[str, int]]) -> None:
    rows = db.query("api_hw_overlap", where="kind = 'launch' AND dur_ns > 1000000", reports=[report])
    assert rows.aggregate("class, count(*)").order("1").fetchall() == expect
    full = rows.filter("class = 'queue_full'").project("dur_ns // 100000, busy_ratio >= 0.999").order("1").fetchall()
    assert full == ([(1344, True), (1345, True), (1350, True)] if report == "backpressure" else [])
