"""gpus: every listed GPU and those that only processes tell of."""

from __future__ import annotations

import nsysql

from tests.blueprint import check

VM = 1 << 48


def test_unused_gpus_are_listed_too() -> None:
    check(
        rows={
            "_device_gpus": f"report_id,process_id,device_id,gpu_id,mapping,machine_id,hardware_id\n1,9,0,0,assumed,{VM},0\n1,,,0,,{VM},0\n1,,,1,,{VM},1",
            "raw.TARGET_INFO_GPU": f"report_id,vmId,id,name,smCount,totalMemory\n1,{VM},0,A,10,1000\n1,{VM},1,B,20,2000",
        },
        query="SELECT gpu_id, name, mapping, process_count, sm_count, memory_bytes FROM gpus ORDER BY gpu_id",
        expect="gpu_id,name,mapping,process_count,sm_count,memory_bytes\n0,A,assumed,1,10,1000\n1,B,,0,20,2000",
    )


def test_the_least_certain_mapping_is_shown() -> None:
    check(
        rows={"_device_gpus": "report_id,process_id,device_id,gpu_id,mapping\n1,8,0,0,reported\n1,9,0,0,assumed"},
        query="SELECT gpu_id, mapping, process_count FROM gpus",
        expect="gpu_id,mapping,process_count\n0,assumed,2",
    )


def test_old_exports_have_other_units() -> None:
    check(
        rows={
            "_device_gpus": f"report_id,process_id,device_id,gpu_id,mapping,machine_id,hardware_id\n1,9,0,0,reported,{VM},0",
            "raw.TARGET_INFO_GPU": f"report_id,vmId,id,name,busLocation\n1,{VM},0,Quadro RTX 8000,0000:15:00.0",
            "raw.TARGET_INFO_CUDA_GPU": f"report_id,vmId,pciBusId,globalMemorySize,coreClockRate,numMultiprocessors\n1,{VM},0000:15:00.0,2,3,72",
        },
        query="SELECT memory_bytes, clock_rate_hz, sm_count FROM gpus",
        expect="memory_bytes,clock_rate_hz,sm_count\n2097152,3000,72",
    )


def test_real_files(db: nsysql.Database) -> None:
    rows = db.sql(
        "SELECT r.name, gpu_id, g.name, mapping FROM gpus g JOIN reports r USING (report_id) WHERE r.name IN ('ddp_one', 'pipeline') ORDER BY ALL"
    ).fetchall()
    assert rows == [
        ("ddp_one", 0, "NVIDIA H200", "reported"),
        ("ddp_one", 1, "NVIDIA H200", "reported"),
        ("pipeline", 0, "NVIDIA H200", "only_gpu"),
    ]
