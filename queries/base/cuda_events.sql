-- Records of CUDA events: the points in a stream that waits and timings refer to.
--
-- An event is recorded again and again under the same number; event_sync_id names one record, and a wait for it (syncs)
-- bears the same number. A record inside a CUDA graph has no row.
--
-- @version 1
-- @grain   report_id, record_id
-- @source  CUPTI_ACTIVITY_KIND_CUDA_EVENT
-- @trace   CAPTURE_EVENT_TYPE=Cuda --trace=cuda
-- @column  report_id        INTEGER id Report the row belongs to.
-- @column  record_id        BIGINT  id Record, unique within the report.
-- @column  process_id       BIGINT  id Process that recorded it; 0 if not known.
-- @column  gpu_id           INTEGER id(gpus.gpu_id) GPU of the context; NULL if nothing tells.
-- @column  device_id        INTEGER id CUDA device number of the context; NULL if nothing tells.
-- @column  context_id       BIGINT  id CUDA context, unique only within its process.
-- @column  green_context_id BIGINT  id Green context; NULL for none.
-- @column  stream_id        BIGINT  id Stream that the event was recorded in, unique only within its context.
-- @column  event_id         BIGINT  id CUDA event, unique only within its context.
-- @column  event_sync_id    BIGINT  id Number of this record; NULL if not recorded (nsys up to 2024).
-- @column  time_ns          BIGINT  ns When the GPU reached it; NULL if not collected.
-- @column  correlation_id   BIGINT  id Number shared with the API call, unique only within the process; NULL for none.
-- @order   report_id, record_id
-- @example SELECT stream_id, count(*) AS record_count FROM cuda_events GROUP BY ALL
SELECT
    e.report_id,
    e._rowid AS record_id,
    coalesce(e.globalPid, 0) AS process_id,
    c.gpu_id,
    c.device_id,
    e.contextId AS context_id,
    nullif(e.greenContextId, 0) AS green_context_id,
    e.streamId AS stream_id,
    e.eventId AS event_id,
    nullif(e.eventSyncId, 0) AS event_sync_id,
    nullif(e.timestamp, 0) AS time_ns,
    nullif(e.correlationId, 0) AS correlation_id
FROM raw.CUPTI_ACTIVITY_KIND_CUDA_EVENT AS e
LEFT JOIN _context_gpus AS c
    ON c.report_id = e.report_id AND c.process_id = coalesce(e.globalPid, 0) AND c.context_id = e.contextId
