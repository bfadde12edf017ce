"""contexts: one row per context of a process."""

from __future__ import annotations

from tests.blueprint import check

CONTEXTS = "raw.TARGET_INFO_CUDA_CONTEXT_INFO"


def test_equal_numbers_in_two_processes_are_two_contexts() -> None:
    first, second = 1 << 48 | 5 << 24, 1 << 48 | 6 << 24
    check(
        rows={
            CONTEXTS: "report_id,hwId,vmId,processId,deviceId,contextId,nullStreamId,parentContextId,isGreenContext\n1,0,1,5,0,1,7,0,0\n1,0,1,6,0,1,7,3,1\n1,0,1,6,0,1,7,3,1"
        },
        query="SELECT process_id, context_id, gpu_id, null_stream_id, parent_context_id, is_green FROM contexts ORDER BY ALL",
        expect=f"process_id,context_id,gpu_id,null_stream_id,parent_context_id,is_green\n{first},1,0,7,,False\n{second},1,1,7,3,True",
    )


def test_a_hardware_number_with_its_highest_bit() -> None:
    """Process ids are signed: hardware 200 makes them negative, in events as in the list of contexts."""
    process = (200 - 256) * 2**56 + 2**48 + 5 * 2**24
    check(
        rows={
            CONTEXTS: "report_id,hwId,vmId,processId,deviceId,contextId\n1,200,1,5,1,3",
            "raw.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": f"report_id,_rowid,globalPid,contextId,deviceId\n1,1,{process},3,0",
        },
        query="SELECT s.process_id, s.device_id, c.context_id FROM syncs AS s JOIN contexts AS c USING (report_id, process_id)",
        expect=f"process_id,device_id,context_id\n{process},1,3",
    )
