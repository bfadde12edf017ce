-- From one kernel to the next in a stream: launch gaps, and overlaps told apart.
--
-- One row for every kernel but the first of its stream, ordered by start. gap_ns runs from the end of the kernel before
-- to the start of this one. Negative is legal: a dependent launch may start before its predecessor in the stream ends
-- (is_overlap). Copies and memsets between the two are not looked at; for time in which the GPU had nothing at all to
-- run see gaps. A stream is a stream of one context of one process.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   kernels
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  op_id          BIGINT  id(kernels.op_id) Kernel after the gap.
-- @column  previous_op_id BIGINT  id(kernels.op_id) Kernel before the gap.
-- @column  process_id     BIGINT  id    Process of the stream.
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU of the stream.
-- @column  context_id     BIGINT  id    CUDA context, unique only within its process.
-- @column  green_context_id BIGINT id   Green context; NULL for none.
-- @column  stream_id      BIGINT  id    CUDA stream, unique only within its context.
-- @column  previous_name  VARCHAR text  Short name of the kernel before.
-- @column  name           VARCHAR text  Short name of the kernel after.
-- @column  start_ns       BIGINT  ns    End of the kernel before.
-- @column  end_ns         BIGINT  ns    Start of the kernel after.
-- @column  gap_ns         BIGINT  ns    end_ns - start_ns; negative for an overlap.
-- @column  is_overlap     BOOLEAN bool  The kernel started before its predecessor ended.
-- @order   gap_ns DESC
-- @assert  end_ns = start_ns + gap_ns
-- @assert  is_overlap = (gap_ns < 0)
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not broken down into kernels: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT stream_id, is_overlap, count(*) AS gap_count, sum(gap_ns) AS gap_ns FROM kernel_gaps GROUP BY ALL
WITH ordered AS (
    SELECT
        report_id, op_id, process_id, gpu_id, context_id, green_context_id, stream_id, short_name, start_ns,
        lag(op_id) OVER stream AS previous_op_id,
        lag(short_name) OVER stream AS previous_name,
        lag(end_ns) OVER stream AS previous_end_ns
    FROM kernels
    WINDOW stream AS (
        PARTITION BY report_id, process_id, gpu_id, context_id, green_context_id, stream_id
        ORDER BY start_ns, end_ns, op_id)
)

SELECT
    report_id,
    op_id,
    previous_op_id,
    process_id,
    gpu_id,
    context_id,
    green_context_id,
    stream_id,
    previous_name,
    short_name AS name,
    previous_end_ns AS start_ns,
    start_ns AS end_ns,
    start_ns - previous_end_ns AS gap_ns,
    start_ns < previous_end_ns AS is_overlap
FROM ordered
WHERE previous_op_id IS NOT NULL
