"""streams: those listed and those that only operations mention."""

from __future__ import annotations

from tests.blueprint import check


def test_listed_used_and_both() -> None:
    process = 1 << 48 | 5 << 24
    check(
        rows={
            "raw.TARGET_INFO_CUDA_STREAM": "report_id,hwId,vmId,processId,contextId,streamId,flag,priority\n1,0,1,5,1,7,3,0\n1,0,1,5,1,8,2,4294967293",
            "gpu_ops": f"report_id,op_id,process_id,context_id,stream_id,device_id,gpu_id\n1,8,{process},1,7,0,0\n1,16,{process},1,7,0,0\n1,24,{process},1,20,0,0\n1,32,{process},,,0,0",
            "contexts": f"report_id,process_id,context_id,device_id,gpu_id,null_stream_id\n1,{process},1,0,0,7",
        },
        query="SELECT stream_id, kind, priority, gpu_id, op_count FROM streams ORDER BY stream_id",
        expect="stream_id,kind,priority,gpu_id,op_count\n7,null,0,0,2\n8,non_blocking,-3,0,0\n20,,,0,1",
    )


def test_equal_numbers_in_two_processes_are_two_streams() -> None:
    check(
        rows={
            "gpu_ops": "report_id,op_id,process_id,context_id,stream_id,device_id,gpu_id\n1,8,5,1,17,0,0\n1,16,6,1,17,0,0",
            "contexts": "report_id",
        },
        query="SELECT process_id, stream_id, op_count FROM streams ORDER BY ALL",
        expect="process_id,stream_id,op_count\n5,17,1\n6,17,1",
    )
