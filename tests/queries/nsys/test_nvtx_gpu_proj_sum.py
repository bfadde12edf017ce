"""nvtx_gpu_proj_sum by hand; against NVIDIA's own numbers see test_oracle."""

from __future__ import annotations

from tests.blueprint import check

P = 1 << 48 | 5 << 24
QUERY = "SELECT range_name, total_proj_ns, total_range_ns, range_count, op_count, level_mean, child_per_range_count FROM nvtx_gpu_proj_sum ORDER BY range_name"
HEADER = "range_name,total_proj_ns,total_range_ns,range_count,op_count,level_mean,child_per_range_count\n"


def projected(nvtx: str, calls: str, kernels: str, expect: str) -> None:
    check(
        rows={
            "raw.NVTX_EVENTS": "report_id,_rowid,globalTid,eventType,domainId,start,end,text\n" + nvtx,
            "raw.CUPTI_ACTIVITY_KIND_RUNTIME": "report_id,_rowid,globalTid,correlationId,start,end\n" + calls,
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": "report_id,_rowid,globalPid,correlationId,start,end,deviceId\n"
            + "\n".join(f"{line},0" for line in kernels.splitlines()),
        },
        query=QUERY,
        expect=HEADER + expect,
    )


def test_every_range_around_the_call_gets_the_envelope() -> None:
    projected(
        nvtx=f"1,1,{P + 1},59,0,0,100,out\n1,2,{P + 1},59,0,10,50,in\n1,3,{P + 1},59,0,60,70,idle",
        calls=f"1,1,{P + 1},7,20,25\n1,2,{P + 1},8,30,35",
        kernels=f"1,1,{P},7,200,210\n1,2,{P},8,300,310",
        expect="in,110,40,1,2,1.0,0.0\nout,110,100,1,2,0.0,1.0",
    )


def test_bounds_are_inclusive_and_threads_apart() -> None:
    projected(
        nvtx=f"1,1,{P + 1},59,0,10,20,exact\n1,2,{P + 2},59,0,0,100,other\n1,3,{P + 1},59,0,40,50,straddled",
        calls=f"1,1,{P + 1},7,10,20\n1,2,{P + 1},8,45,55",
        kernels=f"1,1,{P},7,200,210\n1,2,{P},8,300,310",
        expect="exact,10,10,1,1,0.0,0.0",
    )


def test_a_call_with_many_operations_counts_once() -> None:
    projected(
        nvtx=f"1,1,{P + 1},59,0,0,100,graph",
        calls=f"1,1,{P + 1},7,10,20",
        kernels=f"1,1,{P},7,200,210\n1,2,{P},7,220,250",
        expect="graph,50,100,1,1,0.0,0.0",
    )


def test_equal_correlation_ids_of_two_processes() -> None:
    other = 1 << 48 | 6 << 24
    projected(
        nvtx=f"1,1,{P + 1},59,0,0,100,mine",
        calls=f"1,1,{P + 1},7,10,20\n1,2,{other + 1},7,10,20",
        kernels=f"1,1,{P},7,200,210\n1,2,{other},7,500,600",
        expect="mine,10,100,1,1,0.0,0.0",
    )
