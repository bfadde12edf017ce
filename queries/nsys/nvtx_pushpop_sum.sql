-- NVIDIA's report nvtx_pushpop_sum: time in push/pop ranges of NVTX by name.
--
-- Nested ranges count in full each, so shares are of an inflated sum. nvtx_sum has both styles, and says which
-- values differ from NVIDIA's.
--
-- @version 1
-- @grain   report_id, range_name
-- @needs   nvtx_ranges
-- @param   like_nsys    VARCHAR '2023.4' text Release of NVIDIA's tool whose names to print: 2023.4 or 2025.3.
-- @require like_nsys IN ('2023.4', '2025.3')
-- @column  report_id    INTEGER id      Report the row belongs to.
-- @column  time_percent DOUBLE  percent Share of the total of all rows, rounded to one digit.
-- @column  total_ns     BIGINT  ns      Sum of the lengths.
-- @column  range_count  BIGINT  count   Ranges.
-- @column  mean_ns      DOUBLE  ns      Mean length, rounded to one digit.
-- @column  median_ns    DOUBLE  ns      Median length, rounded to one digit.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation, 0 for one range, rounded to one digit.
-- @column  range_name   VARCHAR text    Name, behind its domain and a colon if it has one, as like_nsys has it.
-- @title   NVTX Push/Pop Range Summary
-- @print   time_percent Time; total_ns Total Time; range_count Instances; mean_ns Avg; median_ns Med; min_ns Min; max_ns
--     Max; stddev_ns StdDev; range_name Range
-- @skip    NV Tools Extension (NVTX) data
-- @order   total_ns DESC
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @unverified Names as of 2025.3 were seen in nvtx_sum of that release, not in this report.
-- @example SELECT range_name, total_ns FROM nvtx_pushpop_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT report_id, range_name, dur_ns
    FROM _range_rows(like_nsys := like_nsys)
    WHERE style = 'PushPop'
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS range_count,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns, range_name
FROM _time_sum('rows')
