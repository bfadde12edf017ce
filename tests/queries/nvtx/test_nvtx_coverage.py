"""nvtx_coverage on rows that can be checked by eye, against a loop over every operation, and on known programs."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute import gpu_ops
from tests.brute_ranges import owners_by_loop, ranges_of
from tests.queries.conftest import Traced, each_export

COUNTS = (
    "range_count, annotated_thread_count, launching_thread_count, op_count, thread_op_count, process_op_count, "
    "ambiguous_op_count, outside_op_count, no_call_op_count, library_only_op_count, op_dur_ns, covered_dur_ns"
)
OPS = "report_id,op_id,process_id,gpu_id,dur_ns\n"
OWNERS = "report_id,op_id,range_id,via,application_range_id,application_via,is_ambiguous,reason,call_id\n"
RANGES = "report_id,range_id,process_id,thread_id\n"
CALLS = "report_id,call_id,thread_id\n"


def covered(ops: str, owners: str, ranges: str, calls: str, columns: str, expect: str, reports: str = "report_id\n1") -> None:
    """Check some columns, in the order of report, process and GPU."""
    check(
        rows={
            "gpu_ops": OPS + ops,
            "op_ranges": OWNERS + owners,
            "_application_ranges": RANGES + ranges,
            "_api_rows": CALLS + calls,
        },
        query=f"SELECT {columns} FROM nvtx_coverage ORDER BY report_id, process_id, gpu_id",
        expect=f"{columns.replace(' ', '')}\n{expect}",
        reports=reports,
    )


def test_each_way_in_which_an_operation_has_a_range_or_none() -> None:
    covered(
        ops="1,8,5,0,1\n1,16,5,0,2\n1,24,5,0,4\n1,32,5,0,8\n1,40,5,0,16\n1,48,5,0,32",
        owners="""1,8,1,thread,1,thread,false,,91
            1,16,1,process,1,process,false,,92
            1,24,1,process,1,process,true,,93
            1,32,,,,,false,outside,94
            1,40,,,,,false,no_call,
            1,48,9,thread,,,false,,95""",
        ranges="1,1,5,70\n1,2,5,70\n1,3,5,71\n1,4,6,80",
        calls="1,91,70\n1,92,72\n1,93,72\n1,94,70\n1,95,71",
        columns=COUNTS,
        expect="3,2,3,6,2,2,1,1,1,1,63,39",
    )
    covered(
        ops="1,8,5,0,1\n1,16,5,0,3",
        owners="1,8,1,thread,1,thread,false,,91\n1,16,,,,,false,outside,92",
        ranges="1,1,5,70",
        calls="1,91,70\n1,92,70",
        columns="covered_dur_ns, op_dur_ns, covered_ratio",
        expect="1,4,0.25",
    )


@pytest.mark.parametrize(
    ("owner", "expect"),
    [
        pytest.param("1,8,,,,,false,outside,91", "0,0,1,1,0,0,0,1,0,0,7,0", id="no range at all"),
        pytest.param("1,8,,,,,false,no_call,", "0,0,0,1,0,0,0,0,1,0,7,0", id="no call"),
        pytest.param("1,8,9,thread,,,false,,91", "0,0,1,1,1,0,0,0,0,1,7,7", id="a range of a library alone"),
    ],
)
def test_counts_are_zero_and_not_unknown_without_ranges_of_the_application(owner: str, expect: str) -> None:
    covered(ops="1,8,5,0,7", owners=owner, ranges="", calls="1,91,70", columns=COUNTS, expect=expect)


def test_each_report_process_and_gpu_for_itself() -> None:
    covered(
        ops="1,8,5,0,1\n1,16,5,1,2\n1,24,6,0,4\n2,8,5,0,8",
        owners="""1,8,1,thread,1,thread,false,,91
            1,16,1,thread,1,thread,false,,91
            1,24,,,,,false,outside,92
            2,8,,,,,false,no_call,""",
        ranges="1,1,5,70\n2,1,6,80\n2,2,6,81",
        calls="1,91,70\n1,92,80\n2,91,70",
        columns="report_id, process_id, gpu_id, range_count, annotated_thread_count, op_count, thread_op_count, outside_op_count, no_call_op_count, op_dur_ns",
        expect="""1,5,0,1,1,1,1,0,0,1
            1,5,1,1,1,1,1,0,0,2
            1,6,0,0,0,1,0,1,0,4
            2,5,0,0,0,1,0,0,1,8""",
        reports="report_id\n1\n2",
    )


def test_work_without_length_has_no_ratio() -> None:
    covered(
        ops="1,8,5,0,0",
        owners="1,8,1,thread,1,thread,false,,91",
        ranges="1,1,5,70",
        calls="1,91,70",
        columns="op_dur_ns, covered_dur_ns, covered_ratio",
        expect="0,0,",
    )


@each_export(
    "families", "rank0", "metrics", "um_faults", "cudf_2020", "gpu_metrics_a100", "saxpy_mpi_2022_2", "nccl_payload_2026_2"
)
def test_equals_a_loop_over_the_operations(traced: Traced) -> None:
    owners, gpu = owners_by_loop(traced.export, traced.db, traced.report_id), dict(traced.rows("gpu_ops", "op_id, gpu_id"))
    application = [r for r in ranges_of(traced.db, traced.report_id).values() if not r["is_library"]]
    work: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for op in gpu_ops(traced.export):
        work[op["globalPid"], gpu[op["op_id"]]].append(op)
    expected = []
    for (process, number), ops in work.items():
        own = [r for r in application if r["process_id"] == process]
        found = [(owners[op["op_id"]], op["end"] - op["start"]) for op in ops]
        ways = [(o.via, o.reason) for o, _ in found]
        expected.append((
            process, number, len(own), len({r["thread_id"] for r in own}), len({o.call["globalTid"] for o, _ in found if o.call}), len(ops),
            ways.count(("thread", None)), ways.count(("process", None)), sum(o.is_ambiguous for o, _ in found),
            ways.count((None, "outside")), ways.count((None, "no_call")),
            sum(o.range_id is not None and o.application_range_id is None for o, _ in found),
            sum(ns for _, ns in found), sum(ns for o, ns in found if o.range_id is not None),
        ))  # fmt: skip
    assert traced.rows("nvtx_coverage", f"process_id, gpu_id, {COUNTS}") == sorted(expected)


@pytest.mark.parametrize(
    ("report", "expect"),
    [
        ("tiny", [(65, 0, 0, 65, 0)]),
        ("train_bad", [(2071, 1412, 650, 9, 0)]),
        ("graphs_graph", [(143, 80, 0, 63, 0)]),
        ("nocuda", []),
        ("nvtx_edges", []),
    ],
)
def test_known_programs(db: Database, report: str, expect: list[tuple[int, ...]]) -> None:
    columns = "op_count, thread_op_count, process_op_count, outside_op_count, no_call_op_count"
    number = db.report_ids([report])[0]
    assert db.sql(f"SELECT {columns} FROM nvtx_coverage WHERE report_id = {number} ORDER BY ALL").fetchall() == expect
