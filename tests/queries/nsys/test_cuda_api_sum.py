"""cuda_api_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

import pytest

from tests.blueprint import check

ROWS = "report_id,call_id,api,raw_name,dur_ns\n"


def test_all_rows_count_nested_ones_and_backtraces_too() -> None:
    check(
        rows={
            "_api_rows": ROWS
            + "1,1,runtime,cudaMalloc_v3020,60\n1,2,driver,cuMemAlloc_v2,50\n1,3,backtrace,cudaMalloc,60\n1,4,runtime,cudaMalloc_v3020,30"
        },
        query="SELECT time_percent, total_ns, num_calls, mean_ns, median_ns, min_ns, max_ns, stddev_ns, name, q1_ns, q3_ns FROM cuda_api_sum ORDER BY raw_name",
        expect="""time_percent,total_ns,num_calls,mean_ns,median_ns,min_ns,max_ns,stddev_ns,name,q1_ns,q3_ns
            25.0,50,1,50.0,50.0,50,50,0.0,cuMemAlloc_v2,50.0,50.0
            30.0,60,1,60.0,60.0,60,60,0.0,cudaMalloc,60.0,60.0
            45.0,90,2,45.0,45.0,30,60,21.2,cudaMalloc,30.0,60.0""",
    )


@pytest.mark.parametrize(
    ("raw_name", "name"),
    [
        ("cudaMalloc_v3020", "cudaMalloc"),
        ("cudaGraphLaunch_v10000", "cudaGraphLaunch_v10000"),
        ("cuMemAlloc_v2", "cuMemAlloc_v2"),
        ("cudaMemcpyAsync_ptsz", "cudaMemcpyAsync_ptsz"),
        ("cuInit", "cuInit"),
        ("", ""),
    ],
)
def test_six_characters_go(raw_name: str, name: str) -> None:
    check(
        rows={"_api_rows": f"{ROWS}1,1,runtime,{raw_name},5"},
        query="SELECT name FROM cuda_api_sum",
        expect=f"name\n{name}" if name else 'name\n""',
    )


def test_two_versions_are_two_rows_of_one_name() -> None:
    check(
        rows={"_api_rows": ROWS + "1,1,runtime,f_v7000,5\n1,2,runtime,f_v3020,5"},
        query="SELECT name, raw_name, num_calls FROM cuda_api_sum ORDER BY ALL",
        expect="name,raw_name,num_calls\nf,f_v3020,1\nf,f_v7000,1",
    )


def test_reports_apart_and_no_time_at_all() -> None:
    check(
        reports="report_id\n1\n2",
        rows={"_api_rows": ROWS + "1,1,runtime,f,3\n1,2,runtime,g,6\n2,1,runtime,f,0"},
        query="SELECT report_id, name, time_percent FROM cuda_api_sum ORDER BY ALL",
        expect="report_id,name,time_percent\n1,f,33.3\n1,g,66.7\n2,f,",
    )
