-- CUDA contexts of each process.
--
-- A context number is unique only within its process.
--
-- @version 1
-- @grain   report_id, process_id, context_id
-- @column  report_id         INTEGER id   Report the row belongs to.
-- @column  process_id        BIGINT  id   Process that made the context.
-- @column  context_id        BIGINT  id   Context, unique only within its process.
-- @column  device_id         INTEGER id   CUDA device number in that process.
-- @column  gpu_id            INTEGER id(gpus.gpu_id) GPU of the context.
-- @column  null_stream_id    BIGINT  id   Stream of the context that is used when none is named.
-- @column  parent_context_id BIGINT  id   Context that a green context was made from; NULL for others.
-- @column  is_green          BOOLEAN bool A green context: it owns a part of the GPU; NULL if not recorded.
-- @order   report_id, process_id, context_id
-- @example SELECT process_id, context_id, gpu_id FROM contexts
SELECT
    c.report_id,
    _process_id(c.hwId, c.vmId, c.processId) AS process_id,
    c.contextId AS context_id,
    TRY_CAST(c.deviceId AS INTEGER) AS device_id,
    d.gpu_id,
    c.nullStreamId AS null_stream_id,
    nullif(c.parentContextId, 0) AS parent_context_id,
    c.isGreenContext <> 0 AS is_green
FROM raw.TARGET_INFO_CUDA_CONTEXT_INFO AS c
LEFT JOIN _device_gpus AS d
    ON d.report_id = c.report_id
    AND d.process_id = _process_id(c.hwId, c.vmId, c.processId)
    AND d.device_id = c.deviceId
QUALIFY row_number() OVER (
    PARTITION BY c.report_id, c.hwId, c.vmId, c.processId, c.contextId ORDER BY c.deviceId) = 1
