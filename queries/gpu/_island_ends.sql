-- The operations that ended the stretches of several operations in busy_islands.
--
-- @version 1
-- @grain   report_id, gpu_id, island
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU.
-- @column  island         BIGINT  id    Stretch.
-- @column  last_op_id     BIGINT  id(gpu_ops.op_id) Operation that ended it (of several the last by number).
-- @column  last_op        VARCHAR text  Name of that operation.
SELECT i.report_id, i.gpu_id, i.island, max(o.op_id) AS last_op_id, arg_max(o.name, o.op_id) AS last_op
FROM (SELECT report_id, gpu_id, op_id, name, end_ns FROM gpu_ops) AS o
INNER JOIN (FROM _busy_islands WHERE op_count > 1) AS i
    ON i.report_id = o.report_id AND i.gpu_id = o.gpu_id AND i.start_ns + i.dur_ns = o.end_ns
GROUP BY i.report_id, i.gpu_id, i.island
