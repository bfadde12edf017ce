-- Stretches in which a GPU was busy without a pause, as they are stored.
--
-- The concept stands in busy_islands. Computed once per report: every question about idle and busy time starts here.
--
-- @version 1
-- @kind    table
-- @grain   report_id, gpu_id, island
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU.
-- @column  island         BIGINT  id    Stretch, counted from 1 by time.
-- @column  start_ns       BIGINT  ns    Start of its first operation.
-- @column  dur_ns         BIGINT  ns    Length.
-- @column  op_count       BIGINT  count Operations in it.
-- @column  first_op_id    BIGINT  id(gpu_ops.op_id) Operation that began it (of several the first by number).
-- @column  first_op       VARCHAR text  Name of that operation.
-- @column  last_op_id     BIGINT  id(gpu_ops.op_id) Operation that ended it (of several the last by number) if it is another one; else NULL.
-- @column  last_op        VARCHAR text  Name of that operation; NULL if it is the same one.
WITH rows AS (
    SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM gpu_ops
),

islands AS (
    SELECT report_id, track_id AS gpu_id, start_ns, end_ns, interval_count AS op_count
    FROM interval_union('rows')
),

starters AS (
    SELECT report_id, gpu_id, start_ns, min(op_id) AS op_id, arg_min(name, op_id) AS name
    FROM gpu_ops
    GROUP BY report_id, gpu_id, start_ns
),

enders AS (
    SELECT report_id, gpu_id, end_ns, max(op_id) AS op_id, arg_max(name, op_id) AS name
    FROM gpu_ops
    GROUP BY report_id, gpu_id, end_ns
)

SELECT
    i.report_id,
    i.gpu_id,
    row_number() OVER (PARTITION BY i.report_id, i.gpu_id ORDER BY i.start_ns) AS island,
    i.start_ns,
    i.end_ns - i.start_ns AS dur_ns,
    i.op_count,
    s.op_id AS first_op_id,
    s.name AS first_op,
    CASE WHEN e.op_id <> s.op_id THEN e.op_id END AS last_op_id,
    CASE WHEN e.op_id <> s.op_id THEN e.name END AS last_op
FROM islands AS i
INNER JOIN starters AS s ON s.report_id = i.report_id AND s.gpu_id = i.gpu_id AND s.start_ns = i.start_ns
INNER JOIN enders AS e ON e.report_id = i.report_id AND e.gpu_id = i.gpu_id AND e.end_ns = i.end_ns
