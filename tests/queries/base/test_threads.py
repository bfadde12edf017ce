"""threads: named and only seen, main, the profiler's own."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

PID = 5 << 24
MENTIONS = {
    "CUPTI_ACTIVITY_KIND_RUNTIME": ("globalTid",),
    "NVTX_EVENTS": ("globalTid", "endGlobalTid"),
    "SCHED_EVENTS": ("globalTid",),
    "COMPOSITE_EVENTS": ("globalTid",),
    "PROFILER_OVERHEAD": ("globalTid",),
    "CUPTI_ACTIVITY_KIND_OVERHEAD": ("globalTid",),
    "CUDA_GRAPH_EVENTS": ("globalTid",),
    "CUDA_GRAPH_NODE_EVENTS": ("globalTid",),
    "MPI_OTHER_EVENTS": ("globalTid",),
    "CUPTI_ACTIVITY_KIND_OPENACC_DATA": ("globalTid",),
    "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH": ("globalTid",),
    "CUPTI_ACTIVITY_KIND_OPENACC_OTHER": ("globalTid",),
    "OPENMP_EVENT_KIND_PARALLEL": ("globalTid",),
    "OPENMP_EVENT_KIND_TASK": ("globalTid",),
    "OPENMP_EVENT_KIND_WORKSHARE": ("globalTid",),
    "SYSCALL": ("globalTid",),
}


@pytest.mark.parametrize(
    ("thread", "process", "expect"),
    [
        ("[NSys]", "app", True),
        ("[NSys Comms]", "app", True),
        ("CUPTI worker th", "app", True),
        ("CUPTI worker thread", "", True),
        ("*2CommsProcesso", "app", True),
        ("WaitProcessTerm", "nsys", True),
        ("nsys-tee", "", True),
        ("nsys-launcher", "demo", False),
        ("nsysql", "nsysql", False),
        ("python3", "python3", False),
        ("", "app", False),
    ],
)
def test_threads_of_the_profiler(thread: str, process: str, expect: bool) -> None:
    check(
        rows={
            "raw.ThreadNames": f"report_id,nameId,globalTid\n1,0,{PID + 7}",
            "raw.StringIds": f"report_id,id,value\n1,0,{thread}",
            "raw.PROCESSES": f"report_id,globalPid,name\n1,{PID},{process}",
        },
        query="SELECT is_profiler FROM threads",
        expect=f"is_profiler\n{expect}",
    )


def test_named_and_seen_once_each() -> None:
    check(
        rows={
            "raw.ThreadNames": f"report_id,nameId,globalTid\n1,0,{PID + 5}\n1,1,{PID + 5}\n2,0,{PID + 5}",
            "raw.StringIds": "report_id,id,value\n1,0,a\n1,1,b\n2,0,c",
            "raw.CUPTI_ACTIVITY_KIND_RUNTIME": f"report_id,globalTid\n1,{PID + 5}\n1,{PID + 6}\n1,{PID + 6}\n1,",
            "raw.OSRT_API": f"report_id,globalTid,eventClass\n1,{PID},31\n1,{PID + 8},27",
        },
        query="SELECT report_id, thread_id, process_id, tid, name, is_main FROM threads ORDER BY ALL",
        expect=f"""report_id,thread_id,process_id,tid,name,is_main
            1,{PID + 5},{PID},5,b,True
            1,{PID + 6},{PID},6,,False
            1,{PID + 8},{PID},8,,False
            2,{PID + 5},{PID},5,c,True""",
    )


def test_a_high_hardware_id_makes_the_number_negative() -> None:
    thread = (200 << 56) + PID + 5 - (1 << 64)
    check(
        rows={"raw.NVTX_EVENTS": f"report_id,globalTid\n1,{thread}"},
        query="SELECT process_id, tid, is_main FROM threads",
        expect=f"process_id,tid,is_main\n{thread - 5},5,True",
    )


@each_export(
    "cpu_samples", "lanl_2021_5", "mpi_openacc_4proc", "wddm_windows", "cudf_2020", "jetson_2024_5", "nccl_payload_2026_2"
)
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    threads = {r["globalTid"] for r in rows_of(traced.export, "OSRT_API") if r["eventClass"] == 27}
    for table, columns in MENTIONS.items():
        threads |= {r[c] for r in rows_of(traced.export, table) for c in columns if r.get(c) is not None}
    used = {t >> 24 for t in threads}
    names = {r["globalTid"]: texts[r["nameId"]] for r in rows_of(traced.export, "ThreadNames") if r["globalTid"] >> 24 in used}
    expected = {(t, t & 0xFFFFFF, t >> 24 & 0xFFFFFF == t & 0xFFFFFF, names.get(t)) for t in threads | names.keys()}
    rows = traced.rows("threads", "thread_id, tid, is_main, name")
    assert len(rows) == len(expected)
    assert set(rows) == expected


def test_the_program_is_not_the_profiler(db) -> None:
    rows = db.sql("SELECT DISTINCT name FROM threads WHERE NOT is_profiler AND name IS NOT NULL ORDER BY ALL").fetchall()
    names = {name for (name,) in rows}
    assert not {n for n in names if n.startswith(("[NSys", "CUPTI", "*"))}
    assert {"python3", "pipeline", "nsys-launcher"} <= names  # the demo keeps the name of its launcher
