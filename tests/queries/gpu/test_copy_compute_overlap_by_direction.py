"""copy_compute_overlap_by_direction on rows that can be checked by eye, and against a sweep over the bounds of the source rows."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.blueprint import check
from tests.brute import both_ns, busy_ns, gpu_of, gpu_ops
from tests.queries.conftest import Traced, each_export

DIRECTIONS = {1: "HtoD", 2: "DtoH", 8: "DtoD", 10: "PtoP", 11: "HtoD", 12: "DtoH"}


def test_each_direction_of_each_process_is_a_union_of_its_own() -> None:
    check(
        rows={
            "memcpys": """report_id,op_id,process_id,gpu_id,direction,start_ns,end_ns
                1,9,5,0,HtoD,10,30\n1,17,5,0,HtoD,20,40\n1,25,5,0,DtoH,20,40\n1,33,6,0,HtoD,20,40""",
            "gpu_ops": """report_id,op_id,kind,gpu_id,start_ns,end_ns
                1,8,kernel,0,35,38\n1,16,kernel,0,0,15\n1,24,kernel,1,0,99""",
        },
        query="FROM copy_compute_overlap_by_direction ORDER BY process_id, direction",
        expect="""report_id,gpu_id,process_id,direction,copy_op_count,copy_ns,overlapped_ns,exposed_ns,exposed_ratio
            1,0,5,DtoH,1,20,3,17,0.85
            1,0,5,HtoD,2,30,8,22,0.7333333333333333
            1,0,6,HtoD,1,20,3,17,0.85""",
    )


def by_loop(export: Path) -> list[tuple[Any, ...]]:
    """Process, direction, count, time and time at once with kernels for each GPU."""
    gpu = gpu_of(export)
    copies: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    kernels: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for op in gpu_ops(export):
        number = gpu[op["globalPid"], op["deviceId"]]
        if op["table"] == "MEMCPY":
            copies[number, op["globalPid"], DIRECTIONS[op["copyKind"]]].append((op["start"], op["end"]))
        elif op["table"] != "MEMSET":
            kernels[number].append((op["start"], op["end"]))
    return sorted((*key[1:], len(own), busy_ns(own), both_ns(own, kernels[key[0]])) for key, own in copies.items())


@each_export("memcpy", "nccl_payload_2026_2", "jetson_2024_5", "mpi_openacc_4proc", "saxpy_mpi_2022_2")
def test_equals_a_sweep_over_the_source(traced: Traced) -> None:
    columns = "process_id, direction, copy_op_count, copy_ns, overlapped_ns"
    assert traced.rows("copy_compute_overlap_by_direction", columns) == by_loop(traced.export)
