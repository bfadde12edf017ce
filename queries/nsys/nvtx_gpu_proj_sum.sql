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
-- @param   like_nsys         VARCHAR '2023.4' text Release of NVIDIA's tool whose names to print: 2023.4 or 2025.3.
-- @require like_nsys IN ('2023.4', '2025.3')
-- @column  report_id         INTEGER id    Report the row belongs to.
-- @column  range_name        VARCHAR text  Name, behind its domain and a colon if it has one, as like_nsys has it.
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
SELECT
    report_id,
    range_name,
    style,
    CAST(sum(proj_ns) AS BIGINT) AS total_proj_ns,
    CAST(sum(dur_ns) AS BIGINT) AS total_range_ns,
    count(*) AS range_count,
    _one_digit(avg(proj_ns)) AS proj_mean_ns,
    _one_digit(median(proj_ns)) AS proj_median_ns,
    min(proj_ns) AS proj_min_ns,
    max(proj_ns) AS proj_max_ns,
    _one_digit(stddev_or_zero(proj_ns)) AS proj_stddev_ns,
    CAST(sum(op_count) AS BIGINT) AS op_count,
    _one_digit(avg(op_count)) AS op_per_range_count,
    _one_digit(avg(level)) AS level_mean,
    _one_digit(avg(child_count)) AS child_per_range_count
FROM _projected_ranges(like_nsys := like_nsys)
GROUP BY report_id, range_name, style
