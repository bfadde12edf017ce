-- How much of each GPU's communication was hidden behind compute, by the name of the NVTX range that asked for it.
--
-- As comm_overlap, for the communication kernels that belong to ranges of one name: the innermost range of the application
-- around the launch (op_ranges), numbers in its name folded (folded_name), so that step_1 and step_2 are one. Hidden is what any
-- compute kernel on the GPU covered, whichever range that one belongs to; compute_ns is the time of the range's own compute
-- kernels. Communication of two names may run at once, so the rows of a GPU do not add up to its communication time.
-- Waiting for GPUs that come later is part of the time of a collective, and of the exposed time.
--
-- @version 1
-- @grain   report_id, gpu_id, range_name
-- @needs   kernels
-- @column  report_id     INTEGER id    Report the row belongs to.
-- @column  gpu_id        INTEGER id(gpus.gpu_id) GPU.
-- @column  range_name    VARCHAR text  Name of the ranges, numbers as stars; empty if they have none; NULL for communication outside of all.
-- @column  range_count   BIGINT  count Ranges of that name with communication on the GPU.
-- @column  comm_count    BIGINT  count Communication kernels that belong to them.
-- @column  comm_ns       BIGINT  ns    Time with at least one of them.
-- @column  overlapped_ns BIGINT  ns    Time of it with at least one compute kernel on the GPU.
-- @column  exposed_ns    BIGINT  ns    The rest: their communication and no compute.
-- @column  exposed_ratio DOUBLE  ratio exposed_ns of comm_ns; NULL if no time passed.
-- @column  compute_count BIGINT  count Compute kernels that belong to ranges of that name.
-- @column  compute_ns    BIGINT  ns    Time with at least one of them.
-- @order   exposed_ns DESC
-- @assert  comm_count > 0
-- @assert  (range_name IS NULL) = (range_count = 0)
-- @assert  comm_ns = overlapped_ns + exposed_ns AND overlapped_ns >= 0 AND exposed_ns >= 0
-- @assert  exposed_ratio BETWEEN 0 AND 1
-- @beware  SELECT report_id, format('{} launches of CUDA graphs were traced as a whole: they count as compute, and collectives inside them are not seen: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT gpu_id, range_name, comm_ns, exposed_ns FROM comm_overlap_by_range
WITH ops AS MATERIALIZED (
    SELECT
        o.report_id, o.gpu_id, o.is_comm, o.start_ns, o.end_ns, n.range_id,
        {
            'gpu_id': o.gpu_id,
            'range_name': CASE WHEN n.range_id IS NOT NULL THEN folded_name(coalesce(n.name, '')) END
        } AS track_id
    FROM _comm_ops AS o
    LEFT JOIN op_ranges AS r ON r.report_id = o.report_id AND r.op_id = o.op_id
    LEFT JOIN nvtx_ranges AS n ON n.report_id = r.report_id AND n.range_id = r.application_range_id
),

comm AS (
    SELECT report_id, track_id, start_ns, end_ns FROM ops WHERE is_comm
),

own_compute AS (
    SELECT report_id, track_id, start_ns, end_ns FROM ops WHERE NOT is_comm
),

compute AS (
    SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM ops WHERE NOT is_comm
),

comm_stretches AS (
    SELECT report_id, track_id.gpu_id AS track_id, track_id AS interval_id, start_ns, end_ns, interval_count
    FROM interval_union('comm')
),

comm_times AS (
    SELECT
        report_id, interval_id AS track_id,
        CAST(sum(interval_count) AS BIGINT) AS op_count,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS comm_ns
    FROM comm_stretches
    GROUP BY ALL
),

compute_times AS (
    SELECT report_id, track_id, interval_count AS op_count, union_ns AS compute_ns FROM interval_union_ns('own_compute')
),

range_counts AS (
    SELECT report_id, track_id, count(DISTINCT range_id) AS range_count
    FROM ops
    WHERE is_comm
    GROUP BY ALL
)

SELECT
    m.report_id,
    (m.track_id).gpu_id AS gpu_id,
    (m.track_id).range_name AS range_name,
    r.range_count,
    m.op_count AS comm_count,
    m.comm_ns,
    b.covered_ns AS overlapped_ns,
    m.comm_ns - b.covered_ns AS exposed_ns,
    (m.comm_ns - b.covered_ns) / nullif(m.comm_ns, 0) AS exposed_ratio,
    coalesce(p.op_count, 0) AS compute_count,
    coalesce(p.compute_ns, 0) AS compute_ns
FROM comm_times AS m
INNER JOIN range_counts AS r ON r.report_id = m.report_id AND r.track_id = m.track_id
INNER JOIN interval_cover('comm_stretches', 'compute') AS b ON b.report_id = m.report_id AND b.interval_id = m.track_id
LEFT JOIN compute_times AS p ON p.report_id = m.report_id AND p.track_id = m.track_id
