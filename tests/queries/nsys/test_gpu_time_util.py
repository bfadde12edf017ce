"""gpu_time_util by hand and against a loop over the source rows; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from math import ceil
from pathlib import Path

import pytest
from nsysql.database import Database
from nsysql.errors import UsageError

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

OPS = "report_id,op_id,process_id,device_id,context_id,start_ns,end_ns\n"
NOTHING = {
    "memcpys": OPS,
    "memsets": OPS,
    "overheads": "report_id,overhead_id,process_id,name,start_ns,end_ns",
}
COLUMNS = "in_use_percent,dur_ns,start_ns,pid,device_id,context_id"


def stretches(kernels: str, expect: str, *, chunks: int = 10, threshold: int = 50, **others: str) -> None:
    """Compare the stretches; kernels are process, device, context, start and end."""
    ops = "\n".join(f"1,{8 * n},{line}" for n, line in enumerate(kernels.split(), start=1))
    check(
        rows=NOTHING | {"kernels": OPS + ops} | others,
        query=f"""SELECT {COLUMNS} FROM gpu_time_util (threshold_percent := {threshold}, chunk_count := {chunks})
            ORDER BY pid, device_id, start_ns""",
        expect=f"{COLUMNS}\n{expect}",
    )


def test_neighbouring_chunks_are_one_stretch() -> None:
    # chunks of 100 from 1000 on: in use for 100, 0, 40, 100, 0, 0, 0, 0, 0, 10
    stretches(
        "83886080,0,1,1000,1100 83886080,0,1,1260,1400 83886080,0,2,1990,2000",
        "20.0,200,1100,5,0,2\n1.7,600,1400,5,0,2",
    )


def test_less_than_the_threshold() -> None:
    stretches("83886080,0,1,1000,1050 83886080,0,1,1150,1200", "", chunks=2, threshold=50)
    stretches("83886080,0,1,1000,1050 83886080,0,1,1150,1200", "50.0,200,1000,5,0,1", chunks=2, threshold=51)


def test_what_runs_side_by_side_counts_in_full_each() -> None:
    stretches("83886080,0,1,1000,1040 83886080,0,1,1000,1030 83886080,0,1,1190,1200", "10.0,100,1100,5,0,1", chunks=2)


def test_an_operation_over_many_chunks() -> None:
    # chunks of 100: 50, 100, 100, 100, 20 and, by the second operation, 1
    stretches(
        "83886080,0,1,1050,1420 83886080,0,1,1000,1001 83886080,0,1,1599,1600", "10.5,200,1400,5,0,1", chunks=6, threshold=51
    )


def test_the_last_chunk_is_shorter_and_may_be_missing() -> None:
    # 101 in chunks of 6: the last of 17 is 5 long, and there are no more
    stretches("83886080,0,1,1000,1001 83886080,0,1,1100,1101", "2.0,101,1000,5,0,1", chunks=20, threshold=101)
    stretches("83886080,0,1,1000,1001 83886080,0,1,1100,1101", "0.0,90,1006,5,0,1", chunks=20, threshold=10)


def test_processes_and_devices_apart() -> None:
    stretches(
        "83886080,0,1,1000,1010 83886080,1,1,2000,2020 100663296,0,1,3000,3030 83886080,0,1,1090,1100 83886080,1,1,2090,2100 100663296,0,1,3090,3100",
        "20.0,100,1000,5,0,1\n30.0,100,2000,5,1,1\n40.0,100,3000,6,0,1",
        chunks=1,
    )


def test_no_time_at_all_is_no_stretch() -> None:
    stretches("83886080,0,1,1000,1000", "", threshold=101)


def test_the_work_of_the_profiler_counts() -> None:
    stretches(
        "83886080,0,1,1000,1010 83886080,0,1,1090,1100",
        "40.0,100,1000,5,0,1",
        chunks=1,
        overheads="report_id,overhead_id,process_id,name,start_ns,end_ns\n1,1,83886080,CUDA profiling data flush overhead,1020,1040",
    )


@pytest.mark.parametrize("count", [0, 1001])
def test_other_numbers_of_chunks_are_refused(db: Database, count: int) -> None:
    with pytest.raises(UsageError, match="requires chunk_count BETWEEN 1 AND 1000"):
        db.query("gpu_time_util", {"chunk_count": count})


def work(export: Path) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Start and end of every operation, and of the profiler's work among them, by process and device."""
    ops = defaultdict(list)
    for table in ("KERNEL", "MEMCPY", "MEMSET"):
        for op in rows_of(export, f"CUPTI_ACTIVITY_KIND_{table}"):
            if op["start"] > 0:
                ops[op["globalPid"], op["deviceId"]].append((op["start"], op["end"]))
    names = {row["id"]: row["value"] for row in rows_of(export, "StringIds")}
    for (process, _), spans in ops.items():
        first, last = min(s for s, _ in spans), max(e for _, e in spans)
        for row in rows_of(export, "PROFILER_OVERHEAD"):
            is_counted = names[row["nameId"]] in [f"CUDA profiling {what}overhead" for what in ("data flush ", "stop ", "")]
            if is_counted and row["globalTid"] >> 24 << 24 == process and row["start"] > first and row["end"] < last:
                spans.append((row["start"], row["end"]))
    return ops


@pytest.mark.parametrize(("chunks", "threshold"), [(1, 101), (7, 60), (30, 50), (333, 101)])
@each_export("memcpy", "mpi_openacc_4proc", "jetson_2024_5")
def test_equals_a_loop_over_the_source(traced: Traced, chunks: int, threshold: int) -> None:
    want = []
    for (process, device), spans in work(traced.export).items():
        first, last = min(s for s, _ in spans), max(e for _, e in spans)
        size = ceil((last - first) / chunks)
        low = []
        for number in range(chunks):
            start, end = first + number * size, min(first + (number + 1) * size, last)
            busy = sum(max(0, min(e, end) - max(s, start)) for s, e in spans)
            if end > start and 100 * busy / (end - start) < threshold:
                low.append((number, start, end, busy))
        for _, group in groupby(enumerate(low), lambda pair: pair[1][0] - pair[0]):
            parts = [part for _, part in group]
            length = sum(end - start for _, start, end, _ in parts)
            want.append((parts[0][1], length, process >> 24 & 0xFFFFFF, device, 100 * sum(p[3] for p in parts) / length))
    view = f"gpu_time_util(threshold_percent := {threshold}, chunk_count := {chunks})"
    found = traced.rows(view, "start_ns, dur_ns, pid, device_id, in_use_percent")
    assert [row[:4] for row in found] == [row[:4] for row in sorted(want)]
    assert [row[4] for row in found] == pytest.approx([row[4] for row in sorted(want)], abs=0.051)
