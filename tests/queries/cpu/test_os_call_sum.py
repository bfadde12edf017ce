"""os_call_sum: nested calls count once, threads and functions each their own."""

from __future__ import annotations

from collections import defaultdict

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

CALLS = "report_id,call_id,process_id,thread_id,name,is_blocking,dur_ns,is_nested,is_open\n"
COLUMNS = "thread_id,thread_name,name,is_blocking,call_count,nested_count,open_count,outermost_ns,inclusive_ns,max_ns"


def test_a_read_inside_a_read() -> None:
    check(
        rows={
            "osrt_calls": f"""{CALLS}
                1,1,9,91,fread,true,100,false,false
                1,2,9,91,read,true,80,true,false
                1,3,9,91,read,true,30,false,true
                1,4,9,92,read,true,5,false,
                1,5,9,91,write,false,7,false,false""",
            "threads": "report_id,thread_id,name\n1,91,loader\n2,92,other",
        },
        query=f"SELECT {COLUMNS} FROM os_call_sum ORDER BY ALL",
        expect=f"""{COLUMNS}
            91,loader,fread,True,1,0,0,100,100,100
            91,loader,read,True,2,1,1,30,110,80
            91,loader,write,False,1,0,0,7,7,7
            92,,read,True,1,0,0,5,5,5""",
    )


@each_export("osrt", "um_faults", "lanl_2021_5", "gpu_metrics_a100")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    calls = defaultdict(list)
    for c in rows_of(traced.export, "OSRT_API"):
        if c["eventClass"] == 27:
            calls[c["globalTid"], texts[c["nameId"]]].append((c["end"] - c["start"], c["nestingLevel"]))
    expected = sorted(
        (thread, name, len(c), sum(d for d, _ in c), sum(d for d, level in c if level == 0), max(c)[0])
        for (thread, name), c in calls.items()
    )
    columns = "thread_id, name, call_count, inclusive_ns, outermost_ns, max_ns"
    assert traced.rows("os_call_sum", columns) == expected
