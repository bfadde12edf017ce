-- What NVIDIA's rules about idle GPUs take for busy, by process and CUDA device.
--
-- Kernels, copies and memsets, but for those at time 0 or before, and three kinds of the profiler's own work (data flush,
-- stop and overhead of CUDA profiling) if they lie between the first and the last operation: these count on every device of
-- their process. Launches of whole CUDA graphs are not looked at.
--
-- @version 1
-- @needs   any of kernels, memcpys, memsets
-- @grain   report_id, op_id, overhead_id, device_id
-- @column  report_id   INTEGER id Report the row belongs to.
-- @column  op_id       BIGINT  id Operation; NULL for the profiler's work.
-- @column  overhead_id BIGINT  id The profiler's work; NULL for an operation.
-- @column  process_id  BIGINT  id Process.
-- @column  device_id   INTEGER id CUDA device number in that process.
-- @column  context_id  BIGINT  id CUDA context, 0 for a migration; for the profiler's work that of the last operation.
-- @column  start_ns    BIGINT  ns Start.
-- @column  end_ns      BIGINT  ns End.
WITH ops AS (
    SELECT report_id, op_id, process_id, device_id, context_id, start_ns, end_ns
    FROM kernels
    WHERE start_ns > 0
    UNION ALL
    SELECT report_id, op_id, process_id, device_id, coalesce(context_id, 0), start_ns, end_ns
    FROM memcpys
    WHERE start_ns > 0
    UNION ALL
    SELECT report_id, op_id, process_id, device_id, context_id, start_ns, end_ns
    FROM memsets
    WHERE start_ns > 0
),

devices AS (
    SELECT
        report_id, process_id, device_id,
        min(start_ns) AS first_start_ns,
        max(end_ns) AS last_end_ns,
        arg_max(context_id, end_ns) AS last_context_id
    FROM ops
    GROUP BY ALL
)

SELECT report_id, op_id, NULL AS overhead_id, process_id, device_id, context_id, start_ns, end_ns
FROM ops
UNION ALL
SELECT d.report_id, NULL, o.overhead_id, d.process_id, d.device_id, d.last_context_id, o.start_ns, o.end_ns
FROM overheads AS o
INNER JOIN devices AS d USING (report_id, process_id)
WHERE
    o.name IN ('CUDA profiling data flush overhead', 'CUDA profiling stop overhead', 'CUDA profiling overhead')
    AND o.start_ns > d.first_start_ns AND o.end_ns < d.last_end_ns
