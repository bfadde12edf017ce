-- NVIDIA's report nvtx_sum: time in NVTX ranges by name.
--
-- Nested ranges count in full each, so shares are of an inflated sum; for time that adds up see nvtx_range_sum. A range
-- without a recorded end that is open ends with the last NVTX event of the report. Other than NVIDIA's: a domain that
-- several threads created does not multiply its ranges, and a range of length 0, which has no end in the export either,
-- counts 0.
--
-- @version 1
-- @grain   report_id, style, range_name
-- @needs   nvtx_ranges
-- @param   like_nsys    VARCHAR '2023.4' text Release of NVIDIA's tool whose names to print: 2023.4 or 2025.3.
-- @require like_nsys IN ('2023.4', '2025.3')
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  time_percent DOUBLE  percent Share of the total of all rows, rounded to one digit.
-- @column  total_ns     BIGINT  ns    Sum of the lengths.
-- @column  range_count  BIGINT  count Ranges.
-- @column  mean_ns      DOUBLE  ns    Mean length, rounded to one digit.
-- @column  median_ns    DOUBLE  ns    Median length, rounded to one digit.
-- @column  min_ns       BIGINT  ns    Shortest.
-- @column  max_ns       BIGINT  ns    Longest.
-- @column  stddev_ns    DOUBLE  ns    Sample standard deviation, 0 for one range, rounded to one digit.
-- @column  style        VARCHAR text  PushPop or StartEnd.
-- @column  range_name   VARCHAR text  Name, behind its domain and a colon if it has one, as like_nsys has it.
-- @title   NVTX Range Summary
-- @print   time_percent Time; total_ns Total Time; range_count Instances; mean_ns Avg; median_ns Med; min_ns Min; max_ns
--     Max; stddev_ns StdDev; style Style; range_name Range
-- @skip    NV Tools Extension (NVTX) data
-- @order   total_ns DESC
-- @example SELECT range_name, total_ns FROM nvtx_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT report_id, style, range_name, dur_ns
    FROM _range_rows(like_nsys := like_nsys)
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS range_count,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns, style, range_name
FROM _time_sum('rows')
