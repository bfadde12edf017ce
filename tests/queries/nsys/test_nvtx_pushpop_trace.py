"""nvtx_pushpop_trace by hand and against a loop over all pairs of ranges; NVIDIA's numbers: test_oracle and test_made_up."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.blueprint import check
from tests.brute import capture_ns, rows_of
from tests.queries.conftest import Traced, each_export

HEADER = "report_id,_rowid,globalTid,eventType,domainId,start,end,text\n"
THREAD = 5 << 24 | 7
TREE = "range_id, parent_id, level, child_count, dur_ns, children_dur_ns, own_dur_ns, range_stack, name_tree"


def tree(rows: str, expect: str, like: str = "2023.4") -> None:
    check(
        rows={"raw.NVTX_EVENTS": HEADER + rows, "raw.ANALYSIS_DETAILS": "report_id,duration\n1,1000"},
        query=f"SELECT {TREE} FROM nvtx_pushpop_trace (like_nsys := '{like}') ORDER BY range_id",
        expect=f"{TREE.replace(' ', '')}\n{expect}",
    )


def row(number: int, start: int, end: int | str, name: str, domain: int = 0, kind: int = 59, thread: int = THREAD) -> str:
    return f"1,{number},{thread},{kind},{domain},{start},{end},{name}\n"


def test_a_tree() -> None:
    tree(
        row(1, 0, 100, "a") + row(4, 10, 40, "b") + row(5, 20, 30, "c") + row(9, 50, 60, "d"),
        "1,,0,2,100,40,60,:1,a\n4,1,1,1,30,10,20,:1:4,--b\n5,4,2,0,10,0,10,:1:4:5,----c\n9,1,1,0,10,0,10,:1:9,--d",
    )


def test_names_of_2025_and_of_domains() -> None:
    tree(
        row(1, 0, "", "dom", domain=3, kind=75) + row(2, 0, 100, "a") + row(3, 10, 40, "b", domain=3),
        "2,,0,1,100,30,70,:2,:a\n3,2,1,0,30,0,30,:2:3,--dom:b",
        like="2025.3",
    )


def test_start_end_ranges_are_not_in_the_tree_also_where_they_hide_a_parent() -> None:
    # s is shorter than b and crosses it, so the parent of c in nvtx_ranges is s, which does not lie in b.
    tree(
        row(1, 0, 100, "a")
        + row(2, 5, 60, "b", domain=1)
        + row(3, 20, 70, "s", kind=60)
        + row(4, 25, 30, "c")
        + row(5, 62, 65, "d"),
        "1,,0,2,100,58,42,:1,a\n2,1,1,1,55,5,50,:1:2,--b\n4,2,2,0,5,0,5,:1:2:4,----c\n5,1,1,0,3,0,3,:1:5,--d",
    )


def test_children_of_two_domains_may_overlap() -> None:
    tree(
        row(1, 0, 10, "a") + row(2, 0, 8, "b", domain=1) + row(3, 1, 9, "c", domain=2),
        "1,,0,2,10,16,-6,:1,a\n2,1,1,0,8,0,8,:1:2,--b\n3,1,1,0,8,0,8,:1:3,--c",
    )


def test_equal_bounds_and_no_length() -> None:
    tree(
        row(1, 0, 10, "a") + row(2, 0, 10, "b") + row(3, 5, 5, "c"),
        "1,,0,1,10,10,0,:1,a\n2,1,1,1,10,0,10,:1:2,--b\n3,2,2,0,0,0,0,:1:2:3,----c",
    )


def test_an_open_range_ends_with_the_capture() -> None:
    tree(
        row(1, 0, 1000, "a") + row(2, 900, 1000, "b") + row(3, 910, 920, "c"),
        "1,,0,1,1000,100,900,:1,a\n2,1,1,1,100,10,90,:1:2,--b\n3,2,2,0,10,0,10,:1:2:3,----c",
    )


def test_reports_and_threads_apart() -> None:
    check(
        reports="report_id\n1\n2",
        rows={"raw.NVTX_EVENTS": f"{HEADER}{row(1, 0, 9, 'a')}{row(2, 1, 8, 'b', thread=THREAD + 1)}2,3,{THREAD},59,0,2,7,c"},
        query="SELECT report_id, start_ns, end_ns, range_name, pid, tid, level FROM nvtx_pushpop_trace ORDER BY ALL",
        expect="report_id,start_ns,end_ns,range_name,pid,tid,level\n1,0,9,a,5,7,0\n1,1,8,b,5,8,0\n2,2,7,c,5,7,0",
    )


def tree_by_loop(traced: Traced) -> dict[int, tuple[Any, ...]]:
    """Range -> start, end, parent, stack and children: for each range each other one is looked at."""
    ranges = [r for r in rows_of(traced.export, "NVTX_EVENTS") if r["eventType"] in (59, 70)]
    for r in ranges:
        # A range of length 0 has no end in the exports of the bundled collectors.
        r["end"] = r["start"] if r["end"] is None else r["end"]
    latest = capture_ns(traced.export)
    assert all(r["end"] <= (latest or r["end"]) for r in ranges)
    parent: dict[int, int | None] = {}
    for r in ranges:
        around = [
            o
            for o in ranges
            if o["globalTid"] == r["globalTid"] and o["start"] <= r["start"] and o["end"] >= r["end"]
            if (o["start"], o["end"]) != (r["start"], r["end"]) or o["_rowid"] < r["_rowid"]
        ]
        nearest = max(around, key=lambda o: (o["start"] - o["end"], o["start"], o["_rowid"]), default=None)
        parent[r["_rowid"]] = nearest["_rowid"] if nearest else None
    length = {r["_rowid"]: r["end"] - r["start"] for r in ranges}
    children: dict[int | None, list[int]] = defaultdict(list)
    for number, above in parent.items():
        children[above].append(length[number])
    found = {}
    for r in ranges:
        number, stack = r["_rowid"], [r["_rowid"]]
        while (above := parent[stack[0]]) is not None:
            stack.insert(0, above)
        found[number] = (
            *(r["start"], r["end"], parent[number], "".join(f":{n}" for n in stack)),
            *(len(stack) - 1, len(children[number]), sum(children[number])),
        )
    return found


@each_export("families", "flood", "memcpy", "metrics", "osrt", "rank0", "rank1", "um_faults", "saxpy_mpi_2022_2")
def test_like_a_loop(traced: Traced) -> None:
    columns = "range_id, start_ns, end_ns, parent_id, range_stack, level, child_count, children_dur_ns"
    assert {number: tuple(rest) for number, *rest in traced.rows("nvtx_pushpop_trace", columns)} == tree_by_loop(traced)
