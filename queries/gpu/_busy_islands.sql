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
WITH marked AS (
    SELECT
        report_id, gpu_id, op_id, start_ns, end_ns,
        coalesce(start_ns > max(end_ns) OVER (
            PARTITION BY report_id, gpu_id ORDER BY start_ns, op_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), TRUE)
            AS is_first
    FROM gpu_ops
),

numbered AS MATERIALIZED (
    SELECT
        report_id, gpu_id, op_id, start_ns, end_ns, is_first,
        CAST(sum(CASE WHEN is_first THEN 1 ELSE 0 END) OVER (
            PARTITION BY report_id, gpu_id ORDER BY start_ns, op_id ROWS UNBOUNDED PRECEDING) AS BIGINT) AS island
    FROM marked
),

further AS (
    SELECT report_id, gpu_id, island, max(end_ns) AS end_ns, count(*) AS op_count
    FROM numbered
    WHERE NOT is_first
    GROUP BY report_id, gpu_id, island
),

islands AS (
    SELECT
        n.report_id, n.gpu_id, n.island, n.op_id, n.start_ns,
        greatest(n.end_ns, f.end_ns) AS end_ns, 1 + coalesce(f.op_count, 0) AS op_count
    FROM numbered AS n
    LEFT JOIN further AS f ON f.report_id = n.report_id AND f.gpu_id = n.gpu_id AND f.island = n.island
    WHERE n.is_first
),

-- Of the operations that end with the island the last by number; mostly there is but the first.
enders AS (
    SELECT n.report_id, n.gpu_id, n.island, max(n.op_id) AS op_id
    FROM numbered AS n
    INNER JOIN (FROM islands WHERE op_count > 1) AS i
        ON i.report_id = n.report_id AND i.gpu_id = n.gpu_id AND i.island = n.island AND i.end_ns = n.end_ns
    GROUP BY n.report_id, n.gpu_id, n.island
),

names AS (
    SELECT report_id, op_id, name FROM gpu_ops
)

SELECT
    i.report_id,
    i.gpu_id,
    i.island,
    i.start_ns,
    i.end_ns - i.start_ns AS dur_ns,
    i.op_count,
    i.op_id AS first_op_id,
    s.name AS first_op,
    CASE WHEN e.op_id <> i.op_id THEN e.op_id END AS last_op_id,
    CASE WHEN e.op_id <> i.op_id THEN x.name END AS last_op
FROM islands AS i
INNER JOIN names AS s ON s.report_id = i.report_id AND s.op_id = i.op_id
LEFT JOIN enders AS e ON e.report_id = i.report_id AND e.gpu_id = i.gpu_id AND e.island = i.island
LEFT JOIN names AS x ON x.report_id = e.report_id AND x.op_id = e.op_id
