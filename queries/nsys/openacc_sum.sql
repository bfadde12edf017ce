-- NVIDIA's report openacc_sum: time in OpenACC constructs, waits and transfers by name and line.
--
-- What lies in a construct counts in full beside it. The name is followed by file and line of the directive if these were
-- recorded. Other than NVIDIA's the file is without its folder, which is not loaded.
--
-- @version 1
-- @grain   report_id, name
-- @needs   openacc_events
-- @column  report_id    INTEGER id      Report the row belongs to.
-- @column  time_percent DOUBLE  percent total_ns of the sum over all rows of the report; NULL if that is 0.
-- @column  total_ns     BIGINT  ns      Sum of the durations.
-- @column  num_calls    BIGINT  count   Events.
-- @column  mean_ns      DOUBLE  ns      Mean duration.
-- @column  median_ns    DOUBLE  ns      Median duration.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation; 0 for one.
-- @column  name         VARCHAR text    What happened, with @file:line behind it if recorded.
-- @title   OpenACC Summary
-- @print   time_percent Time; total_ns Total Time; num_calls Num Calls; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max;
--     stddev_ns StdDev; name Name
-- @skip    OpenACC event data
-- @order   total_ns DESC
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @example SELECT name, num_calls, total_ns FROM openacc_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT
        report_id, dur_ns,
        CASE WHEN file_name IS NULL THEN name ELSE name || '@' || file_name || ':' || line END AS name
    FROM openacc_events
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS num_calls,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns, name
FROM _time_sum('rows')
