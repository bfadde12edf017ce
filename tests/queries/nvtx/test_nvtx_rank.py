"""nvtx_rank on rows that can be checked by eye, against a loop over ranges, operations and gaps, and on known programs."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute import gpu_ops
from tests.brute_ranges import folded, gap_ranges_by_loop, owners_by_loop
from tests.queries.conftest import Traced, each_export

SUMS = "report_id,process_id,domain,style,name,range_count,open_count,inclusive_ns,exclusive_ns,max_ns\n"
ROWS = "report_id,process_id,domain_id,range_id,name\n"


def ranked(
    sums: str,
    columns: str,
    expect: str,
    ranges: str = "",
    ops: str = "",
    gaps: str = "",
    domains: str = "",
    reports: str = "report_id\n1",
) -> None:
    """Check some columns. Ops are (report, number, length, application range), gaps (report, number, position, length, range)."""
    work = [line.strip().split(",") for line in ops.split("\n") if line]
    idle = [line.strip().split(",") for line in gaps.split("\n") if line]
    rows = {
        "nvtx_range_sum": SUMS + sums,
        "_nvtx_rows": ROWS + ranges,
        "_op_owners": "\n".join(["report_id,op_id,dur_ns,application_range_id", *(",".join(op) for op in work)]),
        "_gaps": "\n".join(["report_id,gap_id,position,dur_ns", *(",".join(gap[:4]) for gap in idle)]),
        "_gap_ranges": "\n".join(["report_id,gap_id,range_id", *(",".join((*gap[:2], gap[4])) for gap in idle)]),
        "nvtx_domains": f"report_id,process_id,domain_id,domain\n{domains}",
    }
    query = f"SELECT {columns} FROM nvtx_rank ORDER BY report_id, process_id, rank"
    check(rows=rows, query=query, expect=f"{columns.replace(' ', '')}\n{expect}", reports=reports)


def test_the_longest_is_first_and_numbered_names_are_one() -> None:
    ranked(
        sums="""1,5,,push_pop,load_1,1,0,30,30,30
            1,5,,push_pop,load_2,2,1,40,20,25
            1,5,,start_end,load_3,1,0,10,10,10
            1,5,,push_pop,forward,1,0,90,90,90""",
        columns="rank, name, is_wrapper, range_count, open_count, total_ns, exclusive_ns, mean_ns, max_ns",
        expect="1,forward,False,1,0,90,90,90.0,90\n2,load_*,False,4,1,80,60,20.0,30",
    )


def test_a_wrapper_holds_others_for_nine_tenths_and_comes_last() -> None:
    ranked(
        sums="""1,5,,push_pop,step_1,1,0,1000,0,1000
            1,5,,push_pop,step_2,1,0,1000,200,1000
            1,5,,push_pop,epoch,1,0,3000,301,3000
            1,5,,push_pop,short,1,0,1,1,1""",
        columns="rank, name, is_wrapper, total_ns",
        expect="1,epoch,False,3000\n2,short,False,1\n3,step_*,True,2000",
    )


def test_ranges_without_a_length_or_a_name() -> None:
    ranked(
        sums="""1,5,,push_pop,open,0,3,0,0,
            1,5,,push_pop,zero,2,0,0,0,0
            1,5,,push_pop,,1,0,0,0,0""",
        columns="rank, name, is_wrapper, range_count, open_count, total_ns, mean_ns, max_ns",
        expect="1,open,False,0,3,0,,\n2,zero,False,2,0,0,0.0,0\n3,,False,1,0,0,0.0,0",
    )


def test_each_report_process_and_domain_for_itself() -> None:
    ranked(
        sums="""1,5,,push_pop,a,1,0,1,1,1
            1,5,d,push_pop,a,1,0,2,2,2
            1,6,,push_pop,a,1,0,4,4,4
            2,5,,push_pop,b,1,0,8,8,8
            2,5,,push_pop,a,1,0,8,8,8""",
        ranges="1,5,0,1,a\n1,5,3,2,a\n1,6,0,3,a\n2,5,0,1,b\n2,5,0,2,a\n1,5,4,4,a",
        domains="1,5,3,d\n1,5,4,d\n1,6,3,other",
        ops="1,8,10,1\n1,16,20,2\n1,24,30,3\n2,8,40,1\n2,16,50,2\n1,32,7,4",
        columns="report_id, process_id, rank, domain, name, op_count, gpu_op_ns",
        expect="""1,5,1,d,a,2,27
            1,5,2,,a,1,10
            1,6,1,,a,1,30
            2,5,1,,a,1,50
            2,5,2,,b,1,40""",
        reports="report_id\n1\n2",
    )


def test_work_and_idle_time_of_a_range_and_neither() -> None:
    ranked(
        sums="""1,5,,push_pop,load_1,1,0,9,9,9
            1,5,,push_pop,load_2,1,0,9,9,9
            1,5,,push_pop,forward,1,0,5,5,5
            1,5,,push_pop,,1,0,4,4,4
            1,5,,push_pop,save,1,0,3,3,3""",
        ranges="1,5,0,1,load_1\n1,5,0,2,load_2\n1,5,0,3,forward\n1,5,0,4,\n1,5,0,5,save",
        ops="1,8,10,3\n1,16,20,3\n1,24,40,1\n1,32,80,\n1,40,160,4",
        gaps="""1,1,lead_in,1000,1
            1,2,between,7,1
            1,3,between,8,2
            1,4,between,9,
            1,5,tail,1000,5
            1,6,between,2,4""",
        columns="rank, name, op_count, gpu_op_ns, gap_count, gpu_idle_ns",
        expect="1,load_*,1,40,2,15\n2,forward,2,30,0,0\n3,,1,160,1,2\n4,save,0,0,0,0",
    )


@each_export(
    "families", "rank0", "metrics", "um_faults", "cudf_2020", "gpu_metrics_a100", "saxpy_mpi_2022_2", "nccl_payload_2026_2"
)
def test_equals_a_loop(traced: Traced) -> None:
    export, db, number = traced.export, traced.db, traced.report_id
    columns = "range_id, process_id, domain, name, dur_ns"
    names = {r[0]: (*r[1:3], folded(r[3])) for r in traced.rows("nvtx_ranges", columns)}
    own: dict[Any, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for range_id, *_, ns in traced.rows("(FROM nvtx_ranges WHERE NOT is_library)", columns):
        row = own[names[range_id]]
        row["open" if ns is None else "closed"] += 1
        row["total"] += ns or 0
        row["max"] = max(row["max"], ns or 0)
    for process, domain, name, ns in traced.rows("nvtx_range_sum", "process_id, domain, name, exclusive_ns"):
        own[process, domain, folded(name)]["exclusive"] += ns
    owners = owners_by_loop(export, db, number)
    for op in gpu_ops(export):
        owner = owners[op["op_id"]].application_range_id
        if owner is not None:
            own[names[owner]]["ops"] += 1
            own[names[owner]]["op_ns"] += op["end"] - op["start"]
    ranges = gap_ranges_by_loop(export, db, number)
    for gap, position, ns in traced.rows("gaps", "gap_id, position, dur_ns"):
        holder = ranges[gap][0]
        if position == "between" and holder is not None:
            own[names[holder]]["gaps"] += 1
            own[names[holder]]["idle"] += ns
    expected = set()
    for process in {key[0] for key in own}:
        rows = []
        for (owner_process, domain, name), r in own.items():
            if owner_process == process:
                is_wrapper = r["total"] > 0 and 10 * (r["total"] - r["exclusive"]) >= 9 * r["total"]
                texts = (name is None, name or "", domain is None, domain or "")
                sums = [r[key] for key in ("closed", "open", "total", "exclusive", "ops", "op_ns", "gaps", "idle")]
                largest = r["max"] if r["closed"] else None
                rows.append(((is_wrapper, -r["total"], *texts), (process, domain, name, is_wrapper, *sums, largest)))
        expected |= {(rank, *row) for rank, (_, row) in enumerate(sorted(rows, key=lambda row: row[0]), 1)}
    columns = (
        "rank, process_id, domain, name, is_wrapper, range_count, open_count, total_ns, exclusive_ns, op_count, gpu_op_ns, gap_count, "
        "gpu_idle_ns, max_ns"
    )
    assert set(traced.rows("nvtx_rank", columns)) == expected


def test_train_bad_loads_its_data(db: Database) -> None:
    number = db.report_ids(["train_bad"])[0]
    columns = "name, total_ns, range_count, op_count"
    rows = db.sql(f"SELECT {columns} FROM nvtx_rank WHERE report_id = {number} AND NOT is_wrapper ORDER BY rank").fetchall()
    assert rows[0] == ("data_load", 1_179_094_968, 50, 0)
    wrappers = db.sql(f"SELECT name, range_count FROM nvtx_rank WHERE report_id = {number} AND is_wrapper").fetchall()
    assert wrappers == [("step_*", 50)]


@pytest.mark.parametrize(("report", "expect"), [("tiny", []), ("nocuda", []), ("graphs_graph", [("replay", 30), ("eager", 1)])])
def test_known_programs(db: Database, report: str, expect: list[tuple[str, int]]) -> None:
    number = db.report_ids([report])[0]
    rows = db.sql(f"SELECT name, range_count FROM nvtx_rank WHERE report_id = {number}").fetchall()
    assert sorted(rows) == sorted(expect)
