-- NVIDIA's report syscall_sum: time in system calls by name.
--
-- All threads of the report together; waits for work are time too.
--
-- @version 1
-- @grain   report_id, name
-- @needs   syscalls
-- @column  report_id    INTEGER id      Report the row belongs to.
-- @column  time_percent DOUBLE  percent total_ns of the sum over all rows of the report; NULL if that is 0.
-- @column  total_ns     BIGINT  ns      Sum of the durations.
-- @column  num_calls    BIGINT  count   Calls.
-- @column  mean_ns      DOUBLE  ns      Mean duration.
-- @column  median_ns    DOUBLE  ns      Median duration.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation; 0 for one.
-- @column  name         VARCHAR text    System call.
-- @title   Syscall Summary
-- @print   time_percent Time; total_ns Total Time; num_calls Num Calls; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max;
--     stddev_ns StdDev; name Name
-- @skip    system call trace data
-- @order   total_ns DESC
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @unverified Neither a recording with system calls nor a tool that prints this report was at hand: it has the shape of osrt_sum.
-- @example SELECT name, num_calls, total_ns FROM syscall_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT report_id, name, dur_ns
    FROM syscalls
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS num_calls,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns, name
FROM _time_sum('rows')
