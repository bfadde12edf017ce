"""comm_overlap on rows that can be checked by eye, and against a sweep over the bounds of the source rows."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.blueprint import check
from tests.brute import both_ns, busy_ns, gpu_of, gpu_ops, rows_of
from tests.queries.conftest import Traced, each_export

FAMILIES = "report_id,name_id,family\n1,77,collective\n1,1,gemm\n"
KERNELS = "report_id,op_id,name_id,gpu_id\n"
OPS = "report_id,op_id,kind,gpu_id,start_ns,end_ns\n"


def test_communication_without_compute_is_exposed() -> None:
    ops = {
        (8, 77): "kernel,0,10,30",
        (16, 77): "kernel,0,25,40",
        (24, 1): "kernel,0,0,15",
        (32, ""): "kernel,0,38,39",
        (3, None): "graph_launch,0,35,38",
        (9, None): "memcpy,0,0,99",
        (40, 1): "kernel,1,0,99",
        (48, 77): "kernel,2,5,5",
    }
    check(
        rows={
            "_kernel_families": FAMILIES,
            "_kernel_ops": KERNELS
            + "\n".join(f"1,{op},{name},{ops[op, name].split(',')[1]}" for op, name in ops if name is not None),
            "gpu_ops": OPS + "\n".join(f"1,{op},{values}" for (op, _), values in ops.items()),
        },
        query="FROM comm_overlap ORDER BY gpu_id",
        expect="""report_id,gpu_id,comm_count,comm_ns,overlapped_ns,exposed_ns,exposed_ratio,compute_count,compute_ns
            1,0,2,30,9,21,0.7,3,19
            1,2,1,0,0,0,,0,0""",
    )


def by_loop(export: Path) -> list[tuple[int, ...]]:
    """Count and time of NCCL kernels, time at once with others, count and time of those, for each GPU that ran NCCL."""
    gpu, texts = gpu_of(export), {r["id"]: r["value"] for r in rows_of(export, "StringIds")}
    comm: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    compute: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for op in gpu_ops(export):
        if op["table"] in ("KERNEL", "GRAPH_TRACE"):
            is_comm = op["table"] == "KERNEL" and texts[op["shortName"]].startswith("nccl")
            (comm if is_comm else compute)[gpu[op["globalPid"], op["deviceId"]]].append((op["start"], op["end"]))
    return sorted(
        (len(own), busy_ns(own), busy_ns(own) - both_ns(own, compute[g]), len(compute[g]), busy_ns(compute[g]))
        for g, own in comm.items()
    )


@each_export("nccl_payload_2026_2", "families")
def test_equals_a_sweep_over_the_source(traced: Traced) -> None:
    columns = "comm_count, comm_ns, exposed_ns, compute_count, compute_ns"
    assert traced.rows("comm_overlap", columns) == by_loop(traced.export)
