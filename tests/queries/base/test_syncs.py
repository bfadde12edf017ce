"""syncs: the kind of a wait by what it names, the GPU by its context."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

SYNCS = "raw.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"
HEADER = "report_id,_rowid,globalPid,deviceId,contextId,streamId,eventId,eventSyncId,start,end,correlationId,syncType\n"
NONE = 4294967295


@pytest.mark.parametrize(
    ("stream", "event", "event_sync", "expect"),
    [
        pytest.param(NONE, NONE, NONE, "context,,,", id="context"),
        pytest.param(7, NONE, 0, "stream,7,,", id="stream"),
        pytest.param(NONE, 19, 3, "event,,19,3", id="event"),
        pytest.param(0, 19, 3, "stream_wait_event,0,19,3", id="stream waits for event"),
        pytest.param(7, 19, "", "stream_wait_event,7,19,", id="no number of the record (2023.4)"),
    ],
)
@pytest.mark.parametrize("sync_type", [1, 2, 3])
def test_kind_is_never_the_recorded_type(stream: int, event: int, event_sync: int, expect: str, sync_type: int) -> None:
    check(
        rows={SYNCS: f"{HEADER}1,1,9,0,1,{stream},{event},{event_sync},10,25,0,{sync_type}"},
        query="SELECT kind, stream_id, event_id, event_sync_id, dur_ns, correlation_id FROM syncs",
        expect=f"kind,stream_id,event_id,event_sync_id,dur_ns,correlation_id\n{expect},15,",
    )


def test_the_gpu_is_that_of_the_context_whatever_device_the_row_says() -> None:
    process = (1 << 48) + (77 << 24)
    check(
        rows={
            SYNCS: f"{HEADER}1,1,{process},0,1,7,{NONE},,10,25,5,3\n1,2,{process},0,2,7,{NONE},,10,25,6,3\n1,3,{process},0,3,7,{NONE},,1,2,7,3",
            "raw.TARGET_INFO_CUDA_CONTEXT_INFO": "report_id,hwId,vmId,processId,contextId,deviceId\n1,0,1,77,1,2",
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": f"report_id,_rowid,globalPid,deviceId,contextId\n1,1,{process},3,2",
        },
        query="SELECT sync_id, device_id, gpu_id FROM syncs ORDER BY ALL",
        expect="sync_id,device_id,gpu_id\n1,2,0\n2,3,1\n3,,",
    )


@each_export(
    "mpi_openacc_4proc", "nccl_payload_2026_2", "gpu_metrics_a100", "jetson_2024_5", "cudf_2020", "lanl_2021_5", "um_faults"
)
def test_equals_the_names_of_the_calls(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    calls: dict[tuple[int, int], set[str]] = {}
    for r in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_RUNTIME"):
        calls.setdefault((r["globalTid"] >> 24, r["correlationId"]), set()).add(texts[r["nameId"]])
    devices = {(r["globalPid"], r["contextId"]): r["deviceId"] for r in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_KERNEL")}
    syncs = {r["_rowid"]: r for r in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION")}
    words = {
        "context": ("DeviceSync", "CtxSync", "ThreadSync"),
        "stream": ("StreamSync", "Memcpy", "Memset", "StreamQuery"),
        "event": ("EventSync", "EventQuery"),
        "stream_wait_event": ("WaitEvent",),
    }
    rows = traced.rows("syncs", "sync_id, kind, process_id, context_id, device_id, start_ns, end_ns, correlation_id")
    assert len(rows) == len(syncs)
    for sync_id, kind, process, context, device, start, end, correlation in rows:
        source = syncs[sync_id]
        assert (process, context, start, end) == tuple(source[c] for c in ("globalPid", "contextId", "start", "end"))
        assert device == devices.get((process, context), device)
        names = calls.get((process >> 24, correlation))
        assert names is None or any(w in n for n in names for w in words[kind]), (kind, names)
