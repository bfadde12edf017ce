-- Intervals in which a GPU had nothing to run.
--
-- A GPU is busy while any operation of any process runs on it: kernels, copies, memsets, graph launches; waits are no
-- work. Its gaps and its busy time fill the capture [0, duration] without a rest:
--   lead_in   before the first operation: start-up, imports, CUDA initialisation
--   between   between two operations
--   tail      after the last operation, to the end of the capture
-- Not known: work of processes that were not traced. A report that does not say how long it recorded has no tail
-- (is_tail_known); a GPU without any operation has no gaps at all (gpu_busy tells).
--
-- @version 1
-- @grain   report_id, gap_id
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gap_id         BIGINT  id    Gap, unique within the report, counted by GPU and time.
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU that was idle.
-- @column  position       VARCHAR text  lead_in, between or tail.
-- @column  start_ns       BIGINT  ns    Start of the gap.
-- @column  end_ns         BIGINT  ns    End of the gap.
-- @column  dur_ns         BIGINT  ns    Length of the gap.
-- @column  previous_op_id BIGINT  id(gpu_ops.op_id) Operation that ended when it began (of several the last by number); NULL for lead_in.
-- @column  previous_op    VARCHAR text  Name of that operation.
-- @column  next_op_id     BIGINT  id(gpu_ops.op_id) Operation that ended it (of several the first by number); NULL for tail.
-- @column  next_op        VARCHAR text  Name of that operation.
-- @column  is_tail_known  BOOLEAN bool  The report says how long it recorded, so the GPU's tail can be known.
-- @order   dur_ns DESC
-- @assert  dur_ns > 0
-- @assert  end_ns = start_ns + dur_ns
-- @assert  position IN ('lead_in', 'between', 'tail')
-- @example SELECT gpu_id, position, count(*) AS gap_count, sum(dur_ns) AS idle_ns FROM gaps GROUP BY ALL
WITH rows AS (
    SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM gpu_ops
),

edges AS (
    SELECT report_id, gpu_id, min(start_ns) AS first_start_ns, max(end_ns) AS last_end_ns
    FROM gpu_ops
    GROUP BY report_id, gpu_id
),

idle AS (
    SELECT report_id, track_id AS gpu_id, 'between' AS position, start_ns, end_ns FROM interval_gaps('rows')
    UNION ALL
    SELECT report_id, gpu_id, 'lead_in', 0, first_start_ns FROM edges
    UNION ALL
    SELECT e.report_id, e.gpu_id, 'tail', e.last_end_ns, r.duration_ns
    FROM edges AS e
    INNER JOIN reports AS r USING (report_id)
),

enders AS (
    SELECT report_id, gpu_id, end_ns, max(op_id) AS op_id, arg_max(name, op_id) AS name
    FROM gpu_ops
    GROUP BY report_id, gpu_id, end_ns
),

starters AS (
    SELECT report_id, gpu_id, start_ns, min(op_id) AS op_id, arg_min(name, op_id) AS name
    FROM gpu_ops
    GROUP BY report_id, gpu_id, start_ns
)

SELECT
    i.report_id,
    row_number() OVER (PARTITION BY i.report_id ORDER BY i.gpu_id, i.start_ns) AS gap_id,
    i.gpu_id,
    i.position,
    i.start_ns,
    i.end_ns,
    i.end_ns - i.start_ns AS dur_ns,
    e.op_id AS previous_op_id,
    e.name AS previous_op,
    s.op_id AS next_op_id,
    s.name AS next_op,
    r.duration_ns IS NOT NULL AS is_tail_known
FROM idle AS i
INNER JOIN reports AS r USING (report_id)
LEFT JOIN enders AS e
    ON e.report_id = i.report_id AND e.gpu_id = i.gpu_id AND e.end_ns = i.start_ns AND i.position <> 'lead_in'
LEFT JOIN starters AS s
    ON s.report_id = i.report_id AND s.gpu_id = i.gpu_id AND s.start_ns = i.end_ns AND i.position <> 'tail'
WHERE i.end_ns > i.start_ns
