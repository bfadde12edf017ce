-- What the iterations of a program are made of: the share of each range inside them.
--
-- The direct children of the ranges in iterations, by name with numbers folded; a row without a name is the time of the
-- iterations outside of their children, ranges left open in them included. Warm-up iterations count apart. Children lie in
-- their iteration on its own thread, so without crossing ranges the shares of an iteration add up to 1. Children without a
-- name, and those of library domains, count too.
--
-- @version 1
-- @grain   report_id, thread_id, folded, child, is_warmup
-- @needs   nvtx_ranges
-- @param   step_name       VARCHAR '' text               Folded name of the iterations to take, as in iterations.
-- @column  report_id       INTEGER id                    Report the row belongs to.
-- @column  process_id      BIGINT  id                    Process.
-- @column  thread_id       BIGINT  id(threads.thread_id) Thread.
-- @column  folded          VARCHAR text                  Name of the iterations, numbers as stars.
-- @column  is_warmup       BOOLEAN bool                  Of the warm-up, or of the iterations after it.
-- @column  child           VARCHAR text                  Name of the ranges in them, numbers as stars, empty if they have none; NULL for the rest.
-- @column  iteration_count BIGINT  count                 Iterations that have it.
-- @column  child_count     BIGINT  count                 Such ranges; NULL for the rest.
-- @column  total_ns        BIGINT  ns                    Time in it.
-- @column  share_ratio     DOUBLE  ratio                 total_ns of the time in the iterations.
-- @column  mean_ns         DOUBLE  ns                    Mean over the iterations that have it.
-- @column  max_ns          BIGINT  ns                    Most in one iteration.
-- @order   report_id, thread_id, folded, is_warmup, total_ns DESC
-- @assert  (child IS NULL) = (child_count IS NULL)
-- @example SELECT child, share_ratio FROM iteration_children WHERE NOT is_warmup ORDER BY share_ratio DESC
WITH steps AS MATERIALIZED (
    SELECT report_id, process_id, thread_id, folded, range_id, wall_ns, is_warmup FROM _steps(step_name)
),

names AS (
    SELECT name, folded_name(name) AS folded FROM (SELECT DISTINCT name FROM _nvtx_rows)
),

children AS (
    SELECT
        s.report_id, s.range_id, f.folded AS child, count(*) AS child_count, sum(r.end_ns - r.start_ns) AS child_ns
    FROM steps AS s
    INNER JOIN _nvtx_nesting AS n
        ON n.report_id = s.report_id AND coalesce(n.other_parent_id, n.family_parent_id) = s.range_id
    INNER JOIN _nvtx_rows AS r ON r.report_id = n.report_id AND r.range_id = n.range_id
    LEFT JOIN names AS f ON f.name = r.name
    WHERE NOT r.is_open
    GROUP BY s.report_id, s.range_id, f.folded
),

parts AS (
    SELECT report_id, range_id, coalesce(child, '') AS child, child_count, child_ns FROM children
    UNION ALL
    SELECT s.report_id, s.range_id, NULL, NULL, greatest(any_value(s.wall_ns) - coalesce(sum(c.child_ns), 0), 0)
    FROM steps AS s
    LEFT JOIN children AS c ON c.report_id = s.report_id AND c.range_id = s.range_id
    GROUP BY s.report_id, s.range_id
),

totals AS (
    SELECT report_id, thread_id, folded, is_warmup, sum(wall_ns) AS wall_ns
    FROM steps
    GROUP BY report_id, thread_id, folded, is_warmup
)

SELECT
    s.report_id,
    s.process_id,
    s.thread_id,
    s.folded,
    s.is_warmup,
    p.child,
    count(*) AS iteration_count,
    CAST(sum(p.child_count) AS BIGINT) AS child_count,
    CAST(sum(p.child_ns) AS BIGINT) AS total_ns,
    sum(p.child_ns) / nullif(any_value(t.wall_ns), 0) AS share_ratio,
    sum(p.child_ns) / count(*) AS mean_ns,
    CAST(max(p.child_ns) AS BIGINT) AS max_ns
FROM steps AS s
INNER JOIN parts AS p ON p.report_id = s.report_id AND p.range_id = s.range_id
INNER JOIN totals AS t
    ON t.report_id = s.report_id AND t.thread_id = s.thread_id AND t.folded = s.folded AND t.is_warmup = s.is_warmup
GROUP BY s.report_id, s.process_id, s.thread_id, s.folded, s.is_warmup, p.child
