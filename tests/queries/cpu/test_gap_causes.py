"""gap_causes on rows that can be checked by eye, against a loop over every stretch of every gap, and on known programs."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import nsysql
import pytest

from tests.blueprint import check
from tests.brute_attribution import gap_callers_by_loop, gap_causes_by_loop
from tests.queries.conftest import Traced, each_export
from tests.recorded import COLUMNS, HELPER, MAIN, OTHER, PROCESS, recorded
from tests.test_cases import case

FURTHER = (
    "cpu_samples", "families", "flood", "memcpy", "metrics", "osrt", "privacy", "rank0", "rank1", "um_faults", "cudf_2020",
    "file_access_2025_5", "gpu_metrics_a100", "jetson_2024_5", "lanl_2021_5", "mpi_openacc_4proc", "saxpy_mpi_2022_2",
    "um_2023_4", "nccl_payload_2026_2",
)  # fmt: skip
QUERY = "SELECT g.position, c.cause, c.name, c.dur_ns FROM gap_causes AS c JOIN gaps AS g USING (report_id, gap_id) ORDER BY g.gap_id, c.cause, c.name NULLS LAST"


def causes(
    *recordings: dict[str, list[str]], expect: str, query: str = QUERY, header: str = "position,cause,name,dur_ns"
) -> None:
    """Check the causes of the gaps of some reports."""
    rows = {table: "\n".join([columns, *(line for r in recordings for line in r[table])]) for table, columns in COLUMNS.items()}
    reports = "\n".join(["report_id", *(str(place) for place, _ in enumerate(recordings, 1))])
    check(rows=rows, query=query, expect=f"{header}\n{expect}", reports=reports)


def launch(corr: int, start: int, end: int, name: str = "cudaLaunchKernel", thread: int = MAIN) -> tuple[Any, ...]:
    """A call that bears the number of an operation."""
    return thread, name, start, end, corr


def in_gap(*calls: tuple[Any, ...], op: int = 50_000, **more: Any) -> dict[str, list[str]]:
    """Work up to 1,000 ns, a gap, and work from `op` on that `launch(2, ...)` asked for."""
    return recorded([launch(1, 0, 10), *calls], [(1, 0, 1000), (2, op, op + 10)], **more)


@pytest.mark.parametrize(
    ("start", "op", "expect"),
    [
        pytest.param(20, 20_999, "between,gpu_dispatch,,19999", id="launched before, short"),
        pytest.param(20, 21_000, "between,dependency,,20000", id="launched before, long"),
        pytest.param(1000, 20_999, "between,gpu_dispatch,,19999", id="launched when the gap began"),
        pytest.param(1001, 20_999, "between,host_code,,1\nbetween,launch,cudaLaunchKernel,19998", id="launched after it began"),
    ],
)
def test_a_launch_before_the_gap_waited_for_no_thread(start: int, op: int, expect: str) -> None:
    causes(in_gap(launch(2, start, start + 5), op=op), expect=expect)


def test_the_wait_between_the_call_and_the_operation_is_launch() -> None:
    causes(in_gap(launch(2, 30_000, 35_000)), expect="between,host_code,,29000\nbetween,launch,cudaLaunchKernel,20000")


@pytest.mark.parametrize(
    ("name", "expect"),
    [
        ("cudaStreamSynchronize", "sync,cudaStreamSynchronize"),
        ("cudaMemcpy", "blocking_copy,cudaMemcpy"),
        ("cudaMemcpyAsync", "cuda,cudaMemcpyAsync"),
        ("cudaMalloc", "alloc,cudaMalloc"),
        ("cudaStreamCreate", "cuda,cudaStreamCreate"),
        ("cudaEventQuery", "cuda,cudaEventQuery"),
        ("cudaGraphLaunch", "launch,cudaGraphLaunch"),
        ("cuModuleLoadData", "module_load,"),
    ],
)
def test_what_a_call_was_for(name: str, expect: str) -> None:
    rows = in_gap((MAIN, name, 2000, 12_000, 90), launch(2, 50_000, 50_005), op=50_001)
    rest = {"host_code,": 39_000, "launch,cudaLaunchKernel": 1, expect: 10_000}
    lines = sorted(f"between,{cause},{ns}" for cause, ns in rest.items())
    causes(rows, expect="\n".join(lines))


@pytest.mark.parametrize(("op_end", "expect"), [(11_000, "blocking_copy"), (12_000, "blocking_copy"), (12_001, "cuda")])
def test_a_copy_that_returns_after_its_work_blocks_whatever_its_name(op_end: int, expect: str) -> None:
    calls = [launch(1, 0, 10), launch(3, 2000, 12_000, "cudaMemcpyAsync"), launch(2, 20_000, 20_010)]
    rows = recorded(calls, [(1, 0, 1000), (2, 30_000, 30_010)])
    rows["raw.CUPTI_ACTIVITY_KIND_KERNEL"].append(f"1,9,3,10000,{op_end},1,1,{PROCESS},1")  # runs on another GPU
    rows["raw.TARGET_INFO_GPU"].append("1,1,1")
    query = f"SELECT c.cause, c.name, c.dur_ns FROM gap_causes AS c JOIN gaps AS g USING (report_id, gap_id) WHERE g.position = 'between' AND c.cause = '{expect}'"
    causes(rows, query=query, header="cause,name,dur_ns", expect=f"{expect},cudaMemcpyAsync,10000")


def test_the_first_rule_that_holds_decides() -> None:
    causes(
        in_gap(
            (MAIN, "cudaStreamSynchronize", 10_000, 20_000, 90),
            launch(2, 40_000, 45_000),
            os_calls=[(MAIN, "poll", 5000, 25_000), (MAIN, "read", 30_000, 31_000), (MAIN, "open", 32_000, 33_000)],
            overheads=[(MAIN, "CUPTI buffer flush", 15_000, 22_000), (MAIN, "Command buffer full", 41_000, 42_000)],
        ),
        expect="""between,host_code,,18000
        between,launch,cudaLaunchKernel,10000
        between,os_call,poll,8000
        between,os_call,read,1000
        between,profiler_overhead,,7000
        between,sync,cudaStreamSynchronize,5000""",
    )


def test_loading_inside_a_launch_and_a_long_first_launch() -> None:
    causes(
        in_gap(
            launch(2, 20_000, 120_000),
            (MAIN, "cuLibraryLoadData", 30_000, 50_000, 91),
            overheads=[(MAIN, "Lazy function loading", 45_000, 60_000)],
            op=130_000,
        ),
        expect="""between,host_code,,19000
        between,launch,cudaLaunchKernel,80000
        between,module_load,,30000""",
    )
    first = recorded(
        [launch(1, 0, 10), launch(2, 20_000, 120_000), (MAIN, "cuLibraryLoadData", 30_000, 50_000, 91)],
        [(1, 0, 1000), (2, 130_000, 130_010, "new")],
    )
    causes(
        first,
        expect="""between,first_use,cudaLaunchKernel,80000
        between,host_code,,19000
        between,launch,cudaLaunchKernel,10000
        between,module_load,,20000""",
    )
    shorter = recorded([launch(1, 0, 10), launch(2, 20_000, 119_999)], [(1, 0, 1000), (2, 119_999, 130_010, "new")])
    causes(shorter, expect="between,host_code,,19000\nbetween,launch,cudaLaunchKernel,99999")


def test_what_other_threads_did_is_no_cause() -> None:
    causes(
        in_gap(
            launch(2, 40_000, 45_000),
            (HELPER, "cudaDeviceSynchronize", 2000, 30_000, 90),
            os_calls=[(HELPER, "poll", 0, 60_000)],
            overheads=[(HELPER, "CUPTI buffer flush", 0, 60_000)],
        ),
        expect="between,host_code,,39000\nbetween,launch,cudaLaunchKernel,10000",
    )


def test_nested_calls_count_as_the_outer_one() -> None:
    causes(
        in_gap(
            (MAIN, "cudaMalloc", 2000, 12_000, 90),
            (MAIN, "cuCtxSynchronize", 3000, 8000, 91),
            launch(2, 40_000, 45_000),
            os_calls=[(MAIN, "system", 20_000, 30_000), (MAIN, "poll", 21_000, 22_000, 1), (MAIN, "write", 31_000, 32_000)],
        ),
        expect="""between,alloc,cudaMalloc,10000
        between,host_code,,19000
        between,launch,cudaLaunchKernel,10000
        between,os_call,system,10000""",
    )


def test_one_call_around_the_launches_of_several_gaps() -> None:
    causes(
        recorded(
            [
                launch(1, 0, 10),
                (MAIN, "cudaMalloc", 2000, 85_000, 90),
                *(launch(n, 40_000 * n - 60_000, 40_000 * n - 59_000) for n in (2, 3, 4)),
            ],
            [(1, 0, 1000), (2, 30_000, 40_000), (3, 70_000, 80_000), (4, 110_000, 110_010)],
        ),
        expect="""between,alloc,cudaMalloc,28000
        between,host_code,,1000
        between,alloc,cudaMalloc,30000
        between,alloc,cudaMalloc,5000
        between,host_code,,15000
        between,launch,cudaLaunchKernel,10000""",
    )


def test_calls_that_cross_have_no_name_where_they_do() -> None:
    causes(
        in_gap(
            (MAIN, "cudaStreamSynchronize", 10_000, 20_000, 90),
            (MAIN, "cudaEventSynchronize", 15_000, 25_000, 91),
            launch(2, 50_000, 50_005),
            os_calls=[(MAIN, "poll", 30_000, 34_000), (MAIN, "select", 33_000, 36_000)],
        ),
        expect="""between,host_code,,28000
        between,os_call,poll,3000
        between,os_call,select,2000
        between,os_call,,1000
        between,sync,cudaEventSynchronize,5000
        between,sync,cudaStreamSynchronize,5000
        between,sync,,5000""",
    )


def test_a_query_after_the_launch_does_not_end_the_wait_for_it() -> None:
    causes(
        in_gap(
            launch(2, 30_000, 35_000),
            (MAIN, "cudaEventQuery", 36_000, 38_000, 90),
            (MAIN, "cudaEventSynchronize", 40_000, 60_000, 91),
        ),
        expect="""between,host_code,,29000
        between,launch,cudaLaunchKernel,10000
        between,sync,cudaEventSynchronize,10000""",
    )


def test_start_and_end_of_the_program() -> None:
    calls = [
        (HELPER, "cudaGetDeviceCount", 10_000, 11_000, 90),
        (MAIN, "cudaMalloc", 20_000, 30_000, 91),
        (MAIN, "cudaStreamCreate", 30_000, 34_000, 92),
        (MAIN, "cudaDeviceSynchronize", 35_000, 36_000, 94),
        launch(1, 40_000, 45_000),
        (MAIN, "cudaFree", 61_000, 63_000, 93),
        (HELPER, "cudaGetDeviceCount", 70_000, 71_000, 95),
    ]
    causes(
        recorded(
            calls, [(1, 50_000, 60_000)], os_calls=[(MAIN, "read", 0, 12_000)], duration=100_000,
            overheads=[(MAIN, "CUDA profiling initialization", 4000, 6000), (MAIN, "CUPTI buffer flush", 80_000, 85_000)],
        ),
        expect="""lead_in,before_cuda,,8000
        lead_in,cuda_init,cudaMalloc,10000
        lead_in,cuda_init,cudaStreamCreate,4000
        lead_in,host_code,,13000
        lead_in,launch,cudaLaunchKernel,10000
        lead_in,os_call,read,2000
        lead_in,profiler_overhead,,2000
        lead_in,sync,cudaDeviceSynchronize,1000
        tail,alloc,cudaFree,2000
        tail,host_code,,9000
        tail,profiler_overhead,,5000
        tail,teardown,,24000""",
    )  # fmt: skip


def test_work_that_nobody_called_for() -> None:
    ops = [("", 10_000, 12_000), ("", 20_000, 22_000)]
    causes(
        recorded([(MAIN, "cudaFree", 4000, 25_000, 90)], ops, duration=40_000),
        expect="lead_in,before_cuda,,4000\nlead_in,unknown,,6000\nbetween,unknown,,8000\ntail,teardown,,15000\ntail,unknown,,3000",
    )
    causes(recorded([], ops, duration=40_000), expect="lead_in,unknown,,10000\nbetween,unknown,,8000\ntail,unknown,,18000")
    causes(
        recorded([(OTHER, "cudaFree", 4000, 25_000, 90)], ops, duration=22_000),
        query="SELECT cause, dur_ns, process_id, thread_id FROM gap_causes ORDER BY 2",
        header="cause,dur_ns,process_id,thread_id",
        expect=f"unknown,8000,{PROCESS},\nunknown,10000,{PROCESS},",
    )


def test_a_thread_that_was_not_recorded() -> None:
    unrecorded = recorded(
        [("", "cudaLaunchKernel", 500, 510, 1), ("", "cudaLaunchKernel", 600, 610, 2), ("", "cudaLaunchKernel", 9000, 9010, 3)],
        [(1, 1000, 2000, "k", ""), (2, 3000, 4000, "k", ""), (3, 50_000, 50_010, "k", "")],
        duration=60_000,
    )
    causes(
        unrecorded,
        expect="""lead_in,before_cuda,,500
        lead_in,unknown,,500
        between,gpu_dispatch,,1000
        between,unknown,,46000
        tail,teardown,,9990""",
    )


def test_numbers_repeat_between_processes_and_reports() -> None:
    ops = [(1, 0, 1000), (2, 50_000, 50_010)]
    calls = [launch(1, 0, 10), launch(2, 30_000, 35_000), launch(2, 500, 600, "cuLaunchKernel", OTHER)]
    other = recorded([launch(1, 0, 10), launch(2, 49_000, 50_000, "cuLaunchKernel")], ops, report=2)
    causes(
        recorded(calls, ops),
        other,
        query="SELECT report_id, process_id, thread_id, cause, name, dur_ns, gap_dur_ns FROM gap_causes ORDER BY ALL",
        header="report_id,process_id,thread_id,cause,name,dur_ns,gap_dur_ns",
        expect=f"""1,{PROCESS},{MAIN},host_code,,29000,49000
        1,{PROCESS},{MAIN},launch,cudaLaunchKernel,20000,49000
        2,{PROCESS},{MAIN},host_code,,48000,49000
        2,{PROCESS},{MAIN},launch,cuLaunchKernel,1000,49000""",
    )


def by_gap(traced: Traced) -> dict[tuple[int, int], dict[tuple[str, Any], int]]:
    """The view in the shape of the loop."""
    rows = traced.db.sql(
        f"SELECT g.gpu_id, g.start_ns, c.cause, c.name, c.dur_ns FROM gap_causes AS c JOIN gaps AS g USING (report_id, gap_id) "
        f"WHERE report_id = {traced.report_id}"
    ).fetchall()
    found: dict[tuple[int, int], dict[tuple[str, Any], int]] = defaultdict(dict)
    for gpu, start, cause, name, length in rows:
        assert (cause, name) not in found[gpu, start]
        found[gpu, start][cause, name] = length
    return dict(found)


@each_export(*FURTHER)
def test_equals_a_loop(traced: Traced) -> None:
    assert by_gap(traced) == gap_causes_by_loop(traced.export, traced.db, traced.report_id)


@each_export(*FURTHER)
def test_callers_and_columns_of_the_gap(traced: Traced) -> None:
    text = (
        "SELECT DISTINCT g.gpu_id, g.start_ns, c.process_id, c.thread_id FROM gap_causes AS c JOIN gaps AS g USING (report_id, gap_id) "
        f"WHERE report_id = {traced.report_id}"
    )
    rows = traced.db.sql(text).fetchall()
    assert {(gpu, start): (p, t) for gpu, start, p, t in rows} == gap_callers_by_loop(
        traced.export, traced.db, traced.report_id
    )
    assert len(rows) == len({row[:2] for row in rows})
    wrong = traced.db.sql(
        """SELECT * FROM gap_causes AS c LEFT JOIN gaps AS g USING (report_id, gap_id)
        WHERE g.gap_id IS NULL OR c.gpu_id <> g.gpu_id OR c.position <> g.position OR c.gap_dur_ns <> g.dur_ns
            OR c.nvtx_path IS DISTINCT FROM g.nvtx_path OR c.share_ratio <> c.dur_ns / g.dur_ns OR c.dur_ns <= 0"""
    ).fetchall()
    assert wrong == []


@each_export(*FURTHER)
def test_causes_fill_every_gap(traced: Traced) -> None:
    gaps = dict(traced.rows("gaps", "gap_id, dur_ns"))
    text = f"SELECT gap_id, sum(dur_ns)::BIGINT FROM gap_causes WHERE report_id = {traced.report_id} GROUP BY ALL"
    assert dict(traced.db.sql(text).fetchall()) == gaps


def leading(db: nsysql.Database, report: str, condition: str) -> list[tuple[Any, ...]]:
    """The largest cause of each gap between operations: (cause, name, path), in the order of time."""
    return db.sql(
        f"""SELECT arg_max({{'cause': c.cause, 'name': c.name}}, c.dur_ns).cause, arg_max({{'name': c.name}}, c.dur_ns).name, any_value(g.nvtx_path)
        FROM gap_causes AS c JOIN gaps AS g USING (report_id, gap_id)
        WHERE report_id = {db.report_ids([report])[0]} AND g.position = 'between' AND {condition} GROUP BY g.gap_id ORDER BY g.gap_id"""
    ).fetchall()


def test_train_bad_waits_for_its_own_python(db: nsysql.Database) -> None:
    condition = "g.dur_ns >= 5000000 AND regexp_extract(g.nvtx_path, '^step_([0-9]+)', 1) NOT IN ('', '0', '1', '2', '3', '4')"
    rows = leading(db, "train_bad", condition)
    assert rows == [("host_code", None, f"step_{step}/data_load") for step in range(5, 50)]


def test_pipeline_sleeps_in_its_loader(db: nsysql.Database) -> None:
    rows = leading(db, "pipeline", "g.dur_ns >= 1000000")
    assert rows == [("os_call", "nanosleep", f"starved_{step}/data_load") for step in range(20)]
    names = {name for (name,) in db.sql("SELECT name FROM gap_causes WHERE name = 'poll'").fetchall()}
    assert names == set()


def test_helpers_asleep_are_no_cause(tmp_path: Path) -> None:
    with case("26-helpers-asleep", tmp_path) as (db, right):
        gap = "start_ns = 12000000 AND end_ns = 20000000"
        rows = db.sql(
            f"SELECT cause, c.name, c.dur_ns FROM gap_causes c JOIN gaps USING (report_id, gap_id) WHERE {gap} ORDER BY 1"
        ).fetchall()
        expected = right["launching_thread_in_gap_ns"]
        assert [row[:2] for row in rows] == [
            ("host_code", None),
            ("launch", "cudaLaunchKernel"),
            ("os_call", "pthread_cond_wait"),
        ]
        host, launching, waiting = (row[2] for row in rows)
        assert waiting == expected["pthread_cond_wait"]
        assert host + launching + waiting == right["causes_sum_ns"] == right["gap_ns"]
        (call,) = db.sql("SELECT dur_ns, end_ns FROM api_calls WHERE start_ns >= 12000000").fetchall()
        assert call[0] == expected["cudaLaunchKernel"]
        assert launching == call[0] + 20_000_000 - call[1]  # the call, and from its return to the start of the kernel
        assert host + launching - call[0] == expected["nothing recorded"]
        assert db.sql("SELECT DISTINCT (thread_id >> 24) & 16777215 FROM gap_causes").fetchall() == [
            (right["launching_thread"],)
        ]


def test_what_was_queued_before_the_gap_depended_on_other_work(tmp_path: Path) -> None:
    with case("02-busy-over-wall", tmp_path) as (db, right):
        rows = db.sql("SELECT cause, name, dur_ns FROM gap_causes WHERE position = 'between'").fetchall()
        assert rows == [("dependency", None, right["gap_ns_each"])] * right["gaps"]
