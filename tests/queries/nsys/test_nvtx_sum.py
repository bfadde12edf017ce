"""nvtx_sum by hand; against NVIDIA's own numbers see test_oracle."""

from __future__ import annotations

from tests.blueprint import check

EVENTS = "raw.NVTX_EVENTS"
HEADER = "report_id,_rowid,globalTid,eventType,domainId,start,end,text\n"
QUERY = "SELECT time_percent, total_ns, range_count, mean_ns, median_ns, stddev_ns, style, range_name FROM nvtx_sum ORDER BY total_ns DESC, range_name"
EXPECT = "time_percent,total_ns,range_count,mean_ns,median_ns,stddev_ns,style,range_name\n"


def test_by_domain_style_and_name() -> None:
    check(
        rows={
            EVENTS: HEADER
            + "1,1,7,75,1,0,,dom\n1,2,7,59,0,0,10,a\n1,3,7,59,0,20,40,a\n1,4,7,60,0,50,60,a\n1,5,7,59,1,70,80,a\n1,6,7,34,0,95,,mark"
        },
        query=QUERY,
        expect=EXPECT
        + "60.0,30,2,15.0,15.0,7.1,PushPop,a\n20.0,10,1,10.0,10.0,0.0,StartEnd,a\n20.0,10,1,10.0,10.0,0.0,PushPop,dom:a",
    )


def test_a_domain_made_by_two_threads_counts_its_ranges_once() -> None:
    check(
        rows={EVENTS: HEADER + "1,1,7,75,1,0,,dom\n1,2,8,75,1,0,,dom\n1,3,7,59,1,0,10,a"},
        query="SELECT range_count, range_name FROM nvtx_sum",
        expect="range_count,range_name\n1,dom:a",
    )


def test_an_open_range_without_end_lasts_to_the_last_event() -> None:
    check(
        rows={EVENTS: HEADER + "1,1,7,59,0,10,,open\n1,2,7,34,0,95,,mark"},
        query="SELECT total_ns, range_name FROM nvtx_sum",
        expect="total_ns,range_name\n85,open",
    )
