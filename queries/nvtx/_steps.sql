-- The step ranges of a program with their lengths and which of them are warm-up, without what the GPUs did.
--
-- The concept stands in iterations.
--
-- @version 1
-- @kind    macro
-- @param   chosen_name VARCHAR - text   Folded name of the ranges to take; all that iterations tells if empty.
-- @column  report_id   INTEGER id       Report the row belongs to.
-- @column  process_id  BIGINT  id       Process.
-- @column  thread_id   BIGINT  id       Thread.
-- @column  domain_id   BIGINT  id       Domain, unique only within the process.
-- @column  folded      VARCHAR text     Name of the ranges, numbers as stars.
-- @column  iteration   BIGINT  id       Place among the ranges of that name on the thread, counted from 0.
-- @column  name        VARCHAR text     Name.
-- @column  range_id    BIGINT  id       Range.
-- @column  start_ns    BIGINT  ns       Start.
-- @column  end_ns      BIGINT  ns       End.
-- @column  wall_ns     BIGINT  ns       Length.
-- @column  median_ns   DOUBLE  ns       Median length of the ranges of that name on the thread.
-- @column  is_warmup   BOOLEAN bool     One of the slow first ones.
-- @column  is_outlier  BOOLEAN bool     A later one that took more than one and a half times the median.
WITH folded_names AS (
    SELECT name, any_value(folded_name(name)) AS folded
    FROM (SELECT DISTINCT name FROM _nvtx_rows)
    GROUP BY name
),

names AS (
    SELECT name, folded, dense_rank() OVER (ORDER BY folded) AS number FROM folded_names
),

named AS (
    SELECT
        r.report_id, r.process_id, r.thread_id, r.domain_id, r.range_id, n.folded, n.name, r.depth, r.start_ns, r.end_ns,
        r.is_stacked,
        max(r.end_ns) OVER (
            PARTITION BY r.report_id, r.thread_id, r.domain_id, n.number, r.is_stacked
            ORDER BY r.start_ns, r.end_ns DESC, r.range_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered_until_ns
    FROM _application_ranges AS r
    INNER JOIN names AS n ON n.name = r.name
    WHERE NOT r.is_open
),

-- A push/pop range that lies in an earlier one of its name is a part of that one.
ranges AS (
    FROM named WHERE NOT is_stacked OR (start_ns < covered_until_ns AND end_ns <= covered_until_ns) IS NOT TRUE
),

repeated AS (
    SELECT
        report_id, thread_id, domain_id, folded,
        min(depth) = min(min(depth)) OVER (PARTITION BY report_id, thread_id) AS is_outermost
    FROM ranges
    GROUP BY report_id, thread_id, domain_id, folded
    HAVING count(*) >= 3
),

steps AS (
    SELECT
        r.report_id, r.process_id, r.thread_id, r.folded, r.name, r.range_id, r.start_ns, r.end_ns,
        r.end_ns - r.start_ns AS wall_ns,
        row_number() OVER (PARTITION BY r.report_id, r.thread_id, r.domain_id, r.folded ORDER BY r.start_ns, r.range_id) - 1
            AS iteration,
        median(r.end_ns - r.start_ns) OVER (PARTITION BY r.report_id, r.thread_id, r.domain_id, r.folded) AS median_ns,
        r.domain_id
    FROM ranges AS r
    LEFT JOIN repeated AS p
        ON p.report_id = r.report_id AND p.thread_id = r.thread_id AND p.domain_id = r.domain_id AND p.folded = r.folded
    WHERE CASE WHEN chosen_name = '' THEN p.is_outermost ELSE r.folded = chosen_name END
),

warm AS (
    SELECT report_id, thread_id, domain_id, folded, min(iteration) AS iteration
    FROM steps
    WHERE wall_ns <= 1.5 * median_ns
    GROUP BY report_id, thread_id, domain_id, folded
)

SELECT
    s.report_id, s.process_id, s.thread_id, s.domain_id, s.folded, s.iteration, s.name, s.range_id, s.start_ns, s.end_ns,
    s.wall_ns, s.median_ns,
    s.iteration < f.iteration AS is_warmup,
    s.iteration > f.iteration AND s.wall_ns > 1.5 * s.median_ns AS is_outlier
FROM steps AS s
INNER JOIN warm AS f
    ON f.report_id = s.report_id AND f.thread_id = s.thread_id AND f.domain_id = s.domain_id AND f.folded = s.folded
