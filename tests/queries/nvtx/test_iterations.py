"""iterations and what it stands on: cases by eye, a loop over every pair of ranges, and known programs."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median
from typing import Any

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute import covered_ns, gpu_ops, process_islands
from tests.brute_ranges import folded, owners_by_loop, ranges_of
from tests.queries.conftest import Traced, each_export
from tests.recorded import HELPER, MAIN, OTHER

PUSH, START = 59, 60
Event = tuple[int, int, int, int, object, str]
Work = tuple[int, int, int, int, int]


def rows(events: list[Event], work: list[Work] = (), report: int = 1) -> dict[str, list[str]]:  # type: ignore[assignment]
    """Source rows of ranges (thread, kind, domain, start, end, name), and of calls with a kernel (thread, start of the call,
    start, end, device)."""
    numbered = list(enumerate(work, 1))
    lines = {
        "NVTX_EVENTS": [(report, n, *event) for n, event in enumerate(events, 1)],
        "CUPTI_ACTIVITY_KIND_RUNTIME": [(report, n, thread, 0, n, at, at) for n, (thread, at, *_) in numbered],
        "CUPTI_ACTIVITY_KIND_KERNEL": [(report, n, w[0] >> 24 << 24, n, *w[2:]) for n, w in numbered],
        "TARGET_INFO_GPU": [(report, 0, device, device) for device in (0, 1)],
    }
    return {name: [",".join(map(str, line)) for line in own] for name, own in lines.items()}


COLUMNS = {
    "NVTX_EVENTS": "report_id,_rowid,globalTid,eventType,domainId,start,end,text",
    "CUPTI_ACTIVITY_KIND_RUNTIME": "report_id,_rowid,globalTid,eventClass,correlationId,start,end",
    "CUPTI_ACTIVITY_KIND_KERNEL": "report_id,_rowid,globalPid,correlationId,start,end,deviceId",
    "TARGET_INFO_GPU": "report_id,vmId,id,cuDevice",
}


def iterated(*sources: dict[str, list[str]], columns: str, expect: str, view: str = "iterations") -> None:
    """Check some columns, in the order of the view."""
    check(
        rows={f"raw.{t}": "\n".join([head, *(line for s in sources for line in s[t])]) for t, head in COLUMNS.items()},
        query=f"SELECT {columns} FROM {view} ORDER BY report_id, thread_id, folded, iteration, range_id",
        expect=f"{columns.replace(' ', '')}\n{expect}",
        reports="\n".join(["report_id", *(str(n) for n, _ in enumerate(sources, 1))]),
    )


def one_by_one(*lengths: int, name: str = "step_{}", thread: int = MAIN, domain: int = 0) -> list[Event]:
    """Ranges of these lengths, one after the other, 10 ns apart."""
    found: list[Event] = []
    at = 0
    for number, length in enumerate(lengths):
        found.append((thread, PUSH, domain, at, at + length, name.format(number)))
        at += length + 10
    return found


LENGTHS = "iteration, wall_ns, median_ns, is_warmup, is_outlier"


def test_equal_lengths_are_no_warmup() -> None:
    iterated(
        rows(one_by_one(5, 5, 5)),
        columns=f"range_id, folded, name, start_ns, end_ns, {LENGTHS}",
        expect="""1,step_*,step_0,0,5,0,5,5.0,False,False
            2,step_*,step_1,15,20,1,5,5.0,False,False
            3,step_*,step_2,30,35,2,5,5.0,False,False""",
    )


@pytest.mark.parametrize(
    ("lengths", "marks"),
    [
        pytest.param((90, 16, 10, 10, 10), "WW...", id="slow first ones"),
        pytest.param((90, 15, 90, 10, 10, 10, 10, 10, 10), "W.O......", id="warm-up ends at half as long again, for good"),
        pytest.param((10, 10, 90, 10, 10), "..O..", id="outlier"),
        pytest.param((10, 10, 10, 16, 15), "...O.", id="the median and a half is none"),
        pytest.param((0, 0, 0, 1), "...O", id="no length"),
        pytest.param((1, 0, 0, 0), "W...", id="no length after the first"),
        pytest.param((1, 1, 7, 7), "..OO", id="a median of the middle two"),
    ],
)
def test_warmup_and_outliers(lengths: tuple[int, ...], marks: str) -> None:
    middle = float(median(lengths))
    lines = [f"{n},{ns},{middle},{mark == 'W'},{mark == 'O'}" for n, (ns, mark) in enumerate(zip(lengths, marks, strict=True))]
    iterated(rows(one_by_one(*lengths)), columns=LENGTHS, expect="\n".join(lines))


def test_three_of_a_name_at_least_and_none_without_a_name() -> None:
    nameless: list[Event] = [(MAIN, PUSH, 0, at, at + 1, "") for at in (100, 110, 120)]
    iterated(rows(one_by_one(5, 5)), columns="range_id", expect="")
    iterated(rows([]), columns="range_id", expect="")
    iterated(rows(nameless), columns="range_id", expect="")
    # A name at a greater depth, as none at a lesser one occurs three times.
    inner: list[Event] = [(MAIN, PUSH, 0, at, at + 1, f"layer_{at}") for at in (0, 2, 17)]
    iterated(rows([*one_by_one(5, 5), *inner, *nameless]), columns="range_id, folded", expect="3,layer_*\n4,layer_*\n5,layer_*")


def test_the_least_depth_of_each_thread() -> None:
    steps, inner = one_by_one(5, 5, 5), one_by_one(5, 5, 5, name="inner")
    saves: list[Event] = [(MAIN, PUSH, 0, 100 + at, 101 + at, "save") for at in range(3)]
    loads = one_by_one(1, 1, 1, name="load", thread=HELPER)
    iterated(
        rows([*steps, *inner, *saves, *loads]),
        columns="thread_id, folded, iteration",
        expect="\n".join(
            f"{t},{name},{n}" for t, name in ((MAIN, "save"), (MAIN, "step_*"), (HELPER, "load")) for n in range(3)
        ),
    )


def test_the_name_that_is_asked_for_however_often_it_occurs() -> None:
    events = [*one_by_one(5, 5, 5), *one_by_one(5, 5, name="layer_{}"), *one_by_one(9, 9, 9, thread=HELPER, name="layer_{}")]
    iterated(
        rows(events),
        columns="thread_id, folded, iteration, wall_ns",
        expect="\n".join([f"{MAIN},layer_*,{n},5" for n in range(2)] + [f"{HELPER},layer_*,{n},9" for n in range(3)]),
        view="iterations(step_name := 'layer_*')",
    )
    iterated(rows(events), columns="range_id", expect="", view="iterations(step_name := 'layer_1')")


def test_a_range_inside_one_of_its_name_is_part_of_it() -> None:
    nest: list[Event] = [(MAIN, PUSH, 0, n, 100 - n, f"level_{n}") for n in range(5)]
    iterated(rows(nest), columns="range_id", expect="")
    twins = [event for event in one_by_one(5, 5, 5) for _ in range(2)]
    iterated(rows(twins), columns="range_id, iteration", expect="1,0\n3,1\n5,2")
    # Work after an inner one still belongs to the outer one.
    part: list[Event] = [(MAIN, PUSH, 0, 2, 4, "step_9"), (MAIN, PUSH, 0, 6, 8, "leaf")]
    iterated(
        rows([*one_by_one(9, 9, 9), *part], [(MAIN, 3, 500, 501, 0), (MAIN, 7, 502, 503, 0)]),
        columns="range_id, op_count",
        expect="1,2\n2,0\n3,0",
    )
    crossing: list[Event] = [(MAIN, START, 0, at, end, "request") for at, end in ((0, 10), (2, 8), (5, 20))]
    iterated(rows(crossing), columns="range_id, iteration, wall_ns", expect="1,0,10\n2,1,6\n3,2,15")


def test_domains_threads_and_open_ranges() -> None:
    two = [*one_by_one(5, 5, 5), *one_by_one(5, 5, domain=2)]
    iterated(rows([*two, (MAIN, PUSH, 0, 900, "", "step_8")]), columns="range_id", expect="1\n2\n3")
    library = [*one_by_one(5, 5, 5, domain=3), (MAIN, 75, 3, 0, "", "NCCL")]
    iterated(rows(library), columns="range_id", expect="")


def test_each_report_and_process_for_itself() -> None:
    first = rows([*one_by_one(1, 1, 1), *one_by_one(2, 2, 2, thread=OTHER)])
    iterated(
        first,
        rows(one_by_one(4, 4), report=2),
        rows(one_by_one(8, 8, 8), report=3),
        columns="report_id, thread_id, iteration, median_ns",
        expect="\n".join(f"{r},{t},{n},{ns}.0" for r, t, ns in ((1, MAIN, 1), (1, OTHER, 2), (3, MAIN, 8)) for n in range(3)),
    )


def test_busy_is_whatever_ran_and_work_what_was_launched() -> None:
    # Steps [0, 100], [110, 210], [220, 320]. The first launches two kernels, one of which runs in the second step.
    steps = one_by_one(100, 100, 100)
    inner: list[Event] = [(MAIN, PUSH, 0, 10, 20, "forward"), (MAIN, PUSH, 0, 215, 218, "between")]
    work = [
        (MAIN, 15, 20, 50, 0),
        (MAIN, 30, 90, 130, 0),
        (HELPER, 40, 140, 145, 1),
        (OTHER, 115, 120, 135, 0),
        (MAIN, 217, 150, 151, 0),
    ]
    iterated(
        rows([*steps, *inner], work),
        columns="iteration, wall_ns, busy_ns, idle_ns, busy_ratio, op_count, op_dur_ns",
        expect="0,100,40,60,0.4,3,75\n1,100,31,69,0.31,0,0\n2,100,0,100,0.0,0,0",
    )


def test_busy_is_unknown_without_a_gpu_and_has_no_ratio_without_length() -> None:
    columns = "wall_ns, busy_ns, idle_ns, busy_ratio, op_count, op_dur_ns"
    iterated(rows(one_by_one(5, 5, 5)), columns=columns, expect="\n".join(["5,,,,0,0"] * 3))
    iterated(rows(one_by_one(0, 0, 0), [(MAIN, 900, 0, 50, 0)]), columns=columns, expect="\n".join(["0,0,0,,0,0"] * 3))


def steps_by_loop(ranges: dict[int, dict[str, Any]], name: str) -> dict[Any, list[dict[str, Any]]]:
    """(thread, domain, folded name) -> its iterations in the order of time."""
    lines: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for r in ranges.values():
        if r["name"] is not None and r["end_ns"] is not None and not r["is_library"]:
            lines[r["thread_id"], r["domain_id"], folded(r["name"])].append(r)

    def is_part(r: dict[str, Any], line: list[dict[str, Any]]) -> bool:
        return r["style"] == "push_pop" and any(
            o["style"] == "push_pop" and o["start_ns"] <= r["start_ns"] < o["end_ns"] and r["end_ns"] <= o["end_ns"]
            and (o["dur_ns"] > r["dur_ns"] or o["range_id"] < r["range_id"])
            for o in line
        )  # fmt: skip

    outer = {key: [r for r in line if not is_part(r, line)] for key, line in lines.items()}
    if name:
        taken = {key: line for key, line in outer.items() if key[2] == name}
    else:
        often = {key: line for key, line in outer.items() if len(line) >= 3}
        least = {key: min(r["depth"] for r in line) for key, line in often.items()}
        taken = {key: often[key] for key in often if least[key] == min(d for k, d in least.items() if k[0] == key[0])}
    return {key: sorted(line, key=lambda r: (r["start_ns"], r["range_id"])) for key, line in taken.items()}


def expected_rows(traced: Traced, name: str) -> set[tuple[Any, ...]]:
    """What the loops say."""
    ranges = ranges_of(traced.db, traced.report_id)
    owners = owners_by_loop(traced.export, traced.db, traced.report_id)
    work = [(owners[op["op_id"]].application_range_id, op["end"] - op["start"]) for op in gpu_ops(traced.export)]
    count, length = Counter(number for number, _ in work), Counter[int | None]()
    for number, ns in work:
        length[number] += ns
    islands = process_islands(traced.export)
    known = {process for (process,) in traced.rows("process_gpus", "process_id")}
    found = set()
    for (thread, domain, text), line in steps_by_loop(ranges, name).items():
        middle = median(r["dur_ns"] for r in line)
        warm = next(n for n, r in enumerate(line) if r["dur_ns"] <= 1.5 * middle)
        for n, r in enumerate(line):
            start, end, process = r["start_ns"], r["end_ns"], r["process_id"]
            inside = [
                i for i in count
                if i is not None and ranges[i]["thread_id"] == thread and start <= ranges[i]["start_ns"] and ranges[i]["latest_end"] <= end
            ]  # fmt: skip
            busy = covered_ns(start, end, islands.get(process, [])) if process in known else None
            found.add((
                r["range_id"], process, thread, text, n, r["name"], start, end, end - start, float(middle), busy,
                None if busy is None else end - start - busy, None if busy is None or end == start else busy / (end - start),
                sum(count[i] for i in inside), sum(length[i] for i in inside),
                n < warm, n > warm and end - start > 1.5 * middle,
            ))  # fmt: skip
            assert domain == r["domain_id"]
    return found


@each_export("families", "rank0", "metrics", "um_faults", "cudf_2020", "saxpy_mpi_2022_2", "nccl_payload_2026_2")
def test_equals_a_loop(traced: Traced) -> None:
    columns = (
        "range_id, process_id, thread_id, folded, iteration, name, start_ns, end_ns, wall_ns, median_ns, busy_ns, idle_ns, "
        "busy_ratio, op_count, op_dur_ns, is_warmup, is_outlier"
    )
    for name in ("", "forward", "step_*", "leaf"):
        found = traced.rows(f"iterations(step_name := '{name}')", columns)
        assert len(found) == len({row[0] for row in found})
        assert set(found) == expected_rows(traced, name)


@pytest.mark.parametrize(
    ("report", "expect"),
    [
        ("train_bad", [("step_*", 50)]),
        ("graphs_graph", [("replay", 30)]),
        ("pipeline", [("fed_*", 20), ("starved_*", 20)]),
        ("tiny", []),
        ("nocuda", []),
    ],
)
def test_known_programs(db: Database, report: str, expect: list[tuple[str, int]]) -> None:
    number = db.report_ids([report])[0]
    rows = db.sql(f"SELECT folded, count(*) FROM iterations WHERE report_id = {number} GROUP BY ALL ORDER BY ALL").fetchall()
    assert rows == expect


def test_the_first_iteration_of_train_bad_is_warmup(db: Database) -> None:
    number = db.report_ids(["train_bad"])[0]
    assert db.sql(f"SELECT name FROM iterations WHERE report_id = {number} AND is_warmup").fetchall() == [("step_0",)]
