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
-- @column  range_name   VARCHAR text  Name, behind its domain and a colon if it has one.
-- @title   NVTX Range Summary
-- @print   time_percent Time; total_ns Total Time; range_count Instances; mean_ns Avg; median_ns Med; min_ns Min; max_ns
--     Max; stddev_ns StdDev; style Style; range_name Range
-- @skip    NV Tools Extension (NVTX) data
-- @order   total_ns DESC
-- @example SELECT range_name, total_ns FROM nvtx_sum ORDER BY total_ns DESC LIMIT 5
WITH ranges AS (
    SELECT
        r.report_id,
        CASE r.style WHEN 'push_pop' THEN 'PushPop' ELSE 'StartEnd' END AS style,
        CASE WHEN r.domain IS NULL THEN r.name ELSE r.domain || ':' || r.name END AS range_name,
        coalesce(r.recorded_end_ns, r.end_ns, x.end_ns) - r.start_ns AS dur_ns
    FROM nvtx_ranges AS r
    LEFT JOIN _nvtx_extent AS x ON x.report_id = r.report_id AND x.what = 'event'
)

SELECT
    report_id,
    round(sum(dur_ns) * 100 / nullif(sum(sum(dur_ns)) OVER (PARTITION BY report_id), 0), 1) AS time_percent,
    CAST(sum(dur_ns) AS BIGINT) AS total_ns,
    count(*) AS range_count,
    round(avg(dur_ns), 1) AS mean_ns,
    round(median(dur_ns), 1) AS median_ns,
    min(dur_ns) AS min_ns,
    max(dur_ns) AS max_ns,
    round(coalesce(stddev_samp(dur_ns), 0), 1) AS stddev_ns,
    style,
    range_name
FROM ranges
GROUP BY report_id, style, range_name
