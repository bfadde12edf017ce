-- Device and GPU of each CUDA context, of those that the report lists and of those that only operations mention.
--
-- Waits and event records bear a device number of their own, but most versions of nsys write 0 there whatever the device.
--
-- @version 1
-- @grain   report_id, process_id, context_id
-- @column  report_id  INTEGER id Report the row belongs to.
-- @column  process_id BIGINT  id Process that made the context; 0 if not recorded.
-- @column  context_id BIGINT  id Context, unique only within its process.
-- @column  device_id  INTEGER id CUDA device number in that process.
-- @column  gpu_id     INTEGER id(gpus.gpu_id) GPU of the context.
WITH seen AS (
    SELECT report_id, _process_id(hwId, vmId, processId) AS process_id, contextId, deviceId
    FROM raw.TARGET_INFO_CUDA_CONTEXT_INFO
    UNION
    SELECT report_id, coalesce(globalPid, 0), contextId, deviceId FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
    UNION
    SELECT report_id, coalesce(globalPid, 0), contextId, deviceId FROM raw.CUPTI_ACTIVITY_KIND_MEMSET
    UNION
    SELECT report_id, coalesce(globalPid, 0), contextId, deviceId
    FROM raw.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
    WHERE deviceId <> 2147483647
    UNION
    SELECT report_id, coalesce(globalPid, 0), contextId, deviceId
    FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY
    WHERE copyKind NOT BETWEEN 11 AND 13
),

contexts_seen AS (
    SELECT report_id, process_id, contextId AS context_id, min(deviceId) AS device_id
    FROM seen
    WHERE contextId IS NOT NULL
    GROUP BY ALL
)

SELECT c.report_id, c.process_id, c.context_id, TRY_CAST(c.device_id AS INTEGER) AS device_id, d.gpu_id
FROM contexts_seen AS c
LEFT JOIN _device_gpus AS d USING (report_id, process_id, device_id)
