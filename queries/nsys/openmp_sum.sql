-- NVIDIA's report openmp_sum: time in OpenMP regions, tasks and waits by kind and name.
--
-- What lies in a region counts in full beside it, and so does the time of every thread.
--
-- @version 1
-- @grain   report_id, kind, name
-- @needs   openmp_events
-- @column  report_id    INTEGER id      Report the row belongs to.
-- @column  time_percent DOUBLE  percent total_ns of the sum over all rows of the report; NULL if that is 0.
-- @column  total_ns     BIGINT  ns      Sum of the durations.
-- @column  event_count  BIGINT  count   Events.
-- @column  mean_ns      DOUBLE  ns      Mean duration.
-- @column  median_ns    DOUBLE  ns      Median duration.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation; 0 for one.
-- @column  name         VARCHAR text    What happened; NULL or empty if the runtime gave no name.
-- @column  kind         VARCHAR text    Kind of the events (openmp_events); not printed, so that two rows may have one name.
-- @title   OpenMP Summary
-- @print   time_percent Time; total_ns Total Time; event_count Count; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max;
--     stddev_ns StdDev; name Name
-- @skip    OpenMP event data
-- @order   total_ns DESC
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @example SELECT kind, name, event_count, total_ns FROM openmp_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT report_id, kind, name, dur_ns
    FROM openmp_events
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS event_count,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns, name, kind
FROM _time_sum('rows')
