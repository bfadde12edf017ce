-- NVIDIA's report mpi_event_sum: time in MPI calls by source and function.
--
-- All ranks and threads of the report together. A wait for several requests counts once for each (mpi_calls).
--
-- @version 1
-- @grain   report_id, source, name
-- @needs   mpi_calls
-- @column  report_id    INTEGER id      Report the row belongs to.
-- @column  time_percent DOUBLE  percent total_ns of the sum over all rows of the report; NULL if that is 0.
-- @column  total_ns     BIGINT  ns      Sum of the durations.
-- @column  instances    BIGINT  count   Calls; of a wait for several requests one for each.
-- @column  mean_ns      DOUBLE  ns      Mean duration.
-- @column  median_ns    DOUBLE  ns      Median duration.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation; 0 for one.
-- @column  source       VARCHAR text    p2p, collectives, start-wait or other.
-- @column  name         VARCHAR text    Function.
-- @column  q1_ns        DOUBLE  ns      First quartile; computed by nsys, not printed.
-- @column  q3_ns        DOUBLE  ns      Third quartile; computed by nsys, not printed.
-- @title   MPI Event Summary
-- @print   time_percent Time; total_ns Total Time; instances Instances; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max;
--     stddev_ns StdDev; source Source; name Name
-- @skip    MPI event data
-- @order   total_ns DESC
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @unverified No tool that prints this report was at hand: columns and sources are from its description.
-- @example SELECT name, instances, total_ns FROM mpi_event_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT
        report_id, name, dur_ns,
        CASE kind WHEN 'collective' THEN 'collectives' WHEN 'start_wait' THEN 'start-wait' ELSE kind END AS source
    FROM mpi_calls
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS instances,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns, source, name,
    q1_ns, q3_ns
FROM _time_sum('rows')
