"""kernel_sum on rows that can be checked by eye, and against NVIDIA's tool's numbers through a loop."""

from __future__ import annotations

import statistics
from collections import defaultdict

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.conftest import EXPORTS

KERNELS = "report_id,op_id,process_id,gpu_id,name,short_name,dur_ns\n"


def test_sums_by_name_gpu_and_process() -> None:
    check(
        rows={"kernels": KERNELS + "1,8,5,0,f(int),f,10\n1,16,5,0,f(int),f,30\n1,24,5,0,g(),g,60\n1,32,5,1,f(int),f,5"},
        query="""SELECT gpu_id, name, short_name, kernel_count, dur_ns, dur_ratio, mean_ns, median_ns, min_ns, max_ns, stddev_ns
            FROM kernel_sum ORDER BY gpu_id, dur_ns DESC""",
        expect="""gpu_id,name,short_name,kernel_count,dur_ns,dur_ratio,mean_ns,median_ns,min_ns,max_ns,stddev_ns
            0,g(),g,1,60,0.6,60.0,60.0,60,60,
            0,f(int),f,2,40,0.4,20.0,20.0,10,30,14.142135623730951
            1,f(int),f,1,5,1.0,5.0,5.0,5,5,""",
    )


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export) -> None:
    names = {r["id"]: r["value"] for r in rows_of(export, "StringIds")}
    durations = defaultdict(list)
    for k in rows_of(export, "CUPTI_ACTIVITY_KIND_KERNEL"):
        durations[k["globalPid"], names[k["demangledName"]]].append(k["end"] - k["start"])
    expected = {(p, n, len(d), sum(d), min(d), max(d), statistics.median(d)) for (p, n), d in durations.items()}
    report = db.report_ids([export.stem])[0]
    columns = "process_id, name, kernel_count, dur_ns, min_ns, max_ns, median_ns"
    assert set(db.sql(f"SELECT {columns} FROM kernel_sum WHERE report_id = {report}").fetchall()) == expected
