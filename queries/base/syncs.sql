-- Waits of the host for the GPU: for a context, a stream or an event; and waits of a stream for an event.
--
-- A wait is no work of the GPU, and it is the same wait as the API call with its correlation id: count one of the two. The
-- kind is told by what the wait names, since the recorded type of wait means another thing in every few versions of nsys:
-- neither stream nor event is a wait for the whole context, both are a stream that waits for an event (the call that asks
-- for it returns at once).
--
-- @version 1
-- @grain   report_id, sync_id
-- @source  CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
-- @trace   CAPTURE_EVENT_TYPE=Cuda --trace=cuda
-- @column  report_id        INTEGER id   Report the row belongs to.
-- @column  sync_id          BIGINT  id   Wait, unique within the report.
-- @column  kind             VARCHAR text context, stream, event or stream_wait_event.
-- @column  process_id       BIGINT  id   Process that waits; 0 if not recorded.
-- @column  gpu_id           INTEGER id(gpus.gpu_id) GPU of the context; NULL if nothing tells.
-- @column  device_id        INTEGER id   CUDA device number of the context; NULL if nothing tells.
-- @column  context_id       BIGINT  id   CUDA context, unique only within its process.
-- @column  green_context_id BIGINT  id   Green context; NULL for none.
-- @column  stream_id        BIGINT  id   Stream that is waited for, or that waits for the event; NULL for the other kinds.
-- @column  event_id         BIGINT  id   CUDA event that is waited for; NULL for the other kinds. Every record of it reuses the number.
-- @column  event_sync_id    BIGINT  id   The one record of the event that is waited for; NULL if not recorded.
-- @column  start_ns         BIGINT  ns   Start on the report's time axis.
-- @column  end_ns           BIGINT  ns   End on the report's time axis.
-- @column  dur_ns           BIGINT  ns   end_ns - start_ns.
-- @column  correlation_id   BIGINT  id   Number shared with the API call, unique only within the process; NULL for none.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  (stream_id IS NULL) = (kind IN ('context', 'event'))
-- @assert  (event_id IS NULL) = (kind IN ('context', 'stream'))
-- @example SELECT kind, count(*) AS sync_count, sum(dur_ns) AS dur_ns FROM syncs GROUP BY ALL
SELECT
    s.report_id,
    s._rowid AS sync_id,
    CASE
        WHEN s.stream_id IS NULL AND s.event_id IS NULL THEN 'context'
        WHEN s.event_id IS NULL THEN 'stream'
        WHEN s.stream_id IS NULL THEN 'event'
        ELSE 'stream_wait_event'
    END AS kind,
    s.process_id,
    c.gpu_id,
    c.device_id,
    s.contextId AS context_id,
    nullif(s.greenContextId, 0) AS green_context_id,
    s.stream_id,
    s.event_id,
    CASE WHEN s.event_id IS NOT NULL AND s.eventSyncId NOT IN (0, 4294967295) THEN s.eventSyncId END AS event_sync_id,
    s.start AS start_ns,
    s.end AS end_ns,
    s.end - s.start AS dur_ns,
    nullif(s.correlationId, 0) AS correlation_id
FROM (
    SELECT
        *,
        coalesce(globalPid, 0) AS process_id,
        nullif(streamId, 4294967295) AS stream_id,
        nullif(eventId, 4294967295) AS event_id
    FROM raw.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
) AS s
LEFT JOIN _context_gpus AS c
    ON c.report_id = s.report_id AND c.process_id = s.process_id AND c.context_id = s.contextId
