"""openmp_sum by hand; against NVIDIA's own numbers see test_oracle and test_made_up."""

from __future__ import annotations

from tests.blueprint import check


def test_kinds_apart_and_what_did_not_end() -> None:
    check(
        rows={
            "openmp_events": "report_id,event_id,kind,name,dur_ns\n"
            "1,1,task,x,10\n1,2,task,x,20\n1,3,parallel,x,60\n1,4,parallel,,10\n1,5,flush,,\n2,1,task,x,1"
        },
        reports="report_id\n1\n2",
        query="SELECT time_percent, total_ns, event_count, mean_ns, median_ns, min_ns, max_ns, stddev_ns, name, kind FROM openmp_sum WHERE report_id = 1 ORDER BY total_ns DESC",
        expect="""time_percent,total_ns,event_count,mean_ns,median_ns,min_ns,max_ns,stddev_ns,name,kind
            60.0,60,1,60.0,60.0,60,60,0.0,x,parallel
            30.0,30,2,15.0,15.0,10,20,7.1,x,task
            10.0,10,1,10.0,10.0,10,10,0.0,,parallel
            ,,1,,,,,0.0,,flush""",
    )
