"""nvtx_kernels on rows that can be checked by eye, and against a loop over every kernel."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from nsysql.database import Database

from tests.blueprint import check
from tests.brute_ranges import folded, owners_by_loop, ranges_of
from tests.queries.conftest import Traced, each_export

KERNELS = "report_id,op_id,process_id,gpu_id,dur_ns,name_id,short_name,name\n"
OWNERS = "report_id,op_id,range_id,via\n"
PATHS = "report_id,range_id,path\n"


def summed(kernels: str, owners: str, columns: str, expect: str, paths: str = "", **more: str) -> None:
    """Check some columns, in the order of report, process, GPU, path and name."""
    check(
        rows={
            "kernels": KERNELS + kernels,
            "_kernel_ops": "\n".join(line.strip().rpartition(",")[0] for line in (KERNELS + kernels).splitlines()),
            "op_ranges": OWNERS + owners,
            **({"_range_paths": PATHS + paths} if paths else {}),
            **{name: text for name, text in more.items() if name != "reports"},
        },
        query=f"SELECT {columns} FROM nvtx_kernels ORDER BY report_id, process_id, gpu_id, nvtx_path NULLS LAST, name",
        expect=f"{','.join(c.split(' AS ')[-1] for c in columns.split(', '))}\n{expect}",
        reports=more.get("reports", "report_id\n1"),
    )


def test_by_folded_path_and_full_name() -> None:
    summed(
        kernels="""1,8,5,0,10,1,gemm,gemm<float>
            1,16,5,0,30,1,gemm,gemm<float>
            1,24,5,0,20,2,gemm,gemm<half>
            1,32,5,0,60,1,gemm,gemm<float>
            1,40,5,0,80,3,relu,relu()""",
        owners="1,8,1,thread\n1,16,2,thread\n1,24,2,process\n1,32,,\n1,40,3,process",
        paths="1,1,step_1/forward\n1,2,step_2/forward\n1,3,step_2",
        columns="nvtx_path, short_name, name, kernel_count, dur_ns, path_ratio, gpu_ratio, mean_ns, min_ns, max_ns, process_op_count",
        expect=f"""step_*,relu,relu(),1,80,1.0,0.4,80.0,80,80,1
            step_*/forward,gemm,gemm<float>,2,40,{40 / 60},0.2,20.0,10,30,0
            step_*/forward,gemm,gemm<half>,1,20,{20 / 60},0.1,20.0,20,20,1
            ,gemm,gemm<float>,1,60,1.0,0.3,60.0,60,60,0""",
    )


def test_without_ranges_each_kernel_is_outside() -> None:
    summed(
        kernels="1,8,5,0,0,1,k,k()",
        owners="1,8,,",
        paths="1,1,never",
        columns="nvtx_path IS NULL AS is_outside, kernel_count, dur_ns, path_ratio, gpu_ratio, mean_ns, process_op_count",
        expect="True,1,0,,,0.0,0",
    )


def test_a_range_without_a_name_is_not_outside() -> None:
    summed(
        kernels="1,8,5,0,2,1,k,k()\n1,16,5,0,4,1,k,k()\n1,24,5,0,8,1,k,k()",
        owners="1,8,1,thread\n1,16,2,thread\n1,24,,",
        _nvtx_rows="report_id,range_id,name\n1,1,\n1,2,step_7",
        _nvtx_nesting="report_id,range_id,parent_path\n1,1,\n1,2,/",
        columns="nvtx_path IS NULL AS is_outside, nvtx_path, dur_ns",
        expect="False,,2\nFalse,/step_*,4\nTrue,,8",
    )


def test_each_report_process_and_gpu_for_itself() -> None:
    summed(
        kernels="1,8,5,0,1,1,k,k()\n1,16,5,1,2,1,k,k()\n1,24,6,0,4,1,k,k()\n2,8,5,0,8,1,other,other()\n2,16,5,0,24,2,k,k()",
        owners="1,8,1,thread\n1,16,1,thread\n1,24,2,thread\n2,8,1,thread\n2,16,1,thread",
        paths="1,1,a\n1,2,a\n2,1,b",
        columns="report_id, process_id, gpu_id, nvtx_path, name, dur_ns, path_ratio, gpu_ratio",
        expect="""1,5,0,a,k(),1,1.0,1.0
            1,5,1,a,k(),2,1.0,1.0
            1,6,0,a,k(),4,1.0,1.0
            2,5,0,b,k(),24,0.75,0.75
            2,5,0,b,other(),8,0.25,0.25""",
        reports="report_id\n1\n2",
    )


@each_export(
    "families", "rank0", "metrics", "um_faults", "cudf_2020", "gpu_metrics_a100", "saxpy_mpi_2022_2", "nccl_payload_2026_2"
)
def test_equals_a_loop_over_the_kernels(traced: Traced) -> None:
    owners, ranges = owners_by_loop(traced.export, traced.db, traced.report_id), ranges_of(traced.db, traced.report_id)
    found: dict[tuple[Any, ...], list[tuple[int, bool]]] = defaultdict(list)
    of_path: dict[tuple[Any, ...], int] = defaultdict(int)
    of_gpu: dict[tuple[Any, ...], int] = defaultdict(int)
    for op, process, gpu, ns, name, short_name in traced.rows("kernels", "op_id, process_id, gpu_id, dur_ns, name, short_name"):
        owner = owners[op]
        path = None if owner.range_id is None else folded(ranges[owner.range_id]["path"])
        found[process, gpu, path, name, short_name].append((ns, owner.via == "process"))
        of_path[process, gpu, path] += ns
        of_gpu[process, gpu] += ns
    expected = set()
    for key, kernels in found.items():
        lengths = [ns for ns, _ in kernels]
        total = sum(lengths)
        ratios = (total / of_path[key[:3]], total / of_gpu[key[:2]])
        sums = (len(lengths), total, *ratios, total / len(lengths), min(lengths), max(lengths), sum(by for _, by in kernels))
        expected.add(key + sums)
    columns = (
        "process_id, gpu_id, nvtx_path, name, short_name, kernel_count, dur_ns, path_ratio, gpu_ratio, mean_ns, min_ns, max_ns, "
        "process_op_count"
    )
    rows = traced.rows("nvtx_kernels", columns)
    assert len(rows) == len(expected)
    assert set(rows) == expected


def test_known_programs(db: Database) -> None:
    def kernels(report: str, condition: str) -> list[tuple[Any, ...]]:
        number = db.report_ids([report])[0]
        return db.sql(
            f"SELECT sum(kernel_count)::BIGINT FROM nvtx_kernels WHERE report_id = {number} AND {condition}"
        ).fetchall()

    assert kernels("graphs_node", "nvtx_path = 'replay'") == [(270,)]  # rows of the source with a graphNodeId
    assert kernels("multiproc", "nvtx_path = 'worker0_iter'") == [(80,)]
    assert kernels("tiny", "nvtx_path IS NOT NULL") == [(None,)]
    assert kernels("train_bad", "process_op_count = kernel_count AND nvtx_path <> 'step_*/backward'") == [(None,)]
