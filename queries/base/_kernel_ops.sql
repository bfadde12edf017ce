-- Kernels as operations of a GPU, without their full names and sizes, which take half of the time of kernels.
--
-- @version 1
-- @grain   report_id, op_id
-- @column  report_id        INTEGER id   Report the row belongs to.
-- @column  op_id            BIGINT  id   Kernel.
-- @column  process_id       BIGINT  id   Process that launched it.
-- @column  gpu_id           INTEGER id   GPU that it ran on; NULL if its device is not known.
-- @column  device_id        INTEGER id   CUDA device number in the process.
-- @column  context_id       BIGINT  id   CUDA context.
-- @column  green_context_id BIGINT  id   Green context; NULL for none.
-- @column  stream_id        BIGINT  id   CUDA stream.
-- @column  start_ns         BIGINT  ns   Start.
-- @column  end_ns           BIGINT  ns   End.
-- @column  correlation_id   BIGINT  id   Number shared with the API call; NULL for none.
-- @column  dur_ns           BIGINT  ns   end_ns - start_ns.
-- @column  short_name       VARCHAR text Name without parameters.
-- @column  name_id          BIGINT  id   Number of its full name.
-- @column  graph_node_id    BIGINT  id   Node of a CUDA graph; NULL if it is of none.
SELECT
    k.report_id,
    k._rowid * 8 AS op_id,
    coalesce(k.globalPid, 0) AS process_id,
    d.gpu_id,
    TRY_CAST(k.deviceId AS INTEGER) AS device_id,
    k.contextId AS context_id,
    nullif(k.greenContextId, 0) AS green_context_id,
    k.streamId AS stream_id,
    k.start AS start_ns,
    k.end AS end_ns,
    nullif(k.correlationId, 0) AS correlation_id,
    k.end - k.start AS dur_ns,
    short.value AS short_name,
    coalesce(k.demangledName, k.shortName) AS name_id,
    k.graphNodeId AS graph_node_id
FROM raw.CUPTI_ACTIVITY_KIND_KERNEL AS k
LEFT JOIN _device_gpus AS d
    ON d.report_id = k.report_id AND d.process_id = coalesce(k.globalPid, 0) AND d.device_id = k.deviceId
LEFT JOIN raw.StringIds AS short ON short.report_id = k.report_id AND short.id = k.shortName
