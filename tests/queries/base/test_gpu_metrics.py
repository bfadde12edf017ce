"""gpu_metrics: which GPU, which metric."""

from __future__ import annotations

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

VM = 1 << 48
TYPE = VM + (1 << 32)


def test_gpu_and_name() -> None:
    check(
        rows={
            "raw.GPU_METRICS": f"""report_id,_rowid,timestamp,typeId,metricId,value
                1,1,10,{TYPE},0,50
                1,2,10,{TYPE + 3},0,60
                1,3,10,{TYPE + 9},0,70
                1,4,-5,{TYPE},1,80
                2,5,10,{TYPE},0,90""",
            "raw.TARGET_INFO_GPU_METRICS": f"""report_id,typeId,metricId,metricName
                1,{TYPE},0,SMs Active
                1,{TYPE},0,SMs Active
                1,{TYPE + 3},0,GR Active""",
            "raw.TARGET_INFO_GPU": f"report_id,vmId,id\n1,{VM},0\n1,{VM},3\n1,{2 * VM},9",
        },
        query="SELECT sample_id, gpu_id, hardware_id, time_ns, metric_id, metric, value FROM gpu_metrics ORDER BY ALL",
        expect="""sample_id,gpu_id,hardware_id,time_ns,metric_id,metric,value
            1,0,0,10,0,SMs Active,50
            2,1,3,10,0,GR Active,60
            3,,9,10,0,,70
            4,0,0,-5,1,,80
            5,,0,10,0,,90""",
    )


def test_an_instance_of_a_gpu_does_not_double_its_samples() -> None:
    process = VM + (77 << 24)
    check(
        rows={
            "raw.GPU_METRICS": f"report_id,_rowid,timestamp,typeId,metricId,value\n1,1,10,{TYPE},0,50",
            "raw.TARGET_INFO_GPU": f"report_id,vmId,id,uuid\n1,{VM},0,whole",
            "raw.TARGET_INFO_CUDA_DEVICE": "report_id,gpuId,cudaId,pid,uuid\n1,0,0,77,instance",
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": f"report_id,_rowid,globalPid,deviceId\n1,1,{process},0",
        },
        query="SELECT sample_id, gpu_id FROM gpu_metrics",
        expect="sample_id,gpu_id\n1,0",
    )


@each_export("metrics", "gpu_metrics_a100")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    names = {(m["typeId"], m["metricId"]): m["metricName"] for m in rows_of(traced.export, "TARGET_INFO_GPU_METRICS")}
    expected = sorted(
        (m["_rowid"], m["timestamp"], 0, names[m["typeId"], m["metricId"]], m["value"])
        for m in rows_of(traced.export, "GPU_METRICS")
    )
    assert traced.rows("gpu_metrics", "sample_id, time_ns, gpu_id, metric, value") == expected
