"""idle_by_cause on rows that can be checked by eye, and against a loop over gap_causes and what gpu_busy says is idle."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from nsysql.database import Database

from tests.blueprint import check
from tests.brute_ranges import folded
from tests.queries.conftest import Traced, each_export

CORPUS = (
    "families", "rank0", "metrics", "um_faults", "cudf_2020", "gpu_metrics_a100", "saxpy_mpi_2022_2", "um_2023_4",
    "nccl_payload_2026_2",
)  # fmt: skip
PARTS = "report_id,gap_id,gpu_id,process_id,position,cause,name,dur_ns,range_id\n"


def summed(causes: str, columns: str, expect: str, reports: str = "report_id\n1") -> None:
    """Check some columns, the longest first; the last column of `causes` is the path of the gap's range."""
    lines = [line.strip().split(",") for line in causes.split("\n") if line]
    numbers = {path: number for number, path in enumerate(sorted({line[8] for line in lines if line[8]}), start=1)}
    parts = [",".join([*line[:8], str(numbers.get(line[8], ""))]) for line in lines]
    paths = sorted({(line[0], numbers[line[8]], line[8]) for line in lines if line[8]})
    check(
        rows={
            "_gap_parts": PARTS + "\n".join(parts),
            "_range_paths": "\n".join(["report_id,range_id,path", *(f"{report},{n},{path}" for report, n, path in paths)]),
        },
        query=f"SELECT {columns} FROM idle_by_cause ORDER BY report_id, gpu_id, process_id, idle_ns DESC",
        expect=f"{columns.replace(' ', '')}\n{expect}",
        reports=reports,
    )


def test_by_cause_and_folded_path() -> None:
    summed(
        causes="""1,1,0,5,between,sync,cudaStreamSynchronize,40,step_1/wait
            1,2,0,5,between,sync,cudaStreamSynchronize,10,step_2/wait
            1,2,0,5,between,sync,cudaDeviceSynchronize,9,step_2/wait
            1,2,0,5,between,host_code,,8,step_2/wait
            1,3,0,5,between,host_code,,7,
            1,4,0,5,lead_in,host_code,,6,
            1,5,0,5,tail,teardown,,20,""",
        columns="position, nvtx_path, cause, name, gap_count, idle_ns, idle_ratio, longest_ns",
        expect="""between,step_*/wait,sync,cudaStreamSynchronize,2,50,0.5,40
            tail,,teardown,,1,20,0.2,20
            between,step_*/wait,sync,cudaDeviceSynchronize,1,9,0.09,9
            between,step_*/wait,host_code,,1,8,0.08,8
            between,,host_code,,1,7,0.07,7
            lead_in,,host_code,,1,6,0.06,6""",
    )


def test_each_report_gpu_and_process_for_itself() -> None:
    summed(
        causes="""1,1,0,5,between,host_code,,30,a
            1,2,0,6,between,host_code,,10,a
            1,3,1,5,between,host_code,,5,a
            2,1,0,5,between,host_code,,2,a""",
        columns="report_id, gpu_id, process_id, gap_count, idle_ns, idle_ratio",
        expect="1,0,5,1,30,0.75\n1,0,6,1,10,0.25\n1,1,5,1,5,1.0\n2,0,5,1,2,1.0",
        reports="report_id\n1\n2",
    )


def test_nothing_idle() -> None:
    summed(causes="", columns="gpu_id, idle_ns", expect="")


@each_export(*CORPUS)
def test_equals_a_loop_over_the_causes(traced: Traced) -> None:
    parts: dict[Any, list[int]] = defaultdict(list)
    idle: dict[int, int] = defaultdict(int)
    columns = "gpu_id, process_id, position, nvtx_path, cause, name, dur_ns"
    for gpu, process, position, path, cause, name, ns in traced.rows("gap_causes", columns):
        parts[gpu, process, position, folded(path), cause, name].append(ns)
        idle[gpu] += ns
    expected = {(*key, len(own), sum(own), sum(own) / idle[key[0]], max(own)) for key, own in parts.items()}
    columns = "gpu_id, process_id, position, nvtx_path, cause, name, gap_count, idle_ns, idle_ratio, longest_ns"
    rows = traced.rows("idle_by_cause", columns)
    assert len(rows) == len(expected)
    assert set(rows) == expected


@each_export(*CORPUS)
def test_adds_up_to_the_idle_time_of_each_gpu(traced: Traced) -> None:
    idle: dict[int, int] = defaultdict(int)
    for gpu, ns in traced.rows("idle_by_cause", "gpu_id, idle_ns"):
        idle[gpu] += ns
    columns = "gpu_id, op_count, idle_ns, lead_in_ns, between_ns"
    for gpu, op_count, whole, lead_in, between in traced.rows("gpu_busy", columns):
        known = 0 if op_count == 0 else lead_in + between if whole is None else whole
        assert idle.pop(gpu, 0) == known
    assert idle == {}


def test_train_bad_sits_in_its_own_python(db: Database) -> None:
    number = db.report_ids(["train_bad"])[0]
    text = f"SELECT nvtx_path, cause, gap_count FROM idle_by_cause WHERE report_id = {number} AND nvtx_path IS NOT NULL ORDER BY idle_ns DESC"
    path, cause, gap_count = db.sql(text).fetchall()[0]
    assert (path, cause) == ("step_*/data_load", "host_code")
    assert gap_count >= 50
