"""overheads: kinds by type or by name, and whose cost they are."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

THREAD = (5 << 24) + 7


@pytest.mark.parametrize(
    ("overhead_type", "name", "kind", "is_profiler_cost"),
    [
        ("", "CUPTI: Buffer flush", "buffer_flush", True),
        ("", "CUPTI Buffer flush", "buffer_flush", True),
        ("", "CUDA profiling data flush", "buffer_flush", True),
        ("", "CUDA profiling data flush overhead", "buffer_flush", True),
        ("", "CUDA profiling data flush on process exit", "buffer_flush", True),
        ("", "CUPTI: Instrumentation", "instrumentation", True),
        ("", "CUPTI Resource Management", "resource", True),
        ("", "CUDA profiling initialization", "initialization", True),
        ("", "NVTX early profiling initialization", "initialization", True),
        ("0", "In-process plugins initialization", "initialization", True),
        ("", "TLS allocation", "allocation", True),
        ("0", "Chunk Allocation", "allocation", True),
        ("", "CUDA profiling memory allocation", "allocation", True),
        ("", "dlopen(libcuda.so.1)", "dlopen", ""),
        ("", "dlclose", "dlclose", ""),
        ("", "Unknown", "unknown", ""),
        ("1", "Unknown", "unknown", ""),
        ("", "something new", "other", ""),
        ("2", "Driver JIT compiler", "jit", False),
        ("3", "Buffer flush", "buffer_flush", True),
        ("4", "Instrumentation", "instrumentation", True),
        ("5", "Resource creation/destruction", "resource", True),
        ("6", "Runtime module loading", "module_load", False),
        ("7", "Lazy function loading", "lazy_function_load", False),
        ("8", "Command buffer full", "command_buffer_full", False),
        ("", "Lazy function loading", "lazy_function_load", False),
        ("", "Driver compiler", "jit", False),
    ],
)
@pytest.mark.parametrize(("table", "first_id"), [("PROFILER_OVERHEAD", 2), ("CUPTI_ACTIVITY_KIND_OVERHEAD", 3)])
def test_kinds(table: str, first_id: int, overhead_type: str, name: str, kind: str, is_profiler_cost: object) -> None:
    check(
        rows={
            f"raw.{table}": f"report_id,_rowid,start,end,globalTid,nameId,overheadType\n1,1,10,25,{THREAD},0,{overhead_type}",
            "raw.StringIds": f"report_id,id,value\n1,0,{name}",
        },
        query="SELECT overhead_id, kind, is_profiler_cost, process_id, thread_id, dur_ns, name FROM overheads",
        expect=f"overhead_id,kind,is_profiler_cost,process_id,thread_id,dur_ns,name\n{first_id},{kind},{is_profiler_cost},{5 << 24},{THREAD},15,{name}",
    )


def test_both_tables_and_a_missing_name() -> None:
    header = "report_id,_rowid,start,end,globalTid,nameId,correlationId,overheadType\n"
    check(
        rows={
            "raw.PROFILER_OVERHEAD": f"{header}1,1,10,25,{THREAD},0,,",
            "raw.CUPTI_ACTIVITY_KIND_OVERHEAD": f"{header}1,1,30,31,{THREAD},,8,7",
        },
        query="SELECT overhead_id, kind, name, correlation_id FROM overheads ORDER BY ALL",
        expect="overhead_id,kind,name,correlation_id\n2,other,,\n3,lazy_function_load,,8",
    )


@each_export(
    "cudf_2020",
    "lanl_2021_5",
    "saxpy_mpi_2022_2",
    "mpi_openacc_4proc",
    "jetson_2024_5",
    "file_access_2025_5",
    "empty_2026_1",
    "nccl_payload_2026_2",
)
def test_every_name_of_a_real_file_has_a_kind(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    source = rows_of(traced.export, "PROFILER_OVERHEAD")
    expected = sorted((o["start"], o["end"], o["globalTid"], texts[o["nameId"]]) for o in source)
    assert traced.rows("overheads", "start_ns, end_ns, thread_id, name") == expected
    kinds = Counter(kind for (kind,) in traced.rows("overheads", "kind"))
    assert kinds["other"] == 0
    assert kinds["unknown"] == sum(texts[o["nameId"]] == "Unknown" for o in source)
    assert kinds["buffer_flush"] == sum("flush" in texts[o["nameId"]] for o in source)
