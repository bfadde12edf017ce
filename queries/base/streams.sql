-- CUDA streams, those that the export lists and those that only operations mention.
--
-- A stream number is unique only within its context, a context number only within its process: 17 in one process and
-- 17 in another are two streams. Migrations of unified memory run in no stream.
--
-- @version 1
-- @grain   report_id, process_id, context_id, stream_id
-- @column  report_id   INTEGER id    Report the row belongs to.
-- @column  process_id  BIGINT  id    Process of the stream; 0 if not recorded.
-- @column  context_id  BIGINT  id    CUDA context, unique only within its process.
-- @column  stream_id   BIGINT  id    CUDA stream, unique only within its context.
-- @column  device_id   INTEGER id    CUDA device number in that process.
-- @column  gpu_id      INTEGER id(gpus.gpu_id) GPU of the stream; NULL if no operation or context tells.
-- @column  kind        VARCHAR text  null (used when none is named), default, non_blocking or unknown; NULL if not listed.
-- @column  priority    INTEGER -     Priority; lower runs first; NULL if not listed.
-- @column  op_count    BIGINT  count GPU operations in the stream.
-- @order   report_id, process_id, context_id, stream_id
-- @assert  op_count >= 0
-- @example SELECT stream_id, kind, op_count FROM streams ORDER BY op_count DESC
WITH listed AS (
    SELECT
        report_id,
        _process_id(hwId, vmId, processId) AS process_id,
        contextId AS context_id,
        streamId AS stream_id,
        max(CASE flag WHEN 1 THEN 'default' WHEN 2 THEN 'non_blocking' WHEN 3 THEN 'null' ELSE 'unknown' END) AS kind,
        max(CASE WHEN priority > 2147483647 THEN priority - 4294967296 ELSE priority END) AS priority
    FROM raw.TARGET_INFO_CUDA_STREAM
    GROUP BY ALL
),

used AS (
    SELECT
        report_id, process_id, context_id, stream_id,
        min(device_id) AS device_id,
        min(gpu_id) AS gpu_id,
        count(*) AS op_count
    FROM gpu_ops
    WHERE stream_id IS NOT NULL
    GROUP BY ALL
)

SELECT
    report_id,
    process_id,
    context_id,
    stream_id,
    coalesce(u.device_id, c.device_id) AS device_id,
    coalesce(u.gpu_id, c.gpu_id) AS gpu_id,
    coalesce(l.kind, CASE WHEN c.null_stream_id = stream_id THEN 'null' END) AS kind,
    TRY_CAST(l.priority AS INTEGER) AS priority,
    coalesce(u.op_count, 0) AS op_count
FROM listed AS l
FULL JOIN used AS u USING (report_id, process_id, context_id, stream_id)
LEFT JOIN contexts AS c USING (report_id, process_id, context_id)
