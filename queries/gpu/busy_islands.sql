-- Stretches in which a GPU was busy without a pause.
--
-- The union of all operations of all processes on the GPU; operations that touch or overlap are one stretch. Between two
-- of them lies a gap (gaps). busy_before_ns makes "how busy was the GPU from a to b" two lookups: the stretch that began
-- last before a, and the one that began last before b. Every question about idle and busy time starts here.
--
-- @version 1
-- @grain   report_id, gpu_id, island
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU.
-- @column  island         BIGINT  id    Stretch, counted from 1 by time.
-- @column  start_ns       BIGINT  ns    Start of its first operation.
-- @column  end_ns         BIGINT  ns    End of its last operation.
-- @column  dur_ns         BIGINT  ns    end_ns - start_ns.
-- @column  busy_before_ns BIGINT  ns    Busy time of the GPU before this stretch.
-- @column  op_count       BIGINT  count Operations in it.
-- @column  first_op_id    BIGINT  id(gpu_ops.op_id) Operation that began it (of several the first by number).
-- @column  first_op       VARCHAR text  Name of that operation.
-- @column  last_op_id     BIGINT  id(gpu_ops.op_id) Operation that ended it (of several the last by number).
-- @column  last_op        VARCHAR text  Name of that operation.
-- @order   report_id, gpu_id, island
-- @assert  dur_ns >= 0
-- @assert  op_count >= 1
-- @assert  end_ns = start_ns + dur_ns
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT gpu_id, count(*) AS island_count, sum(dur_ns) AS busy_ns FROM busy_islands GROUP BY ALL
SELECT
    b.report_id,
    b.gpu_id,
    b.island,
    b.start_ns,
    b.start_ns + b.dur_ns AS end_ns,
    b.dur_ns,
    CAST(sum(b.dur_ns) OVER (
        PARTITION BY b.report_id, b.gpu_id ORDER BY b.island ROWS UNBOUNDED PRECEDING) - b.dur_ns AS BIGINT) AS busy_before_ns,
    b.op_count,
    b.first_op_id,
    b.first_op,
    coalesce(e.last_op_id, b.first_op_id) AS last_op_id,
    CASE WHEN e.last_op_id IS NULL THEN b.first_op ELSE e.last_op END AS last_op
FROM _busy_islands AS b
LEFT JOIN _island_ends AS e ON e.report_id = b.report_id AND e.gpu_id = b.gpu_id AND e.island = b.island
