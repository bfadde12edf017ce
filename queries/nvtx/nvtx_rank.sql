-- NVTX ranges ranked by the time spent in them, numbered names as one: the first row is the bottleneck.
--
-- step_1 and step_2 are step_*. A wrapper, whose ranges hold others for nine tenths of their time and more, comes after all
-- others: its time is theirs. gpu_op_ns are the operations whose innermost application range it is, gpu_idle_ns the gaps in which it
-- was (the range with the largest share, gaps), lead-in and tail excepted: a range with much idle and little work is what the GPU
-- waited for. Both are exclusive, so they add up.
--
-- @version 1
-- @grain   report_id, process_id, domain, name
-- @needs   nvtx_ranges
-- @column  report_id     INTEGER id    Report the row belongs to.
-- @column  process_id    BIGINT  id    Process.
-- @column  rank          BIGINT  -     Place within the process, counted from 1.
-- @column  domain        VARCHAR text  Domain; NULL for the default domain.
-- @column  name          VARCHAR text  Name, numbers as stars.
-- @column  is_wrapper    BOOLEAN bool  Hold other application ranges for at least nine tenths of their time.
-- @column  range_count   BIGINT  count Closed ranges.
-- @column  open_count    BIGINT  count Ranges that were never closed.
-- @column  total_ns      BIGINT  ns    Sum of their lengths.
-- @column  exclusive_ns  BIGINT  ns    Of that outside of application ranges in them.
-- @column  mean_ns       DOUBLE  ns    Mean length; NULL without closed ranges.
-- @column  max_ns        BIGINT  ns    Longest.
-- @column  op_count      BIGINT  count Operations whose innermost application range it is.
-- @column  gpu_op_ns     BIGINT  ns    Sum of their lengths.
-- @column  gap_count     BIGINT  count Gaps between operations in which it had the largest share.
-- @column  gpu_idle_ns   BIGINT  ns    Sum of their lengths.
-- @order   report_id, process_id, rank
-- @assert  exclusive_ns <= total_ns
-- @assert  rank >= 1
-- @example SELECT rank, name, total_ns, gpu_op_ns, gpu_idle_ns FROM nvtx_rank WHERE NOT is_wrapper
WITH ranges AS (
    SELECT
        report_id, process_id, domain, folded_name(name) AS folded,
        sum(range_count) AS range_count, sum(open_count) AS open_count, sum(inclusive_ns) AS total_ns,
        sum(exclusive_ns) AS exclusive_ns, max(max_ns) AS max_ns
    FROM nvtx_range_sum
    GROUP BY ALL
),

idle AS (
    SELECT r.report_id, r.range_id, count(*) AS gap_count, sum(g.dur_ns) AS gpu_idle_ns
    FROM _gaps AS g
    INNER JOIN _gap_ranges AS r ON r.report_id = g.report_id AND r.gap_id = g.gap_id
    WHERE g.position = 'between' AND r.range_id IS NOT NULL
    GROUP BY ALL
),

of_ranges AS (
    SELECT
        coalesce(w.report_id, i.report_id) AS report_id, coalesce(w.range_id, i.range_id) AS range_id,
        w.op_count, w.op_dur_ns AS gpu_op_ns, i.gap_count, i.gpu_idle_ns
    FROM _range_work AS w
    FULL JOIN idle AS i ON i.report_id = w.report_id AND i.range_id = w.range_id
),

of_names AS (
    SELECT
        n.report_id, n.process_id, n.domain_id, n.name,
        sum(o.op_count) AS op_count, sum(o.gpu_op_ns) AS gpu_op_ns, sum(o.gap_count) AS gap_count, sum(o.gpu_idle_ns) AS gpu_idle_ns
    FROM of_ranges AS o
    INNER JOIN _nvtx_rows AS n ON n.report_id = o.report_id AND n.range_id = o.range_id
    GROUP BY ALL
),

gpu AS (
    SELECT
        o.report_id, o.process_id, d.domain, folded_name(o.name) AS folded,
        sum(o.op_count) AS op_count, sum(o.gpu_op_ns) AS gpu_op_ns, sum(o.gap_count) AS gap_count, sum(o.gpu_idle_ns) AS gpu_idle_ns
    FROM of_names AS o
    LEFT JOIN nvtx_domains AS d USING (report_id, process_id, domain_id)
    GROUP BY ALL
)

SELECT
    r.report_id,
    r.process_id,
    row_number() OVER (
        PARTITION BY r.report_id, r.process_id
        ORDER BY r.exclusive_ns <= 0.1 * r.total_ns AND r.total_ns > 0, r.total_ns DESC, r.folded, r.domain) AS rank,
    r.domain,
    r.folded AS name,
    r.exclusive_ns <= 0.1 * r.total_ns AND r.total_ns > 0 AS is_wrapper,
    CAST(r.range_count AS BIGINT) AS range_count,
    CAST(r.open_count AS BIGINT) AS open_count,
    CAST(r.total_ns AS BIGINT) AS total_ns,
    CAST(r.exclusive_ns AS BIGINT) AS exclusive_ns,
    r.total_ns / nullif(r.range_count, 0) AS mean_ns,
    r.max_ns,
    CAST(coalesce(g.op_count, 0) AS BIGINT) AS op_count,
    CAST(coalesce(g.gpu_op_ns, 0) AS BIGINT) AS gpu_op_ns,
    CAST(coalesce(g.gap_count, 0) AS BIGINT) AS gap_count,
    CAST(coalesce(g.gpu_idle_ns, 0) AS BIGINT) AS gpu_idle_ns
FROM ranges AS r
LEFT JOIN gpu AS g
    ON g.report_id = r.report_id AND g.process_id = r.process_id AND g.domain IS NOT DISTINCT FROM r.domain
    AND g.folded IS NOT DISTINCT FROM r.folded
