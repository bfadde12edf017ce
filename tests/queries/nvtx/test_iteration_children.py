"""iteration_children on rows that can be checked by eye, against a loop over the ranges in each iteration, and on train_bad."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute_ranges import folded
from tests.queries.conftest import Traced, each_export

STEPS = "report_id,process_id,thread_id,folded,range_id,wall_ns,is_warmup\n"
NUMBERS = "is_warmup, child IS NULL AS is_rest, child, iteration_count, child_count, total_ns, share_ratio, mean_ns, max_ns"


def parted(steps: str, children: str, expect: str, columns: str = NUMBERS, reports: str = "report_id\n1") -> None:
    """Check some columns. Children are (report, number, parent in the family, other parent, name, start, end)."""
    lines = [line.strip().split(",") for line in children.split("\n") if line]
    nesting = ["report_id,range_id,family_parent_id,other_parent_id", *(",".join(line[:4]) for line in lines)]
    ranges = [",".join((*line[:2], *line[4:], str(not line[6]).lower())) for line in lines]
    check(
        rows={
            "_steps": STEPS + steps,
            "_nvtx_nesting": "\n".join(nesting),
            "_nvtx_rows": "\n".join(["report_id,range_id,name,start_ns,end_ns,is_open", *ranges]),
        },
        query=f"SELECT {columns} FROM iteration_children ORDER BY report_id, thread_id, folded, is_warmup, child NULLS FIRST",
        expect=f"{','.join(c.split(' AS ')[-1] for c in columns.split(', '))}\n{expect}",
        reports=reports,
    )


def test_shares_of_the_ranges_and_of_the_rest() -> None:
    parted(
        steps="1,5,7,step_*,1,100,false\n1,5,7,step_*,2,60,false",
        children="1,11,1,,load_1,0,20\n1,12,1,,load_2,30,40\n1,13,1,,run,50,100\n1,14,2,,load_3,100,110\n1,15,13,,leaf,50,60",
        expect=f"""False,True,,2,,70,0.4375,35.0,50
            False,False,load_*,2,3,40,0.25,20.0,30
            False,False,run,1,1,50,{50 / 160},50.0,50""",
    )


def test_warmup_counts_apart() -> None:
    parted(
        steps="1,5,7,step_*,1,100,true\n1,5,7,step_*,2,10,false",
        children="1,11,1,,load,0,25\n1,12,2,,load,100,105",
        expect="""False,True,,1,,5,0.5,5.0,5
            False,False,load,1,1,5,0.5,5.0,5
            True,True,,1,,75,0.75,75.0,75
            True,False,load,1,1,25,0.25,25.0,25""",
    )


@pytest.mark.parametrize(
    ("child", "expect"),
    [
        pytest.param("", "False,True,,1,,10,1.0,10.0,10", id="nothing in it"),
        pytest.param("1,11,1,,a,0,10", "False,True,,1,,0,0.0,0.0,0\nFalse,False,a,1,1,10,1.0,10.0,10", id="filled"),
        pytest.param("1,11,1,,,0,4", "False,True,,1,,6,0.6,6.0,6\nFalse,False,,1,1,4,0.4,4.0,4", id="without a name"),
        pytest.param("1,11,1,,a,3,", "False,True,,1,,10,1.0,10.0,10", id="left open"),
        pytest.param("1,11,1,,a,3,3", "False,True,,1,,10,1.0,10.0,10\nFalse,False,a,1,1,0,0.0,0.0,0", id="no length"),
        pytest.param("1,11,2,1,a,0,4", "False,True,,1,,6,0.6,6.0,6\nFalse,False,a,1,1,4,0.4,4.0,4", id="of another family"),
        pytest.param("1,11,1,2,a,0,4", "False,True,,1,,10,1.0,10.0,10", id="in one of another family in it"),
        pytest.param(
            "1,11,,1,a,0,8\n1,12,,1,b,4,10",
            "False,True,,1,,0,0.0,0.0,0\nFalse,False,a,1,1,8,0.8,8.0,8\nFalse,False,b,1,1,6,0.6,6.0,6",
            id="crossing: the rest is not below zero",
        ),
    ],
)
def test_one_iteration(child: str, expect: str) -> None:
    parted(steps="1,5,7,step_*,1,10,false", children=child, expect=expect)


def test_no_length_has_no_share() -> None:
    parted(
        steps="1,5,7,step_*,1,0,false", children="1,11,1,,a,0,0", expect="False,True,,1,,0,,0.0,0\nFalse,False,a,1,1,0,,0.0,0"
    )


def test_each_report_thread_and_name_for_itself() -> None:
    parted(
        steps="1,5,7,a,1,8,false\n1,5,7,b,2,8,false\n1,5,8,a,3,8,false\n2,6,7,a,1,8,false",
        children="1,11,1,,x,0,1\n1,12,2,,x,0,2\n1,13,3,,x,0,3\n2,11,1,,x,0,4",
        columns="report_id, process_id, thread_id, folded, child, total_ns, share_ratio",
        expect="""1,5,7,a,,7,0.875
            1,5,7,a,x,1,0.125
            1,5,7,b,,6,0.75
            1,5,7,b,x,2,0.25
            1,5,8,a,,5,0.625
            1,5,8,a,x,3,0.375
            2,6,7,a,,4,0.5
            2,6,7,a,x,4,0.5""",
        reports="report_id\n1\n2",
    )


@each_export("families", "rank0", "metrics", "um_faults", "cudf_2020", "saxpy_mpi_2022_2", "nccl_payload_2026_2")
@pytest.mark.parametrize("name", ["", "iteration", "epoch"])
def test_equals_a_loop_over_the_ranges_in_each_iteration(traced: Traced, name: str) -> None:
    columns = "range_id, process_id, thread_id, folded, is_warmup, wall_ns"
    call = f"(step_name := '{name}')"
    steps = {row[0]: row[1:] for row in traced.rows(f"iterations{call}", columns)}
    inside: dict[int, dict[str, list[int]]] = {number: defaultdict(list) for number in steps}
    for parent, text, ns in traced.rows("nvtx_ranges", "parent_id, name, dur_ns"):
        if parent in steps and ns is not None:
            inside[parent][folded(text) or ""].append(ns)
    parts: dict[Any, list[tuple[int | None, int]]] = defaultdict(list)
    whole: dict[Any, int] = defaultdict(int)
    for number, (*key, wall) in steps.items():
        children = inside[number]
        whole[tuple(key)] += wall
        parts[(*key, None)].append((None, max(0, wall - sum(sum(lengths) for lengths in children.values()))))
        for child, lengths in children.items():
            parts[(*key, child)].append((len(lengths), sum(lengths)))
    expected = set()
    for key, rows in parts.items():
        total = sum(ns for _, ns in rows)
        count = None if key[-1] is None else sum(count or 0 for count, _ in rows)
        share = total / whole[key[:-1]] if whole[key[:-1]] else None
        expected.add((*key, len(rows), count, total, share, total / len(rows), max(ns for _, ns in rows)))
    columns = (
        "process_id, thread_id, folded, is_warmup, child, iteration_count, child_count, total_ns, share_ratio, mean_ns, max_ns"
    )
    found = traced.rows(f"iteration_children{call}", columns)
    assert len(found) == len(expected)
    assert set(found) == expected


def test_train_bad_loads_its_data_in_every_iteration(db: Database) -> None:
    number = db.report_ids(["train_bad"])[0]
    text = f"FROM iteration_children WHERE report_id = {number}"
    rows = db.sql(f"SELECT child, sum(child_count)::INTEGER {text} GROUP BY child ORDER BY child NULLS LAST").fetchall()
    assert rows == [(name, 50) for name in ("backward", "data_load", "forward", "h2d_transfer", "optimizer")] + [(None, None)]
    assert db.sql(f"SELECT sum(total_ns)::BIGINT {text} AND child = 'data_load'").fetchall() == [(1_179_094_968,)]
    [(share,)] = db.sql(f"SELECT sum(share_ratio) {text} AND NOT is_warmup").fetchall()
    assert abs(share - 1) < 1e-9
