-- NVIDIA's report nvtx_gpu_proj_sum: NVTX ranges projected onto the GPU, by name.
--
-- An operation belongs to every range around the call that started it, on the caller's thread. A range's projection is the
-- envelope from its first operation's start to its last one's end, idle time and other ranges' work inside included, all
-- GPUs and streams merged. Ranges that started nothing, work of other threads and CUDA graphs that were traced as a whole
-- do not count. Operations are counted by call: a graph launch is one.
--
-- @version 1
-- @grain   report_id, style, range_name
-- @needs   nvtx_ranges
-- @column  report_id         INTEGER id    Report the row belongs to.
-- @column  range_name        VARCHAR text  Name, behind its domain and a colon if it has one.
-- @column  style             VARCHAR text  PushPop or StartEnd.
-- @column  total_proj_ns     BIGINT  ns    Sum of the projections.
-- @column  total_range_ns    BIGINT  ns    Sum of the ranges' own lengths.
-- @column  range_count       BIGINT  count Ranges that started work.
-- @column  proj_mean_ns      DOUBLE  ns    Mean projection, rounded to one digit.
-- @column  proj_median_ns    DOUBLE  ns    Median projection, rounded to one digit.
-- @column  proj_min_ns       BIGINT  ns    Shortest projection.
-- @column  proj_max_ns       BIGINT  ns    Longest projection.
-- @column  proj_stddev_ns    DOUBLE  ns    Sample standard deviation, 0 for one range, rounded to one digit.
-- @column  op_count          BIGINT  count Calls that started work.
-- @column  op_per_range_count DOUBLE count Calls per range, rounded to one digit.
-- @column  level_mean        DOUBLE  -     Mean depth, 0 for an outermost range, rounded to one digit.
-- @column  child_per_range_count DOUBLE count Children that started work, per range, rounded to one digit.
-- @title   NVTX GPU Projection Summary
-- @print   range_name Range; style Style; total_proj_ns Total Proj Time; total_range_ns Total Range Time; range_count Range
--     Instances; proj_mean_ns Proj Avg; proj_median_ns Proj Med; proj_min_ns Proj Min; proj_max_ns Proj Max;
--     proj_stddev_ns Proj StdDev; op_count Total GPU Ops; op_per_range_count Avg GPU Ops; level_mean Avg Range Lvl;
--     child_per_range_count Avg Num Child
-- @skip    NV Tools Extension (NVTX) data
-- @skip    api_calls: CUDA API data
-- @skip    kernels|memcpys|memsets: GPU operation data
-- @order   total_proj_ns DESC
-- @example SELECT range_name, total_proj_ns, op_count FROM nvtx_gpu_proj_sum ORDER BY total_proj_ns DESC LIMIT 5
WITH innermost AS (
    SELECT
        c.report_id, c.range_id, o.correlation_id,
        min(o.first_start_ns) AS first_start_ns, max(o.last_end_ns) AS last_end_ns
    FROM _call_ranges AS c
    INNER JOIN _call_ops AS o USING (report_id, call_id)
    GROUP BY ALL
),

started AS (
    SELECT
        report_id, range_id,
        min(first_start_ns) AS first_start_ns, max(last_end_ns) AS last_end_ns, count(*) AS op_count
    FROM innermost
    GROUP BY ALL
),

projected AS (
    SELECT
        a.report_id, a.ancestor_id AS range_id,
        max(s.last_end_ns) - min(s.first_start_ns) AS proj_ns,
        CAST(sum(s.op_count) AS BIGINT) AS op_count
    FROM started AS s
    INNER JOIN _range_ancestors AS a USING (report_id, range_id)
    GROUP BY ALL
),

ranges AS (
    SELECT
        p.report_id, p.range_id, r.parent_id, r.depth, p.proj_ns, p.op_count,
        CASE r.style WHEN 'push_pop' THEN 'PushPop' ELSE 'StartEnd' END AS style,
        CASE WHEN r.domain IS NULL THEN r.name ELSE r.domain || ':' || r.name END AS range_name,
        coalesce(r.recorded_end_ns, r.end_ns, x.end_ns) - r.start_ns AS range_ns
    FROM projected AS p
    INNER JOIN nvtx_ranges AS r USING (report_id, range_id)
    LEFT JOIN _nvtx_extent AS x ON x.report_id = p.report_id AND x.what = 'range'
),

children AS (
    SELECT report_id, parent_id AS range_id, count(*) AS child_count
    FROM ranges
    WHERE parent_id IS NOT NULL
    GROUP BY ALL
)

SELECT
    r.report_id,
    r.range_name,
    r.style,
    CAST(sum(r.proj_ns) AS BIGINT) AS total_proj_ns,
    CAST(sum(r.range_ns) AS BIGINT) AS total_range_ns,
    count(*) AS range_count,
    round(avg(r.proj_ns), 1) AS proj_mean_ns,
    round(median(r.proj_ns), 1) AS proj_median_ns,
    min(r.proj_ns) AS proj_min_ns,
    max(r.proj_ns) AS proj_max_ns,
    round(coalesce(stddev_samp(r.proj_ns), 0), 1) AS proj_stddev_ns,
    CAST(sum(r.op_count) AS BIGINT) AS op_count,
    round(avg(r.op_count), 1) AS op_per_range_count,
    round(avg(r.depth), 1) AS level_mean,
    round(avg(coalesce(c.child_count, 0)), 1) AS child_per_range_count
FROM ranges AS r
LEFT JOIN children AS c USING (report_id, range_id)
GROUP BY r.report_id, r.range_name, r.style
