-- Stretches in which a GPU was busy without a pause.
--
-- The union of all operations of all processes on the GPU; operations that touch or overlap are one stretch. Between two
-- of them lies a gap (gaps). busy_before_ns makes "how busy was the GPU from a to b" two lookups: the stretch that began
-- last before a, and the one that began last before b. Computed once per report: every question about idle and busy time
-- starts here.
--
-- @version 1
-- @kind    table
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
-- @example SELECT gpu_id, count(*) AS island_count, sum(dur_ns) AS busy_ns FROM busy_islands GROUP BY ALL
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
    row_number() OVER earlier AS island,
    i.start_ns,
    i.end_ns,
    i.end_ns - i.start_ns AS dur_ns,
    CAST(sum(i.end_ns - i.start_ns) OVER earlier - (i.end_ns - i.start_ns) AS BIGINT) AS busy_before_ns,
    i.op_count,
    s.op_id AS first_op_id,
    s.name AS first_op,
    e.op_id AS last_op_id,
    e.name AS last_op
FROM islands AS i
INNER JOIN starters AS s ON s.report_id = i.report_id AND s.gpu_id = i.gpu_id AND s.start_ns = i.start_ns
INNER JOIN enders AS e ON e.report_id = i.report_id AND e.gpu_id = i.gpu_id AND e.end_ns = i.end_ns
WINDOW earlier AS (PARTITION BY i.report_id, i.gpu_id ORDER BY i.start_ns ROWS UNBOUNDED PRECEDING)
