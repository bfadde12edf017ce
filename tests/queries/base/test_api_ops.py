"""api_ops: who asked for what, and what is left over on either side; against loops over the source rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import api_calls, enclosing_calls, gpu_ops
from tests.conftest import EXPORTS

CALLS = "report_id,call_id,process_id,correlation_id,name,api,depth,start_ns,result\n"
OPS = "report_id,op_id,process_id,correlation_id,start_ns\n"
COLUMNS = "op_id,call_id,match,reason,op_number,call_count"


def pairs(calls: str, ops: str, expect: str) -> None:
    check(
        rows={"api_calls": CALLS + calls, "gpu_ops": OPS + ops},
        query=f"SELECT {COLUMNS} FROM api_ops ORDER BY ALL NULLS LAST",
        expect=f"{COLUMNS}\n{expect}",
    )


def test_a_launch_and_its_kernel() -> None:
    pairs("1,1,5,7,cudaLaunchKernel,runtime,0,10,0", "1,8,5,7,20", "8,1,matched,,1,1")


def test_processes_and_reports_apart() -> None:
    pairs(
        "1,1,5,7,cudaLaunchKernel,runtime,0,10,0\n1,2,6,7,cudaLaunchKernel,runtime,0,11,0\n2,1,5,8,cudaLaunchKernel,runtime,0,9,0",
        "1,8,6,7,20\n1,16,5,7,21\n1,24,5,8,30",
        """8,2,matched,,1,1
        16,1,matched,,1,1
        24,,op_without_call,call_not_recorded,,0
        ,1,call_without_op,op_missing,,1""",
    )


def test_a_graph_launch_has_many_operations_in_the_order_of_time() -> None:
    pairs(
        "1,1,5,7,cudaGraphLaunch,runtime,0,10,0",
        "1,8,5,7,30\n1,16,5,7,20\n1,25,5,7,20",
        "8,1,matched,,3,1\n16,1,matched,,1,1\n25,1,matched,,2,1",
    )


def test_one_call_of_a_number_has_the_operations() -> None:
    pairs(
        "1,1,5,7,cuLaunchKernel,driver,1,11,0\n1,2,5,7,cudaLaunchKernel,runtime,0,10,0",
        "1,8,5,7,20",
        "8,2,matched,,1,2\n,1,call_without_op,op_of_other_call,,2",
    )
    pairs(
        "1,1,5,7,cuLaunchKernel,driver,0,5,0\n1,2,5,7,cudaLaunchKernel,runtime,0,10,0\n1,3,5,7,cudaLaunchKernel,runtime,0,20,0",
        "1,8,5,7,20\n1,16,5,7,21",
        "8,2,matched,,1,3\n16,2,matched,,2,3\n,1,call_without_op,op_of_other_call,,3\n,3,call_without_op,op_of_other_call,,3",
    )


def test_no_number_never_joins() -> None:
    pairs(
        "1,1,5,,cudaMemcpyAsync,runtime,0,10,0",
        "1,9,5,,20",
        "9,,op_without_call,no_correlation_id,,\n,1,call_without_op,op_missing,,",
    )


@pytest.mark.parametrize(
    ("name", "result", "reason"),
    [
        ("cudaStreamSynchronize", 0, "launches_nothing"),
        ("cudaMalloc", 0, "launches_nothing"),
        ("cudaEventQuery", 600, "launches_nothing"),
        ("cudaLaunchHostFunc", 0, "launches_nothing"),
        ("cudaGraphAddMemcpyNode", 0, "launches_nothing"),
        ("cudaGraphInstantiate", 0, "launches_nothing"),
        ("cudaLaunchKernel", 0, "op_missing"),
        ("cudaLaunchKernelExC", 0, "op_missing"),
        ("cudaLaunchCooperativeKernel", 0, "op_missing"),
        ("cuLaunchKernelEx", 0, "op_missing"),
        ("cudaGraphLaunch", 0, "op_missing"),
        ("cuMemcpyHtoDAsync", 0, "op_missing"),
        ("cudaMemcpy2DAsync", 0, "op_missing"),
        ("cudaMemsetAsync", 0, "op_missing"),
        ("cuMemsetD32Async", "", "op_missing"),
        ("cudaLaunchKernel", 9, "call_failed"),
        ("", 0, "launches_nothing"),
    ],
)
def test_reasons_of_calls_without_operations(name: str, result: object, reason: str) -> None:
    pairs(f"1,1,5,7,{name},runtime,0,10,{result}", "", f",1,call_without_op,{reason},,1")


def equals_a_loop(db: nsysql.Database, export: Path) -> Counter[str]:
    """Every operation once, every call without one once, and the pairs of a loop; returns how often each match occurs."""
    calls, ops = api_calls(export), gpu_ops(export)
    around = enclosing_calls(calls)
    numbered = defaultdict(list)
    for call in calls:
        if call["correlationId"]:
            numbered[call["process"], call["correlationId"]].append(call)
    expected = set()
    with_op = set()
    for op in ops:
        own = numbered.get((op["globalPid"], op["correlationId"]), [])
        own.sort(key=lambda c: (len(around[c["_rowid"]]), c["eventClass"] != 0, c["start"], c["_rowid"]))
        with_op |= {c["_rowid"] for c in own[:1]}
        expected.add((op["op_id"], own[0]["_rowid"] if own else None, len(own) if op["correlationId"] else None))
    for call in calls:
        if call["_rowid"] not in with_op:
            number = call["process"], call["correlationId"]
            expected.add((None, call["_rowid"], len(numbered[number]) if number[1] else None))
    report = db.report_ids([export.stem])[0]
    rows = db.sql(f"SELECT op_id, call_id, call_count, match FROM api_ops WHERE report_id = {report}").fetchall()
    assert len(rows) == len(expected)
    assert {row[:3] for row in rows} == expected
    return Counter(row[3] for row in rows)


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export: Path) -> None:
    equals_a_loop(db, export)


def test_operations_of_a_call_are_counted_through(db: nsysql.Database) -> None:
    wrong = db.sql(
        """SELECT report_id, call_id FROM api_ops WHERE match = 'matched' GROUP BY ALL
        HAVING min(op_number) <> 1 OR max(op_number) <> count(*) OR count(DISTINCT op_number) <> count(*)"""
    ).fetchall()
    assert wrong == []
    assert db.sql("SELECT max(op_number) FROM api_ops").fetchall() == [(10,)]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "matched"), [("mpi_openacc_4proc", 90), ("saxpy_mpi_2022_2", 20), ("um_2023_4", 1), ("nccl_payload_2026_2", 5268)]
)
def test_equals_a_loop_over_the_corpus(corpus: Path, tmp_path: Path, name: str, matched: int) -> None:
    export = next(corpus.rglob(f"{name}.sqlite"))
    nsysql.ingest([export], tmp_path / "one.duckdb")
    with nsysql.open(tmp_path / "one.duckdb") as db:
        assert equals_a_loop(db, export)["matched"] == matched
