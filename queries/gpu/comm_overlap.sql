-- How much of each GPU's communication was hidden behind compute, one row per GPU that communicated.
--
-- Communication are the kernels of NCCL, NVSHMEM, DeepEP and of custom all-reduces: collectives, send and receive. Compute
-- are all other kernels. Both times are unions over all processes and streams. Communication that runs while no compute
-- does is exposed: the program takes longer for it.
--
-- A collective begins when its own GPU gets to it and ends when all have done their part. So its time, and with it the
-- exposed time, includes waiting for GPUs that come later: long exposed communication may mean a slow rank, not a slow link.
-- Copies between GPUs are not counted (copy_compute_overlap_by_direction has them, as PtoP). A launch of a graph that was
-- traced as a whole counts as compute; collectives inside it are not seen.
--
-- @version 1
-- @grain   report_id, gpu_id
-- @needs   kernels
-- @column  report_id     INTEGER id    Report the row belongs to.
-- @column  gpu_id        INTEGER id(gpus.gpu_id) GPU.
-- @column  comm_count    BIGINT  count Communication kernels.
-- @column  comm_ns       BIGINT  ns    Time with at least one of them.
-- @column  overlapped_ns BIGINT  ns    Time of it with at least one compute kernel.
-- @column  exposed_ns    BIGINT  ns    The rest: communication and no compute.
-- @column  exposed_ratio DOUBLE  ratio exposed_ns of comm_ns; NULL if no time passed.
-- @column  compute_count BIGINT  count Compute kernels, and launches of graphs that were traced as a whole.
-- @column  compute_ns    BIGINT  ns    Time with at least one of them.
-- @order   exposed_ns DESC
-- @assert  comm_count > 0
-- @assert  comm_ns = overlapped_ns + exposed_ns
-- @assert  overlapped_ns BETWEEN 0 AND compute_ns
-- @assert  exposed_ratio BETWEEN 0 AND 1
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @beware  SELECT report_id, format('{} launches of CUDA graphs were traced as a whole: they count as compute, and collectives inside them are not seen: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT gpu_id, comm_ns, exposed_ns, exposed_ratio FROM comm_overlap
WITH ops AS MATERIALIZED (
    SELECT report_id, gpu_id AS track_id, start_ns, end_ns, is_comm FROM _comm_ops
),

comm AS (
    SELECT report_id, track_id, start_ns, end_ns FROM ops WHERE is_comm
),

compute AS (
    SELECT report_id, track_id, start_ns, end_ns FROM ops WHERE NOT is_comm
),

comm_stretches AS (
    SELECT report_id, track_id, track_id AS interval_id, start_ns, end_ns, interval_count
    FROM interval_union('comm')
),

comm_times AS (
    SELECT
        report_id, track_id,
        CAST(sum(interval_count) AS BIGINT) AS op_count,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS comm_ns
    FROM comm_stretches
    GROUP BY report_id, track_id
),

compute_times AS (
    SELECT report_id, track_id, interval_count AS op_count, union_ns AS compute_ns FROM interval_union_ns('compute')
)

SELECT
    report_id,
    track_id AS gpu_id,
    m.op_count AS comm_count,
    m.comm_ns,
    b.covered_ns AS overlapped_ns,
    m.comm_ns - b.covered_ns AS exposed_ns,
    (m.comm_ns - b.covered_ns) / nullif(m.comm_ns, 0) AS exposed_ratio,
    coalesce(p.op_count, 0) AS compute_count,
    coalesce(p.compute_ns, 0) AS compute_ns
FROM comm_times AS m
INNER JOIN interval_cover('comm_stretches', 'compute') AS b USING (report_id, track_id)
LEFT JOIN compute_times AS p USING (report_id, track_id)
