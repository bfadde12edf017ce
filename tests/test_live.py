"""Every report that a view is printed as, with its arguments, against what a real nsys prints for the same export."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import nsysql
import pytest

from tests import live
from tests.conftest import EXPORTS, FIXTURES
from tests.docs import ROOT
from tests.oracle import UNPRINTED, VIEWS, Comparison, Row, compare_rows, is_rule, rows_in, rows_of

FOLDER = Path(os.environ.get("NSYSQL_CORPUS") or "/nonexistent")
STRANGERS = [p for p in sorted(FOLDER.glob("public/*.sqlite")) if p.stem != "nvprof_false_name"]
PAGE = (ROOT / "docs" / "nvidia-differences.md").read_text()

WANTED = [variant for view in VIEWS.values() if view.name not in UNPRINTED for variant in live.variants(view)]

UNASKED = (
    *(
        "StringIds table",
        "ENUM_CUDA_MEMCPY_OPER table",
        "ENUM_CUDA_MEM_KIND table",
        "TARGET_INFO_GPU table",
        "ThreadNames table",
    ),
    *("'greenContextId' column", "Unified Memory", "(NVTX)"),
)
"""What nsys refuses a report for that the views do without."""

LISTED = {
    *((file, report) for file in ("nvtx_coarse", "nvtx_edges") for report in VIEWS if report.startswith("nvtx_")),
    ("ddp_one", "cuda_memcpy_async"),
    ("saxpy_mpi_2022_2", "um_total_sum"),
    *((file, "nvtx_gpu_proj_trace") for file in ("ddp_one", "multiproc", "mpi_openacc_4proc")),
    ("mpi_openacc_4proc", "mpi_event_trace"),
}
"""Reports that differ as docs/nvidia-differences.md says: see test_differences.py and below."""


def differing(nsys: str, export: Path, wanted: list[live.Variant], folder: Path) -> dict[str, Comparison]:
    """The reports of which nsys and the views have not the same rows."""
    nsysql.ingest([export], folder / "one.duckdb")
    found = {}
    with nsysql.open(folder / "one.duckdb") as db:
        for variant, result in live.run(nsys, export, wanted, folder):
            if isinstance(result, Path) or not any(reason in result for reason in UNASKED):
                rows = rows_of(db, export.stem, variant.view, variant.params)
                comparison = compare_rows(variant.view, rows, result if isinstance(result, Path) else None)
                found |= {} if comparison.is_equal else {variant.text: comparison}
    return found


@pytest.mark.corpus
@pytest.mark.nsys
@pytest.mark.parametrize("export", [*EXPORTS, *STRANGERS], ids=lambda p: p.stem)
def test_same_rows(export: Path, corpus: Path, nsys: str, tmp_path: Path) -> None:
    wanted = [variant for variant in WANTED if (export.stem, variant.view.name) not in LISTED]
    assert differing(nsys, export, wanted, tmp_path) == {}


@dataclass(frozen=True)
class Case:
    """A change to a bundled export, and what to look at in the rows of a report of it."""

    report: str
    export: str
    change: str
    look: Callable[[list[Row]], str]
    theirs: str
    ours: str


CASES = {
    "a thread of two names": Case(
        "cuda_api_trace",
        "tiny",
        "INSERT INTO ThreadNames SELECT nameId + 1, priority, globalTid FROM ThreadNames",
        lambda rows: f"{len(rows)} rows",
        "2218 rows",
        "1109 rows",
    ),
    "a call that has two rows": Case(
        "cuda_memset_sync",
        "um_faults",
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT * FROM CUPTI_ACTIVITY_KIND_RUNTIME",
        lambda rows: f"{len(rows)} row{'s' * (len(rows) != 1)}",
        "2 rows",
        "1 row",
    ),
    "no migrations to the host": Case(
        "um_total_sum",
        "um_faults",
        "DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 12",
        lambda rows: " to ".join("nothing" if value is None else f"0x{value:X}" for value in rows[0][-2:]),
        "nothing to nothing",
        "0x7FB9E6000000 to 0x7FB9E674A000",
    ),
    "device 1 of the process is the other GPU": Case(
        "cuda_gpu_trace",
        "ddp_rank1",
        "UPDATE TARGET_INFO_CUDA_DEVICE SET gpuId = 1 - gpuId; UPDATE TARGET_INFO_GPU SET name = 'Other' WHERE id = 0",
        lambda rows: str(rows[0][16]),
        "NVIDIA H200 (1)",
        "Other (1)",
    ),
}


@pytest.mark.nsys
@pytest.mark.parametrize("name", CASES)
def test_made_up_exports_differ_as_the_page_says(name: str, nsys: str, tmp_path: Path) -> None:
    case = CASES[name]
    assert f"| {case.report} | {case.export}, {name} | {case.theirs} | {case.ours} |" in PAGE
    export = tmp_path / f"{case.export}.sqlite"
    export.write_bytes((FIXTURES / export.name).read_bytes())
    with closing(sqlite3.connect(export)) as db:
        db.executescript(case.change)
    variant = live.Variant(VIEWS[case.report], ("rows=-1",) if case.report.endswith("_sync") else ())
    ((_, path),) = live.run(nsys, export, [variant], tmp_path)
    assert isinstance(path, Path)
    assert case.look(rows_in(path, variant.view)) == case.theirs
    nsysql.ingest([export], tmp_path / "one.duckdb")
    with nsysql.open(tmp_path / "one.duckdb") as db:
        assert case.look(rows_of(db, export.stem, variant.view, {})) == case.ours


ALIKE = {
    "contexts, grids, mangled names": """
        UPDATE CUPTI_ACTIVITY_KIND_{K} SET contextId = rowid % 3 + 1, greenContextId = rowid % 3 WHERE correlationId <> 0;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 12345678, gridY = 65535, blockX = 1024;
        UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET mangledName = NULL WHERE rowid % 3 = 0""",
    "kinds of memory, calls without Async": """
        UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET srcKind = rowid % 10, dstKind = nullif(rowid / 10 % 10, 9);
        UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET memKind = nullif(rowid % 10, 8);
        UPDATE StringIds SET value = replace(replace(value, 'MemsetAsync', 'Memset2D'), 'MemcpyAsync', 'Memcpy2D')""",
    "calls of the driver, failed ones, ones without a number": """
        UPDATE StringIds SET value = replace(value, 'cudaMemcpyA', 'cuMemcpyA');
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET returnValue = 999 WHERE rowid % 2;
        UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 0 WHERE rowid % 3 = 0""",
    "64,000 bytes and one more": """
        UPDATE StringIds SET value = replace(value, 'MemcpyAsync', 'MemcpyToSymbol');
        UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = 63999 + rowid % 3""",
    "copies between devices, of all directions": """
        UPDATE StringIds SET value = replace(value, 'MemcpyAsync', 'MemcpyPeer');
        UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET srcDeviceId = nullif(rowid % 3, 2), dstDeviceId = rowid / 3 % 2;
        UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = rowid % 11 + rowid % 2 * 20 WHERE correlationId <> 0""",
    "no length, and above a second": """
        UPDATE CUPTI_ACTIVITY_KIND_{K} SET end = start WHERE rowid % 3 = 0;
        UPDATE CUPTI_ACTIVITY_KIND_{K} SET end = start + 999999999 + rowid % 4 WHERE rowid % 3 = 1""",
    "work at time 0, the profiler's work": """
        UPDATE CUPTI_ACTIVITY_KIND_{K} SET start = 0 WHERE rowid % 3 = 0;
        UPDATE StringIds SET value = 'CUDA profiling overhead' WHERE id IN (SELECT nameId FROM PROFILER_OVERHEAD)""",
    "ranges that cross, of another thread, without a name": """
        UPDATE NVTX_EVENTS SET eventType = 60, end = end + 9000000 WHERE rowid % 2;
        UPDATE NVTX_EVENTS SET globalTid = globalTid + 1 WHERE rowid % 4 = 0;
        UPDATE NVTX_EVENTS SET text = NULL WHERE rowid % 5 = 0;
        UPDATE NVTX_EVENTS SET domainId = 7 WHERE rowid % 3 = 0""",
    "ranges that begin and end with their calls": """
        UPDATE NVTX_EVENTS SET
            start = (SELECT max(start) FROM CUPTI_ACTIVITY_KIND_RUNTIME AS r WHERE r.start < NVTX_EVENTS.end),
            end = (SELECT max(end) FROM CUPTI_ACTIVITY_KIND_RUNTIME AS r WHERE r.start < NVTX_EVENTS.end)""",
}
"""Changes to um_faults that no recording holds, and of which both must have the same rows."""


@pytest.mark.corpus
@pytest.mark.nsys
@pytest.mark.parametrize("name", ALIKE)
def test_made_up_exports_alike(name: str, nsys: str, tmp_path: Path) -> None:
    export = tmp_path / "um_faults.sqlite"
    export.write_bytes((FIXTURES / export.name).read_bytes())
    with closing(sqlite3.connect(export)) as db:
        for kind in ("KERNEL", "MEMCPY", "MEMSET"):
            db.executescript(ALIKE[name].replace("{K}", kind))
    cuda = [variant for variant in WANTED if variant.view.name.startswith(("cuda_", "gpu_", "um_"))]
    wanted = [variant for variant in cuda if len(variant.arguments) < 2 or is_rule(variant.view)]
    assert differing(nsys, export, wanted, tmp_path) == {}
