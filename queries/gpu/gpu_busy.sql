-- How long each GPU was busy and idle, one row per GPU.
--
-- Busy is the union of all operations of all processes, so streams that overlap count once. busy_ns and idle_ns add up
-- to the capture, and idle_ns is the sum of the GPU's gaps. op_dur_ns is the plain sum of the operations' lengths: above
-- busy_ns where they overlap. A GPU that no process used has 0 operations, was idle for the whole capture, and has no gaps.
--
-- @version 1
-- @grain   report_id, gpu_id
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  gpu_id       INTEGER id(gpus.gpu_id) GPU.
-- @column  gpu_name     VARCHAR text  Product name; NULL if not recorded.
-- @column  op_count     BIGINT  count Operations on the GPU.
-- @column  process_count BIGINT count Processes that had operations on the GPU.
-- @column  busy_ns      BIGINT  ns    Time with at least one operation.
-- @column  busy_ratio   DOUBLE  ratio busy_ns of the capture; NULL if the capture's length is not recorded.
-- @column  active_ratio DOUBLE  ratio busy_ns of the time from the first start to the last end.
-- @column  op_dur_ns    BIGINT  ns    Sum of the operations' lengths.
-- @column  first_start_ns BIGINT ns   Start of the first operation; NULL without operations.
-- @column  last_end_ns  BIGINT  ns    End of the last operation; NULL without operations.
-- @column  lead_in_ns   BIGINT  ns    Idle before the first operation; NULL without operations.
-- @column  between_ns   BIGINT  ns    Idle between operations; NULL without operations.
-- @column  tail_ns      BIGINT  ns    Idle after the last operation; NULL without operations or if the capture's length is not recorded.
-- @column  idle_ns      BIGINT  ns    Idle in the whole capture; NULL if the capture's length is not recorded.
-- @column  capture_ns   BIGINT  ns    Length of the capture; NULL if not recorded.
-- @column  gap_count    BIGINT  count Gaps between operations.
-- @order   report_id, gpu_id
-- @assert  busy_ns <= op_dur_ns
-- @assert  busy_ratio BETWEEN 0 AND 1
-- @assert  active_ratio BETWEEN 0 AND 1
-- @assert  between_ns >= 0 AND busy_ns + between_ns = last_end_ns - first_start_ns
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT gpu_id, busy_ns, busy_ratio FROM gpu_busy
WITH busy AS (
    SELECT
        report_id,
        gpu_id,
        CAST(sum(dur_ns) AS BIGINT) AS busy_ns,
        count(*) - 1 AS gap_count,
        min(start_ns) AS first_start_ns,
        max(start_ns + dur_ns) AS last_end_ns
    FROM _busy_islands
    GROUP BY ALL
),

ops AS (
    SELECT
        report_id, gpu_id,
        count(*) AS op_count,
        count(DISTINCT process_id) AS process_count,
        CAST(sum(dur_ns) AS BIGINT) AS op_dur_ns
    FROM gpu_ops
    GROUP BY ALL
),

-- A GPU of which nothing was traced was not idle, it was not looked at.
traced AS (
    SELECT DISTINCT report_id
    FROM trace_states
    WHERE source IN ('kernels', 'memcpys', 'memsets', 'graph_launches') AND state IN ('recorded', 'none')
)

SELECT
    g.report_id,
    g.gpu_id,
    g.name AS gpu_name,
    coalesce(o.op_count, 0) AS op_count,
    coalesce(o.process_count, 0) AS process_count,
    coalesce(b.busy_ns, 0) AS busy_ns,
    coalesce(b.busy_ns, 0) / nullif(r.duration_ns, 0) AS busy_ratio,
    b.busy_ns / nullif(b.last_end_ns - b.first_start_ns, 0) AS active_ratio,
    coalesce(o.op_dur_ns, 0) AS op_dur_ns,
    b.first_start_ns,
    b.last_end_ns,
    CASE WHEN o.op_count > 0 THEN greatest(b.first_start_ns - r.start_ns, 0) END AS lead_in_ns,
    b.last_end_ns - b.first_start_ns - b.busy_ns AS between_ns,
    CASE WHEN o.op_count > 0 AND r.end_ns IS NOT NULL THEN greatest(r.end_ns - b.last_end_ns, 0) END AS tail_ns,
    r.duration_ns - coalesce(b.busy_ns, 0) AS idle_ns,
    r.duration_ns AS capture_ns,
    coalesce(b.gap_count, 0) AS gap_count
FROM gpus AS g
INNER JOIN traced AS t USING (report_id)
INNER JOIN _captures AS r USING (report_id)
LEFT JOIN ops AS o USING (report_id, gpu_id)
LEFT JOIN busy AS b USING (report_id, gpu_id)
