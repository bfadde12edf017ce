"""nvtx_pushpop_sum by hand; against NVIDIA's own numbers see test_oracle and test_made_up."""

from __future__ import annotations

from tests.blueprint import check

HEADER = "report_id,_rowid,globalTid,eventType,domainId,start,end,text\n"
EVENTS = HEADER + (
    "1,1,7,75,1,0,,dom\n1,2,7,59,0,0,10,a\n1,3,8,59,0,20,40,a\n1,4,7,60,0,50,60,a\n1,5,7,70,1,70,80,a\n1,6,7,59,0,2,6,in"
)


def test_push_pop_alone_nested_ones_in_full_and_imported_ones() -> None:
    check(
        rows={"raw.NVTX_EVENTS": EVENTS},
        query="SELECT time_percent, total_ns, range_count, mean_ns, median_ns, min_ns, max_ns, stddev_ns, range_name FROM nvtx_pushpop_sum ORDER BY total_ns DESC",
        expect="""time_percent,total_ns,range_count,mean_ns,median_ns,min_ns,max_ns,stddev_ns,range_name
            68.2,30,2,15.0,15.0,10,20,7.1,a
            22.7,10,1,10.0,10.0,10,10,0.0,dom:a
            9.1,4,1,4.0,4.0,4,4,0.0,in""",
    )


def test_names_of_2025() -> None:
    check(
        rows={"raw.NVTX_EVENTS": EVENTS},
        query="SELECT range_name, range_count FROM nvtx_pushpop_sum (like_nsys := '2025.3') ORDER BY ALL",
        expect="range_name,range_count\n:a,2\n:in,1\ndom:a,1",
    )


def test_reports_apart() -> None:
    check(
        reports="report_id\n1\n2",
        rows={"raw.NVTX_EVENTS": HEADER + "1,1,7,59,0,0,10,a\n2,1,7,59,0,0,,a\n2,2,7,34,0,90,,mark"},
        query="SELECT report_id, range_name, total_ns, time_percent FROM nvtx_pushpop_sum ORDER BY ALL",
        expect="report_id,range_name,total_ns,time_percent\n1,a,10,100.0\n2,a,90,100.0",
    )
