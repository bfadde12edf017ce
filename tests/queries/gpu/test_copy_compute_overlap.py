"""copy_compute_overlap on rows that can be checked by eye, and against a sweep over the bounds of the source rows."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.blueprint import check
from tests.brute import both_ns, busy_ns, gpu_of, gpu_ops
from tests.queries.conftest import Traced, each_export

OPS = "report_id,op_id,kind,gpu_id,start_ns,end_ns\n"
COPIES = "report_id,op_id,gpu_id,start_ns,end_ns\n"


def test_what_runs_at_once_is_hidden_and_counts_once() -> None:
    copies = "1,9,0,10,30\n1,17,0,20,40\n1,25,0,60,70"
    ops = "1,8,kernel,0,0,15\n1,16,kernel,0,5,12\n1,3,graph_launch,0,35,65\n1,2,memset,0,0,99\n1,24,kernel,1,0,99\n"
    check(
        rows={"memcpys": COPIES + copies, "gpu_ops": OPS + ops},
        query="FROM copy_compute_overlap ORDER BY gpu_id",
        expect="""report_id,gpu_id,copy_op_count,copy_ns,overlapped_ns,exposed_ns,exposed_ratio,kernel_count,kernel_ns,kernel_alone_ns
            1,0,3,40,15,25,0.625,3,45,30
            1,1,0,0,0,0,,1,99,99""",
    )


def test_a_gpu_that_only_copies() -> None:
    check(
        rows={"memcpys": COPIES + "1,9,2,10,30\n2,9,2,5,5", "gpu_ops": OPS + "2,8,kernel,2,0,50"},
        query="SELECT report_id, copy_ns, overlapped_ns, exposed_ratio, kernel_count, kernel_ns FROM copy_compute_overlap ORDER BY 1",
        expect="report_id,copy_ns,overlapped_ns,exposed_ratio,kernel_count,kernel_ns\n1,20,0,1.0,0,0\n2,0,0,,1,50",
    )


def by_loop(export: Path) -> list[tuple[int, ...]]:
    """Counts and times of copies and kernels and of both at once for each GPU that has any of them."""
    gpu = gpu_of(export)
    copies: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    kernels: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for op in gpu_ops(export):
        if op["table"] != "MEMSET":
            side = copies if op["table"] == "MEMCPY" else kernels
            side[gpu[op["globalPid"], op["deviceId"]]].append((op["start"], op["end"]))
    return sorted(
        (len(copies[g]), busy_ns(copies[g]), both_ns(copies[g], kernels[g]), len(kernels[g]), busy_ns(kernels[g]))
        for g in copies.keys() | kernels.keys()
    )


@each_export("memcpy", "nccl_payload_2026_2", "jetson_2024_5", "mpi_openacc_4proc", "saxpy_mpi_2022_2")
def test_equals_a_sweep_over_the_source(traced: Traced) -> None:
    columns = "copy_op_count, copy_ns, overlapped_ns, kernel_count, kernel_ns"
    assert traced.rows("copy_compute_overlap", columns) == by_loop(traced.export)
