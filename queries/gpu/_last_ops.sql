-- The operation that ended last on each GPU.
--
-- @version 1
-- @grain   report_id, gpu_id
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU.
-- @column  op_id          BIGINT  id(gpu_ops.op_id) Operation (of several the last by number).
SELECT o.report_id, o.gpu_id, max(o.op_id) AS op_id
FROM (SELECT report_id, gpu_id, op_id, end_ns FROM gpu_ops) AS o
INNER JOIN (SELECT report_id, gpu_id, max(start_ns + dur_ns) AS end_ns FROM _busy_islands GROUP BY report_id, gpu_id) AS l
    ON l.report_id = o.report_id AND l.gpu_id = o.gpu_id AND l.end_ns = o.end_ns
GROUP BY o.report_id, o.gpu_id
