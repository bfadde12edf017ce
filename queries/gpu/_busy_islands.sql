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
    SELECT
        report_id, track_id AS gpu_id, start_ns, end_ns, interval_count AS op_count,
        row_number() OVER (PARTITION BY report_id, track_id ORDER BY start_ns) AS island
    FROM interval_union('rows')
),

-- Names are looked up at the end: a group for every time would keep a copy of its own.
starters AS (
    SELECT report_id, gpu_id, start_ns, min(op_id) AS op_id FROM gpu_ops GROUP BY report_id, gpu_id, start_ns
),

enders AS (
    SELECT report_id, gpu_id, end_ns, max(op_id) AS op_id FROM gpu_ops GROUP BY report_id, gpu_id, end_ns
),

bounded AS (
    SELECT
        i.report_id, i.gpu_id, i.island, i.start_ns, i.end_ns, i.op_count, s.op_id AS first_op_id,
        CASE WHEN e.op_id <> s.op_id THEN e.op_id END AS last_op_id
    FROM islands AS i
    INNER JOIN starters AS s ON s.report_id = i.report_id AND s.gpu_id = i.gpu_id AND s.start_ns = i.start_ns
    INNER JOIN enders AS e ON e.report_id = i.report_id AND e.gpu_id = i.gpu_id AND e.end_ns = i.end_ns
)

SELECT
    b.report_id,
    b.gpu_id,
    b.island,
    b.start_ns,
    b.end_ns - b.start_ns AS dur_ns,
    b.op_count,
    b.first_op_id,
    f.name AS first_op,
    b.last_op_id,
    l.name AS last_op
FROM bounded AS b
INNER JOIN gpu_ops AS f ON f.report_id = b.report_id AND f.op_id = b.first_op_id
LEFT JOIN gpu_ops AS l ON l.report_id = b.report_id AND l.op_id = b.last_op_id
