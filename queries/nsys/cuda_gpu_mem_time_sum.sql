-- NVIDIA's report cuda_gpu_mem_time_sum: time in copies and memsets by operation.
--
-- All GPUs and processes of the report together, a sum of durations. Migrations of unified memory are rows of their own.
-- Copies of a direction that has no name in the export are left out, as they are there. NVIDIA's tool has no rows at all
-- for an export without a table of names (up to 2022.3); here the names of today stand in. memcpy_sum tells more apart.
--
-- @version 1
-- @grain   report_id, operation
-- @needs   any of memcpys, memsets
-- @column  report_id    INTEGER id      Report the row belongs to.
-- @column  time_percent DOUBLE  percent total_ns of the sum over all rows of the report; NULL if that is 0.
-- @column  total_ns     BIGINT  ns      Sum of the durations.
-- @column  op_count     BIGINT  count   Operations.
-- @column  mean_ns      DOUBLE  ns      Mean duration.
-- @column  median_ns    DOUBLE  ns      Median duration.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation; 0 for one.
-- @column  operation    VARCHAR text    [CUDA memcpy DIRECTION] or [CUDA memset].
-- @column  q1_ns        DOUBLE  ns      First quartile; computed by nsys, not printed.
-- @column  q3_ns        DOUBLE  ns      Third quartile; computed by nsys, not printed.
-- @title   CUDA GPU MemOps Summary (by Time)
-- @print   time_percent Time; total_ns Total Time; op_count Count; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max;
--     stddev_ns StdDev; operation Operation
-- @skip    GPU memory data
-- @order   total_ns DESC
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @beware  SELECT report_id, format('{} copies of an unknown direction are left out', count(*)) FROM memcpys
--          WHERE label IS NULL GROUP BY report_id
-- @example SELECT operation, op_count, total_ns FROM cuda_gpu_mem_time_sum
WITH rows AS (
    SELECT report_id, operation AS name, dur_ns
    FROM _mem_ops
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS op_count,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns,
    name AS operation,
    q1_ns, q3_ns
FROM _time_sum('rows')
