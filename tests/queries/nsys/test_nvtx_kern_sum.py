"""nvtx_kern_sum by hand; against NVIDIA's own numbers see test_oracle and test_made_up."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.queries.nsys.made_up_nvtx import CREATE, HELPER, MAIN, PROCESS, PUSH, START, Line, source

P = 1 << 48 | 5 << 24
COUNTS = "range_name, tid, range_count, kernel_count, total_ns, min_ns, max_ns"


def counted(expect: str, *events: Line, calls: list[Line], kernels: list[Line]) -> None:
    check(
        rows=source(*events, calls=calls, kernels=kernels),
        query=f"SELECT {COUNTS} FROM nvtx_kern_sum ORDER BY ALL",
        expect=f"{COUNTS.replace(' ', '')}\n{expect}",
    )


def test_every_range_no_range_and_no_call() -> None:
    check(
        rows={
            "raw.NVTX_EVENTS": f"report_id,_rowid,globalTid,eventType,domainId,start,end,text\n1,1,{P + 1},59,0,0,100,a\n1,2,{P + 1},59,0,5,50,a",
            "raw.CUPTI_ACTIVITY_KIND_RUNTIME": f"report_id,_rowid,globalTid,correlationId,start,end\n1,1,{P + 1},7,10,20\n1,2,{P + 1},8,200,210",
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": f"report_id,_rowid,globalPid,deviceId,correlationId,start,end,demangledName\n1,1,{P},0,7,300,310,0\n1,2,{P},0,8,400,430,0\n1,3,{P},0,9,500,550,0",
            "raw.StringIds": "report_id,id,value\n1,0,f()",
        },
        query="SELECT range_name, style, pid, tid, range_count, kernel_count, total_ns, mean_ns FROM nvtx_kern_sum ORDER BY total_ns",
        expect="range_name,style,pid,tid,range_count,kernel_count,total_ns,mean_ns\na,PushPop,5,1,2,1,20,10.0\n,,5,1,0,1,30,30.0\n,,,,0,1,50,50.0",
    )


@pytest.mark.parametrize(
    ("events", "expect"),
    [
        pytest.param([(MAIN, PUSH, 0, 0, 90, "a"), (MAIN, PUSH, 0, 60, 70, "a")], "a,1,1,2,30,10,20", id="side by side"),
        pytest.param([(MAIN, PUSH, 0, 0, 90, "a"), (MAIN, PUSH, 0, 5, 30, "a")], "a,1,2,2,40,10,20", id="in each other"),
        pytest.param([(MAIN, START, 0, 0, 90, "a"), (MAIN, START, 0, 5, 95, "a")], "a,1,2,2,60,10,20", id="crossing"),
        pytest.param(
            [(MAIN, CREATE, 1, 0, "", "d"), (MAIN, PUSH, 1, 0, 90, "a"), (MAIN, PUSH, 0, 5, 95, "d:a")],
            "d:a,1,2,2,60,10,20",
            id="one name in two domains",
        ),
        pytest.param([(MAIN, PUSH, 0, 0, 90, "a"), (HELPER, PUSH, 0, 5, 30, "a")], "a,1,1,2,30,10,20", id="another thread"),
    ],
)
def test_a_kernel_in_two_ranges_of_one_name_is_one_kernel(events: list[Line], expect: str) -> None:
    calls: list[Line] = [(MAIN, 1, 10, 20), (MAIN, 2, 40, 50)]
    counted(expect, *events, calls=calls, kernels=[(PROCESS, 1, 300, 310), (PROCESS, 2, 400, 420)])


def test_a_kernel_counts_with_each_call_of_its_number_and_is_one_kernel() -> None:
    counted(
        "a,1,1,2,40,10,20\n,2,0,1,10,10,10",
        (MAIN, PUSH, 0, 0, 90, "a"),
        calls=[(MAIN, 1, 10, 20), (MAIN, 1, 12, 18), (HELPER, 1, 30, 35), (MAIN, 2, 40, 50)],
        kernels=[(PROCESS, 1, 300, 310), (PROCESS, 2, 400, 420)],
    )


def test_equal_names_are_one_also_where_their_numbers_differ() -> None:
    rows = source((MAIN, PUSH, 0, 0, 90, "a"), kernels=[(PROCESS, 1, 300, 310), (PROCESS, 1, 400, 420)])
    rows["raw.CUPTI_ACTIVITY_KIND_KERNEL"] = (
        "report_id,_rowid,globalPid,correlationId,start,end,demangledName,shortName\n"
        f"1,1,{PROCESS},1,300,310,0,0\n1,2,{PROCESS},1,400,420,,2\n1,3,{PROCESS},1,500,530,9,"
    )
    rows["raw.StringIds"] += "\n1,2,f()"
    check(
        rows=rows,
        query="SELECT kernel_name, kernel_count, total_ns FROM nvtx_kern_sum ORDER BY ALL",
        expect="kernel_name,kernel_count,total_ns\nf(),2,30\n,1,30",
    )


def test_names_of_2025_and_reports_apart() -> None:
    first = source((MAIN, PUSH, 0, 0, 90, "a"))
    rows = {name: text + "".join("\n2" + line[1:] for line in text.split("\n")[1:]) for name, text in first.items()}
    check(
        reports="report_id\n1\n2",
        rows=rows,
        query="SELECT report_id, range_name, kernel_name, kernel_count FROM nvtx_kern_sum (like_nsys := '2025.3') ORDER BY ALL",
        expect="report_id,range_name,kernel_name,kernel_count\n1,:a,f(),1\n2,:a,f(),1",
    )
