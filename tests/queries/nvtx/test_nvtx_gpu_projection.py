"""nvtx_gpu_projection on rows that can be checked by eye, against a loop over every operation, and on known programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nsysql
import pytest

from tests.blueprint import check
from tests.brute_ranges import projections_by_loop
from tests.queries.conftest import Traced, each_export
from tests.recorded import COLUMNS, HELPER, MAIN, OTHER, OTHER_PROCESS, PROCESS, recorded
from tests.test_cases import case

FURTHER = (
    "families", "flood", "memcpy", "metrics", "osrt", "rank0", "rank1", "um_faults", "cudf_2020", "gpu_metrics_a100",
    "saxpy_mpi_2022_2", "nccl_payload_2026_2",
)  # fmt: skip
EVENTS = "report_id,_rowid,globalTid,text,start,end,eventType,domainId,endGlobalTid"
WORK = "name, via, op_count, thread_op_count, process_op_count, exclusive_op_count, busy_ns, exclusive_busy_ns"
PUSH, START = 59, 60


def work(
    ranges: list[tuple[Any, ...]],
    kernels: list[tuple[Any, ...]],
    expect: str,
    columns: str = WORK,
    view: str = "nvtx_gpu_projection",
) -> None:
    """Check the rows of ranges (thread, name, start, end[, kind, domain, closing thread]) and kernels (thread, start and
    end of the call, start and end of the kernel)."""
    calls = [(k[0], "cudaLaunchKernel", k[1], k[2], place) for place, k in enumerate(kernels, 1)]
    source = recorded(
        calls, [(place, k[3], k[4], "k", k[0] >> 24 << 24) for place, k in enumerate(kernels, 1)], duration=10_000
    )
    rows = {
        table: "\n".join([names, *source[table]])
        for table, names in COLUMNS.items()
        if table not in ("raw.OSRT_API", "raw.PROFILER_OVERHEAD")
    }
    defaults = (PUSH, 0, "")
    events = [(*r, *defaults[len(r) - 4 :]) for r in ranges]
    created = [(process | 1, "NCCL", 0, "", 75, 3, "") for process in (PROCESS, OTHER_PROCESS)]
    lines = [",".join(str(value) for value in (1, place, *event)) for place, event in enumerate([*events, *created], 1)]
    rows["raw.NVTX_EVENTS"] = "\n".join([EVENTS, *lines])
    check(
        rows=rows,
        query=f"SELECT {columns} FROM {view} ORDER BY range_id, gpu_id",
        expect=f"{columns.replace(' ', '')}\n{expect}",
    )


def test_inclusive_and_exclusive() -> None:
    work(
        [(MAIN, "step", 0, 1000), (MAIN, "forward", 100, 300), (MAIN, "idle", 400, 500)],
        [(MAIN, 110, 120, 200, 260), (MAIN, 290, 300, 250, 400), (MAIN, 600, 610, 2000, 2100), (MAIN, 1001, 1002, 3000, 3001)],
        "step,thread,3,3,0,1,300,100\nforward,thread,2,2,0,2,200,200",
    )


def test_a_call_must_lie_in_the_range_whole() -> None:
    work(
        [(MAIN, "bounds", 100, 120), (MAIN, "cut", 130, 145)],
        [(MAIN, 100, 120, 200, 260), (MAIN, 140, 150, 300, 310)],
        "bounds,thread,1,1,0,1,60,60",
    )


def test_ranges_that_cross_have_both_what_lies_in_both() -> None:
    work(
        [(MAIN, "a", 0, 200, START), (MAIN, "b", 100, 320, START), (MAIN, "moved", 0, 900, START, 0, HELPER)],
        [(MAIN, 110, 120, 130, 140), (MAIN, 210, 220, 230, 240)],
        "a,thread,1,1,0,1,10,10\nb,thread,2,2,0,1,20,10",
    )


def test_a_thread_without_ranges_works_for_the_others() -> None:
    work(
        [(MAIN, "step", 0, 1000), (MAIN, "backward", 100, 300), (MAIN, "after", 300, 400)],
        [
            (MAIN, 110, 120, 130, 140),
            (HELPER, 290, 350, 400, 450),
            (HELPER, 2000, 2010, 2020, 2030),
            (OTHER, 150, 160, 500, 501),
        ],
        "step,both,2,1,1,0,60,0\nbackward,both,2,1,1,2,60,60",
    )


def test_a_thread_with_ranges_works_for_itself() -> None:
    work(
        [(MAIN, "backward", 100, 300), (HELPER, "engine", 110, 150)],
        [(HELPER, 120, 130, 140, 150), (HELPER, 200, 210, 220, 230)],
        "engine,thread,1,1,0,1,10,10",
    )


def test_ranges_of_libraries_do_not_annotate_a_thread() -> None:
    work(
        [(MAIN, "step", 0, 1000), (HELPER, "ncclAllReduce", 100, 200, PUSH, 3), (MAIN, "inside", 300, 400, PUSH, 3)],
        [(HELPER, 120, 130, 140, 150), (HELPER, 210, 220, 230, 250), (MAIN, 310, 320, 330, 340)],
        "step,both,3,1,2,1,40,20\nncclAllReduce,thread,1,1,0,1,10,10\ninside,thread,1,1,0,1,10,10",
    )


def test_of_several_threads_the_one_that_changed_last_has_it() -> None:
    work(
        [(MAIN, "early", 0, 1000), (MAIN | 16, "late", 100, 900), (MAIN | 16, "past", 110, 150)],
        [(HELPER, 50, 60, 70, 80), (HELPER, 200, 210, 220, 230)],
        "early,process,1,0,1,1,10,10,0\nlate,process,1,0,1,1,10,10,1",
        columns=f"{WORK}, ambiguous_op_count",
    )


def test_across_threads_the_time_decides() -> None:
    rows = [(MAIN, "backward", 100, 300), (HELPER, "engine", 110, 150)]
    kernels = [
        (HELPER, 120, 130, 140, 150),
        (HELPER, 200, 210, 220, 230),
        (HELPER, 300, 310, 320, 330),
        (MAIN, 140, 149, 400, 410),
    ]
    work(
        rows,
        kernels,
        "backward,both,3,1,2,30\nengine,both,2,1,1,20",
        columns="name, via, op_count, thread_op_count, process_op_count, busy_ns",
        view="nvtx_gpu_projection(across_threads := true)",
    )


COMPARED = [
    "process_id", "thread_id", "domain", "name", "nvtx_path", "depth", "is_library", "via", "op_count", "kernel_count",
    "memcpy_count", "memset_count", "graph_launch_count", "thread_op_count", "process_op_count", "ambiguous_op_count",
    "first_start_ns", "last_end_ns", "span_ns", "busy_ns", "op_dur_ns", "kernel_ns", "memcpy_ns", "memset_ns",
    "exclusive_op_count", "exclusive_busy_ns", "cpu_ns",
]  # fmt: skip


def by_range(traced: Traced, view: str, columns: list[str]) -> dict[tuple[int, int], dict[str, Any]]:
    """The view in the shape of the loop."""
    rows = traced.rows(view, ", ".join(["range_id", "gpu_id", *columns]))
    found = {row[:2]: dict(zip(columns, row[2:])) for row in rows}
    assert len(found) == len(rows)
    return found


@each_export(*FURTHER)
def test_equals_a_loop(traced: Traced) -> None:
    expected = projections_by_loop(traced.export, traced.db, traced.report_id)
    assert by_range(traced, "nvtx_gpu_projection", COMPARED) == expected


@each_export("families", "rank0")
def test_across_threads_equals_a_loop(traced: Traced) -> None:
    columns = [c for c in COMPARED if c not in ("ambiguous_op_count", "exclusive_op_count", "exclusive_busy_ns")]
    expected = projections_by_loop(traced.export, traced.db, traced.report_id, across_threads=True)
    found = by_range(traced, "nvtx_gpu_projection(across_threads := true)", columns)
    assert found == {key: {c: row[c] for c in columns} for key, row in expected.items()}


@pytest.mark.parametrize(
    ("report", "name", "thread_ops", "process_ops", "ranges"),
    [
        ("train_bad", "backward", 50, 650, 50),
        ("train_good", "backward", 50, 650, 50),
        ("ddp_one", "backward", 40, 1440, 40),
        ("graphs_graph", "replay", 30, 0, 30),
        ("graphs_node", "replay", 300, 0, 30),
    ],
)
def test_known_programs(db: nsysql.Database, report: str, name: str, thread_ops: int, process_ops: int, ranges: int) -> None:
    """Operations that have no range further in; NCCL's ranges in backward have 154 more."""
    report_id = db.report_ids([report])[0]
    owned = db.sql(
        f"""SELECT count(CASE WHEN via = 'thread' THEN 1 END), count(CASE WHEN via = 'process' THEN 1 END)
        FROM op_ranges JOIN nvtx_ranges USING (report_id, range_id) WHERE report_id = {report_id} AND name = '{name}'"""
    ).fetchall()
    assert owned == [(thread_ops, process_ops)]
    projected = db.sql(
        f"""SELECT sum(exclusive_op_count)::INT, count(DISTINCT range_id), sum(op_count - exclusive_op_count)::INT
        FROM nvtx_gpu_projection WHERE report_id = {report_id} AND name = '{name}'"""
    ).fetchall()
    assert projected == [(thread_ops + process_ops, ranges, 154 if report == "ddp_one" else 0)]


def test_what_a_graph_did_by_node_and_as_one(db: nsysql.Database) -> None:
    counts = "sum(kernel_count)::INT, sum(memset_count)::INT, sum(graph_launch_count)::INT"
    for report, expected in (("graphs_graph", (0, 0, 30)), ("graphs_node", (270, 30, 0))):
        text = f"SELECT {counts} FROM nvtx_gpu_projection WHERE report_id = {db.report_ids([report])[0]} AND name = 'replay'"
        assert db.sql(text).fetchall() == [expected]


def test_copies_in_a_range(tmp_path: Path) -> None:
    with case("09-copies-in-a-range", tmp_path) as (db, right):
        for name in ("load_batch", "train"):
            sums = "sum(kernel_ns), sum(memcpy_ns), sum(memset_ns), sum(busy_ns), sum(cpu_ns), sum(op_count)"
            (row,) = db.sql(f"SELECT {sums} FROM nvtx_gpu_projection WHERE name = '{name}'").fetchall()
            assert (
                dict(zip(("kernel_ns", "memcpy_ns", "memset_ns", "gpu_ns", "host_ns", "gpu_ops"), row))
                == {"memset_ns": 0} | right[name]
            )


def test_backward_of_another_thread(tmp_path: Path) -> None:
    with case("07-backward-elsewhere", tmp_path) as (db, right):
        for view, key in (
            ("nvtx_gpu_projection", "same_thread"),
            ("nvtx_gpu_projection(across_threads := true)", "any_thread_of_the_process"),
        ):
            rows = dict(db.sql(f"SELECT name, sum(kernel_ns) FROM {view} GROUP BY ALL").fetchall())
            assert {name: rows.get(name, 0) for name in right[key]} == right[key]
        elsewhere = db.sql(
            "SELECT sum(kernel_count), sum(kernel_ns) FROM nvtx_gpu_projection WHERE name = 'LinearBackward0'"
        ).fetchall()
        assert elsewhere == [tuple(right["not_under_any_range_of_the_main_thread"].values())]
