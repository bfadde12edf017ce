"""cuda_events: records of events, their times, their GPU."""

from __future__ import annotations

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

EVENTS = "raw.CUPTI_ACTIVITY_KIND_CUDA_EVENT"


def test_sentinels_become_null() -> None:
    check(
        rows={
            EVENTS: """report_id,_rowid,globalPid,contextId,streamId,eventId,eventSyncId,timestamp,correlationId,greenContextId
                1,1,9,1,7,19,3,500,8,2
                1,2,9,1,7,19,4,0,0,0
                1,3,9,1,7,19,,,,"""
        },
        query="SELECT record_id, stream_id, event_id, event_sync_id, time_ns, correlation_id, green_context_id FROM cuda_events ORDER BY ALL",
        expect="""record_id,stream_id,event_id,event_sync_id,time_ns,correlation_id,green_context_id
            1,7,19,3,500,8,2
            2,7,19,4,,,
            3,7,19,,,,""",
    )


@each_export("mpi_openacc_4proc", "families", "nccl_payload_2026_2")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    kernels = rows_of(traced.export, "CUPTI_ACTIVITY_KIND_KERNEL")
    devices = {(k["globalPid"], k["contextId"]): k["deviceId"] for k in kernels}
    events = rows_of(traced.export, "CUPTI_ACTIVITY_KIND_CUDA_EVENT")
    expected = sorted(
        (e["_rowid"], e["globalPid"], e["streamId"], e["eventId"], devices[e["globalPid"], e["contextId"]]) for e in events
    )
    assert traced.rows("cuda_events", "record_id, process_id, stream_id, event_id, device_id") == expected


@each_export("families")
def test_waits_find_the_record_that_they_wait_for(traced: Traced) -> None:
    found = traced.db.sql(
        f"""SELECT count(*), count(DISTINCT s.sync_id) FROM syncs s
        JOIN cuda_events e USING (report_id, process_id, context_id, event_sync_id, event_id)
        WHERE s.report_id = {traced.report_id}"""
    ).fetchall()
    waits = [r for r in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION") if r["eventId"] != 4294967295]
    records = {(r["globalPid"], r["eventSyncId"]) for r in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_CUDA_EVENT")}
    assert found == [(sum((w["globalPid"], w.get("eventSyncId")) in records for w in waits),) * 2]
