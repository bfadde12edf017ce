"""copies on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.blueprint import check
from tests.brute import busy_islands, covered_ns, gpu_of, gpu_ops, launching_calls, rows_of
from tests.queries.conftest import Traced, each_export

COPIES = (
    "report_id,op_id,process_id,gpu_id,direction,src_kind,dst_kind,is_migration,copy_count,size_bytes,start_ns,end_ns,dur_ns\n"
)
OPS = "report_id,op_id,kind,gpu_id,start_ns,end_ns\n"
CALLS = "report_id,call_id,thread_id,name,start_ns,end_ns,dur_ns\n"
MATCHES = "report_id,op_id,call_id,op_number\n"
FURTHER = (
    *("memcpy", "um_faults", "nccl_payload_2026_2", "saxpy_mpi_2022_2", "mpi_openacc_4proc"),
    *("cudf_2020", "um_2023_4", "lanl_2021_5", "jetson_2024_5"),
)


def rows(copies: str, *, ops: str = "", calls: str = "", matches: str = "", ranges: str = "") -> dict[str, str]:
    lines = [line.split(",") for line in copies.split("\n")]
    own = "\n".join(f"1,{c[1]},memcpy,{c[3]},{c[10]},{c[11]}" for c in lines if c[10])
    return {
        "memcpys": COPIES + copies,
        "gpu_ops": f"{OPS}{own}\n{ops}",
        "_op_calls": MATCHES + matches,
        "api_calls": CALLS + calls,
        "op_ranges": "report_id,op_id,range_id\n" + ranges,
        "nvtx_ranges": "report_id,range_id,path\n1,3,step/load\n",
    }


@pytest.mark.parametrize(
    ("direction", "source", "destination", "migrates", "expect"),
    [
        ("HtoD", "pageable", "device", "false", "pageable"),
        ("HtoD", "pinned", "managed", "false", "pinned"),
        ("HtoD", "managed", "device", "false", "managed"),
        ("DtoH", "device", "pageable", "false", "pageable"),
        ("DtoH", "device", "pinned", "false", "pinned"),
        ("AtoH", "array", "pinned", "false", "pinned"),
        ("HtoA", "pageable", "array", "false", "pageable"),
        ("DtoD", "device_static", "device", "false", "device"),
        ("PtoP", "device", "device", "false", "device"),
        ("AtoD", "array", "device", "false", "array"),
        ("HtoH", "pinned", "pageable", "false", "pageable"),
        ("HtoH", "pinned", "pinned", "false", "pinned"),
        ("HtoD", "unknown", "unknown", "true", "managed"),
        ("HtoD", "unknown", "device", "false", ""),
        ("HtoD", "", "device", "false", ""),
        ("DtoH", "device", "", "false", ""),
        ("PtoP", "", "", "false", ""),
    ],
)
def test_the_memory_that_decides(direction: str, source: str, destination: str, migrates: str, expect: str) -> None:
    copy = f"1,9,5,0,{direction},{source},{destination},{migrates},1,8,0,1,1"
    check(rows=rows(copy), query="SELECT memory_kind FROM copies", expect=f"memory_kind\n{expect or chr(34) * 2}")


def test_kernels_of_the_gpu_hide_and_no_other_copy() -> None:
    copies = (
        "1,9,5,0,HtoD,pinned,device,false,1,100,10,30,20\n1,17,5,0,HtoD,pinned,device,false,4,100,12,32,20\n"
        "1,25,5,1,HtoD,pinned,device,false,1,100,10,30,20\n1,33,5,0,HtoD,pinned,device,false,1,8,50,50,0\n"
        "1,41,5,0,HtoD,pinned,device,false,1,8,,,"
    )
    kernels = "1,8,kernel,0,0,15\n1,16,kernel,0,14,18\n1,3,graph_launch,0,28,60\n1,2,memset,1,0,99\n"
    check(
        rows=rows(copies, ops=kernels),
        query="SELECT op_id, copy_count, bytes_per_s, hidden_ns, hidden_ratio FROM copies ORDER BY op_id",
        expect="""op_id,copy_count,bytes_per_s,hidden_ns,hidden_ratio
            9,1,5000000000.0,10,0.5
            17,4,5000000000.0,10,0.5
            25,1,5000000000.0,0,0.0
            33,1,,0,
            41,1,,,""",
    )


@pytest.mark.parametrize(
    ("name", "start", "end", "expect"),
    [
        ("cudaMemcpy", 0, 30, "False,True,20"),
        ("cudaMemcpy", 0, 29, "False,False,19"),
        ("cudaMemcpyAsync", 0, 40, "True,True,20"),
        ("cudaMemcpyAsync", 0, 5, "True,False,0"),
        ("cudaMemcpyAsync", 15, 25, "True,False,10"),
        ("cuMemcpyHtoDAsync", 0, 5, "True,False,0"),
        ("cuMemcpyHtoD", 0, 30, "False,True,20"),
        ("cudaMemcpyToSymbol", 0, 30, "False,True,20"),
        ("cudaGraphLaunch", 0, 5, "True,False,0"),
    ],
)
def test_what_the_function_may_do_and_what_it_did(name: str, start: int, end: int, expect: str) -> None:
    call = f"1,4,51,{name},{start},{end},{end - start}"
    check(
        rows=rows("1,9,5,0,HtoD,pinned,device,false,1,100,10,30,20", calls=call, matches="1,9,4,1", ranges="1,9,3"),
        query="SELECT is_async, is_waited, waited_ns, call_id, api_name, call_ns, thread_id, range_id, nvtx_path FROM copies",
        expect=f"""is_async,is_waited,waited_ns,call_id,api_name,call_ns,thread_id,range_id,nvtx_path
            {expect},4,{name},{end - start},51,3,step/load""",
    )


def test_without_a_call_nothing_is_said_of_it() -> None:
    check(
        rows=rows("1,9,5,0,HtoD,unknown,unknown,true,1,100,10,30,20"),
        query="SELECT is_async, is_waited, waited_ns, call_id, api_name, call_ns, thread_id, range_id, nvtx_path FROM copies",
        expect="is_async,is_waited,waited_ns,call_id,api_name,call_ns,thread_id,range_id,nvtx_path\n,,,,,,,,",
    )


KINDS = {0: "pageable", 1: "pinned", 2: "device", 3: "array", 4: "managed", 5: "device", 6: "managed"}


def by_loop(export: Path) -> dict[int, tuple[Any, ...]]:
    """op_id -> memory, hidden, async, waited, waited for, call; one copy after the other."""
    gpu, calls = gpu_of(export), launching_calls(export)
    texts = {r["id"]: r["value"] for r in rows_of(export, "StringIds")}
    ops = gpu_ops(export)
    kernels: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for op in ops:
        if op["table"] in ("KERNEL", "GRAPH_TRACE"):
            kernels[gpu[op["globalPid"], op["deviceId"]]].append((op["start"], op["end"]))
    busy = {number: busy_islands(own) for number, own in kernels.items()}
    found = {}
    for op in (o for o in ops if o["table"] == "MEMCPY"):
        host_side = "dstKind" if op["copyKind"] == 2 else "srcKind"
        memory = "managed" if op["copyKind"] in (11, 12, 13) else KINDS.get(op[host_side])
        hidden = covered_ns(op["start"], op["end"], busy.get(gpu[op["globalPid"], op["deviceId"]], []))
        call = calls.get((op["globalPid"], op["correlationId"])) if op["correlationId"] else None
        asked: tuple[Any, ...] = (None, None, None, None)
        if call:
            is_async = "Async" in texts[call["nameId"]] or "GraphLaunch" in texts[call["nameId"]]
            waited = covered_ns(op["start"], op["end"], [(call["start"], call["end"])])
            asked = (is_async, call["end"] >= op["end"], waited, call["_rowid"])
        found[op["op_id"]] = (memory, hidden, *asked)
    return found


@each_export(*FURTHER)
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    columns = "op_id, memory_kind, hidden_ns, is_async, is_waited, waited_ns, call_id"
    assert {row[0]: row[1:] for row in traced.rows("copies", columns)} == by_loop(traced.export)


@each_export("nccl_payload_2026_2")
def test_the_range_is_that_of_op_ranges(traced: Traced) -> None:
    of_ops = {row[0]: row[1] for row in traced.rows("op_ranges", "op_id, range_id")}
    rows = traced.rows("copies", "op_id, range_id")
    assert rows == [(op_id, of_ops[op_id]) for op_id, _ in rows]


@pytest.mark.corpus
@pytest.mark.parametrize("traced", ["nccl_payload_2026_2"], indirect=True)
def test_copies_of_nccl_payload(traced: Traced) -> None:
    counted = "process_id, direction, memory_kind, count(*), sum(size_bytes)"
    rows = traced.db.sql(f"SELECT {counted} FROM copies GROUP BY ALL ORDER BY ALL").fetchall()
    per_process = [("DtoD", "device", 493, 4_023_067_136), ("HtoD", "pageable", 17, 136)]
    assert [row[1:] for row in rows] == per_process * 2
