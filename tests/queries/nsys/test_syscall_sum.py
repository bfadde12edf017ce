"""syscall_sum by hand; no recording and no tool at hand has it."""

from __future__ import annotations

from tests.blueprint import check


def test_by_name() -> None:
    check(
        rows={"syscalls": "report_id,call_id,name,dur_ns\n1,1,futex,30\n1,2,futex,50\n1,3,read,20\n2,1,read,1"},
        reports="report_id\n1\n2",
        query="SELECT report_id, time_percent, total_ns, num_calls, mean_ns, median_ns, min_ns, max_ns, stddev_ns, name FROM syscall_sum ORDER BY report_id, total_ns DESC",
        expect="""report_id,time_percent,total_ns,num_calls,mean_ns,median_ns,min_ns,max_ns,stddev_ns,name
            1,80.0,80,2,40.0,40.0,30,50,14.1,futex
            1,20.0,20,1,20.0,20.0,20,20,0.0,read
            2,100.0,1,1,1.0,1.0,1,1,0.0,read""",
    )
