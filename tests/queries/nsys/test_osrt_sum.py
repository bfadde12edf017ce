"""osrt_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check


def test_nested_calls_count_in_full() -> None:
    check(
        rows={"osrt_calls": "report_id,call_id,is_nested,name,dur_ns\n1,1,false,poll,30\n1,2,false,poll,50\n1,3,true,read,20"},
        query="SELECT time_percent, total_ns, num_calls, mean_ns, median_ns, min_ns, max_ns, stddev_ns, name FROM osrt_sum ORDER BY total_ns DESC",
        expect="""time_percent,total_ns,num_calls,mean_ns,median_ns,min_ns,max_ns,stddev_ns,name
            80.0,80,2,40.0,40.0,30,50,14.1,poll
            20.0,20,1,20.0,20.0,20,20,0.0,read""",
    )
