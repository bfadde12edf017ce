"""comm_overlap_by_range on rows that can be checked by eye, and against a sweep over the operations of each name."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.blueprint import check
from tests.brute import both_ns, busy_ns
from tests.brute_ranges import folded
from tests.queries.conftest import Traced, each_export


def test_by_folded_name_and_against_all_compute() -> None:
    check(
        rows={
            "_comm_ops": """report_id,op_id,gpu_id,start_ns,end_ns,is_comm
                1,8,0,10,30,true\n1,16,0,20,40,true\n1,24,0,35,60,true\n1,32,0,70,80,true
                1,40,0,0,15,false\n1,48,0,38,50,false\n1,56,0,90,95,false\n1,64,1,0,10,true\n1,72,1,5,20,false""",
            "op_ranges": """report_id,op_id,range_id,application_range_id
                1,8,1,1\n1,16,9,2\n1,24,3,3\n1,32,,\n1,40,1,1\n1,48,2,2\n1,56,,\n1,64,4,4\n1,72,4,4""",
            "nvtx_ranges": "report_id,range_id,name\n1,1,step_1 of 20\n1,2,step_12 of 20\n1,3,loss\n1,4,\n1,9,ncclAllReduce",
        },
        query="FROM comm_overlap_by_range ORDER BY gpu_id, range_name",
        expect="""report_id,gpu_id,range_name,range_count,comm_count,comm_ns,overlapped_ns,exposed_ns,exposed_ratio,compute_count,compute_ns
            1,0,loss,1,1,25,12,13,0.52,0,0
            1,0,step_* of *,2,2,30,7,23,0.7666666666666667,2,27
            1,0,,0,1,10,0,10,1.0,1,5
            1,1,,1,1,10,5,5,0.5,1,15""",
    )


@each_export("nccl_payload_2026_2")
def test_equals_a_sweep_over_the_operations_of_each_name(traced: Traced) -> None:
    names = dict(traced.rows("nvtx_ranges", "range_id, name"))
    range_of = dict(traced.rows("op_ranges", "op_id, application_range_id"))
    comm: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    own: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    compute: dict[int, list[tuple[int, int]]] = defaultdict(list)
    ranges: dict[Any, set[int]] = defaultdict(set)
    for op, gpu, start, end, short_name in traced.rows("kernels", "op_id, gpu_id, start_ns, end_ns, short_name"):
        number = range_of.get(op)
        key = (gpu, None if number is None else folded(names[number] or ""))
        if short_name.startswith("nccl"):
            comm[key].append((start, end))
            ranges[key] |= {number} - {None}
        else:
            own[key].append((start, end))
            compute[gpu].append((start, end))
    expected = {
        key: (len(ranges[key]), len(ops), busy_ns(ops), both_ns(ops, compute[key[0]]), len(own[key]), busy_ns(own[key]))
        for key, ops in comm.items()
    }
    columns = "gpu_id, range_name, range_count, comm_count, comm_ns, overlapped_ns, compute_count, compute_ns"
    assert {row[:2]: row[2:] for row in traced.rows("comm_overlap_by_range", columns)} == expected
