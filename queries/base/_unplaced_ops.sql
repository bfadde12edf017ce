-- GPU work that cannot be placed: without a start, an end or a device it is in no relation that stands on gpu_ops.
--
-- @version 1
-- @grain   report_id, kind
-- @column  report_id INTEGER id    Report the row belongs to.
-- @column  kind      VARCHAR text  kernel, memcpy, memset or graph_launch, as in gpu_ops.
-- @column  op_count  BIGINT  count Operations.
-- @column  message   VARCHAR text  What to tell of them beside rows that lack them.
WITH ops AS (
    SELECT report_id, 'kernel' AS kind, 'kernels' AS kinds, start, "end", deviceId FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
    UNION ALL
    SELECT report_id, 'memcpy', 'memcpys', start, "end", deviceId FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY
    UNION ALL
    SELECT report_id, 'memset', 'memsets', start, "end", deviceId FROM raw.CUPTI_ACTIVITY_KIND_MEMSET
    UNION ALL
    SELECT report_id, 'graph_launch', 'graph launches', start_ns, end_ns, device_id FROM graph_launches WHERE NOT is_expanded
)

SELECT
    report_id, kind, count(*) AS op_count,
    format('{} {} without a start, an end or a device are left out', count(*), any_value(kinds)) AS message
FROM ops
WHERE start IS NULL OR "end" IS NULL OR TRY_CAST(deviceId AS INTEGER) IS NULL
GROUP BY report_id, kind
