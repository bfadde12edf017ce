"""api_calls: names, identity, nesting; against loops over the source rows."""

from __future__ import annotations

import random
from pathlib import Path

import nsysql
import pytest

from tests.blueprint import check
from tests.brute import api_calls, enclosing_calls
from tests.conftest import EXPORTS

CALLS = "raw.CUPTI_ACTIVITY_KIND_RUNTIME"
PROCESS = 300 << 24
NESTING = "report_id,_rowid,globalTid,start,end,eventClass\n"


@pytest.mark.parametrize(
    ("raw_name", "name"),
    [
        ("cudaMalloc_v3020", "cudaMalloc"),
        ("cudaGraphLaunch_v10000", "cudaGraphLaunch"),
        ("cuMemAlloc_v2", "cuMemAlloc"),
        ("cudaGetDeviceProperties_v2_v12000", "cudaGetDeviceProperties"),
        ("cudaMemcpyAsync_ptsz", "cudaMemcpyAsync"),
        ("cuMemcpyHtoD_v2_ptds", "cuMemcpyHtoD"),
        ("cudaLaunchKernel_ptsz_v7000", "cudaLaunchKernel"),
        ("cuInit", "cuInit"),
        ("cuMemsetD2D8_view", "cuMemsetD2D8_view"),
    ],
)
def test_version_suffixes_go(raw_name: str, name: str) -> None:
    check(
        rows={
            CALLS: f"report_id,_rowid,globalTid,start,end,eventClass,nameId\n1,1,{PROCESS + 7},0,5,0,3",
            "raw.StringIds": f"report_id,id,value\n1,3,{raw_name}\n2,3,other",
        },
        query="SELECT name, raw_name FROM api_calls",
        expect=f"name,raw_name\n{name},{raw_name}",
    )


def test_identity_and_sentinels() -> None:
    check(
        rows={
            CALLS: f"report_id,_rowid,globalTid,start,end,eventClass,correlationId,returnValue,nameId\n"
            f"1,1,{PROCESS + 7},0,5,0,12,0,\n1,2,{PROCESS + 7},6,9,1,0,999,\n1,3,-16777209,10,11,13,5,0,\n1,4,,12,13,5,5,0,"
        },
        query="SELECT call_id, process_id, thread_id, api, dur_ns, correlation_id, result FROM api_calls ORDER BY call_id",
        expect=f"""call_id,process_id,thread_id,api,dur_ns,correlation_id,result
            1,{PROCESS},{PROCESS + 7},runtime,5,12,0
            2,{PROCESS},{PROCESS + 7},driver,3,,999
            3,-16777216,-16777209,egl,1,5,0
            4,0,,other,1,5,0""",
    )


def test_backtraces_are_no_calls() -> None:
    check(
        rows={CALLS: NESTING + "1,1,9,10,20,67\n1,2,9,11,19,0"},
        query="SELECT call_id, depth, parent_call_id, is_nested FROM api_calls",
        expect="call_id,depth,parent_call_id,is_nested\n2,0,,False",
    )


@pytest.mark.parametrize(
    ("calls", "expect"),
    [
        pytest.param("9,10,20,0\n9,20,30,0", "1,0,\n2,0,", id="one after the other"),
        pytest.param("9,10,20,0\n9,12,15,1\n9,16,20,1", "1,0,\n2,1,1\n3,1,1", id="driver inside runtime"),
        pytest.param("9,12,15,1\n9,10,20,0", "1,1,2\n2,0,", id="rows in any order"),
        pytest.param("9,10,20,1\n9,10,20,0", "1,1,2\n2,0,", id="same bounds: the driver's is inner"),
        pytest.param("9,10,20,0\n9,10,20,0", "1,0,\n2,1,1", id="same bounds and API: the later row is inner"),
        pytest.param("9,10,20,0\n9,10,15,1\n9,15,20,1", "1,0,\n2,1,1\n3,1,1", id="touching the bounds"),
        pytest.param("9,0,99,0\n9,1,50,1\n9,2,40,1\n9,3,4,1\n9,60,70,1", "1,0,\n2,1,1\n3,2,2\n4,3,3\n5,1,1", id="deep"),
        pytest.param("9,0,99,0\n9,1,10,1\n9,20,30,1\n9,21,22,1", "1,0,\n2,1,1\n3,1,1\n4,2,3", id="inside the second"),
        pytest.param("9,0,9,0\n9,20,29,0\n9,21,28,1", "1,0,\n2,0,\n3,1,2", id="inside the second outermost"),
        pytest.param("9,10,20,0\n8,12,15,1", "1,0,\n2,0,", id="another thread"),
        pytest.param("9,10,20,0\n9,15,25,0", "1,0,\n2,0,", id="one that outlasts is not inside"),
        pytest.param("9,10,10,0\n9,10,10,0\n9,10,20,0\n9,20,20,0", "1,0,\n2,0,\n3,0,\n4,0,", id="a clock that stands still"),
        pytest.param("9,10,20,0\n9,15,15,1", "1,0,\n2,1,1", id="length 0 well inside"),
        pytest.param("9,10,,0\n9,12,15,1", "1,0,\n2,0,", id="without an end"),
    ],
)
def test_nesting(calls: str, expect: str) -> None:
    rows = "\n".join(f"1,{number},{line}" for number, line in enumerate(calls.splitlines(), start=1))
    check(
        rows={CALLS: NESTING + rows},
        query="SELECT call_id, depth, parent_call_id FROM api_calls ORDER BY call_id",
        expect=f"call_id,depth,parent_call_id\n{expect}",
    )


def test_reports_do_not_mix() -> None:
    check(
        reports="report_id\n1\n2",
        rows={CALLS: NESTING + "1,1,9,10,20,0\n2,1,9,12,15,1\n2,2,9,13,14,1"},
        query="SELECT report_id, call_id, depth FROM api_calls ORDER BY ALL",
        expect="report_id,call_id,depth\n1,1,0\n2,1,0\n2,2,1",
    )


def _grow(start: int, end: int, depth: int, into: list[tuple[int, int, int]]) -> None:
    """Calls that tile part of an interval, each with calls inside; bounds often touch or coincide."""
    at = start
    while at < end:
        stop = random.randint(at, end)
        into.append((at, stop, random.choice((0, 1))))
        if depth and stop - at > 1:
            _grow(at, stop, depth - 1, into)
        at = stop + random.choice((0, 0, 1, 3))
        if stop == end:
            break


def test_equals_a_loop_on_random_trees() -> None:
    for seed in range(8):
        random.seed(seed)
        tree: list[tuple[int, int, int]] = []
        _grow(0, 60, 4, tree)
        random.shuffle(tree)
        calls = [
            {"_rowid": i, "globalTid": 9, "start": a, "end": b, "eventClass": c} for i, (a, b, c) in enumerate(tree, start=1)
        ]
        around = enclosing_calls(calls)
        assert max(len(ids) for ids in around.values()) > 2
        lines = [f"{i},{len(ids)},{ids[-1] if ids else ''}" for i, ids in sorted(around.items())]
        check(
            rows={CALLS: NESTING + "\n".join(f"1,{i},9,{a},{b},{c}" for i, (a, b, c) in enumerate(tree, start=1))},
            query="SELECT call_id, depth, parent_call_id FROM api_calls ORDER BY call_id",
            expect="call_id,depth,parent_call_id\n" + "\n".join(lines),
        )


def equals_a_loop(db: nsysql.Database, export: Path) -> None:
    """Every call of the source once, with the calls around it."""
    report = db.report_ids([export.stem])[0]
    columns = "call_id, process_id, start_ns, end_ns, depth, parent_call_id"
    rows = db.sql(f"SELECT {columns} FROM api_calls WHERE report_id = {report} ORDER BY call_id").fetchall()
    calls = api_calls(export)
    around = enclosing_calls(calls)
    expected = [
        (c["_rowid"], c["process"], c["start"], c["end"], len(ids := around[c["_rowid"]]), ids[-1] if ids else None)
        for c in sorted(calls, key=lambda c: c["_rowid"])
    ]
    assert rows == expected


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_equals_a_loop_over_the_source(db: nsysql.Database, export: Path) -> None:
    equals_a_loop(db, export)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["mpi_openacc_4proc", "saxpy_mpi_2022_2", "gpu_metrics_a100"])
def test_equals_a_loop_over_the_corpus(corpus: Path, tmp_path: Path, name: str) -> None:
    export = next(corpus.rglob(f"{name}.sqlite"))
    nsysql.ingest([export], tmp_path / "one.duckdb")
    with nsysql.open(tmp_path / "one.duckdb") as db:
        equals_a_loop(db, export)
