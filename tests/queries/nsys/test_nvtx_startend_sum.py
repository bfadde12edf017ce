"""nvtx_startend_sum by hand; against NVIDIA's own numbers see test_oracle and test_made_up."""

from __future__ import annotations

import pytest

from tests.blueprint import check

EVENTS = (
    "report_id,_rowid,globalTid,eventType,domainId,start,end,text,endGlobalTid\n"
    "1,1,7,75,1,0,,dom,\n1,2,7,60,0,0,10,a,\n1,3,8,60,0,5,25,a,9\n1,4,7,59,0,50,60,a,\n1,5,7,71,1,70,80,a,"
)


@pytest.mark.parametrize(("call", "name"), [("", "a"), ("(like_nsys := '2025.3')", ":a")])
def test_start_end_alone_those_of_two_threads_and_imported_ones(call: str, name: str) -> None:
    check(
        rows={"raw.NVTX_EVENTS": EVENTS},
        query=f"SELECT time_percent, total_ns, range_count, mean_ns, median_ns, min_ns, max_ns, stddev_ns, range_name FROM nvtx_startend_sum {call} ORDER BY total_ns DESC",
        expect=f"""time_percent,total_ns,range_count,mean_ns,median_ns,min_ns,max_ns,stddev_ns,range_name
            75.0,30,2,15.0,15.0,10,20,7.1,{name}
            25.0,10,1,10.0,10.0,10,10,0.0,dom:a""",
    )
