-- NVIDIA's report cuda_gpu_kern_sum: time in kernels by name.
--
-- All GPUs and processes of the report together, a sum of durations: kernels that run side by side count in full each.
-- kernel_sum tells GPUs and processes apart.
--
-- @version 1
-- @grain   report_id, name
-- @needs   kernels
-- @param   name_form VARCHAR 'demangled' text Form of the kernels' names: demangled, base (short) or mangled; one that was not recorded is demangled.
-- @param   has_range BOOLEAN FALSE       bool Name the innermost NVTX range around the launch before the kernel, with a slash between.
-- @require name_form IN ('demangled', 'base', 'mangled')
-- @column  report_id    INTEGER id      Report the row belongs to.
-- @column  time_percent DOUBLE  percent total_ns of the sum over all rows of the report; NULL if that is 0.
-- @column  total_ns     BIGINT  ns      Sum of the durations.
-- @column  instances    BIGINT  count   Executions.
-- @column  mean_ns      DOUBLE  ns      Mean duration.
-- @column  median_ns    DOUBLE  ns      Median duration.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation; 0 for one.
-- @column  name         VARCHAR text    Kernel, as its parameters say: the full demangled name by default.
-- @column  q1_ns        DOUBLE  ns      First quartile; computed by nsys, not printed.
-- @column  q3_ns        DOUBLE  ns      Third quartile; computed by nsys, not printed.
-- @title   CUDA GPU Kernel Summary
-- @print   time_percent Time; total_ns Total Time; instances Instances; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max;
--     stddev_ns StdDev; name Name
-- @skip    CUDA kernel data
-- @arg     base name_form=base
-- @arg     mangled name_form=mangled
-- @arg     nvtx-name has_range=true
-- @order   total_ns DESC, instances, name
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not broken down into kernels: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT name, instances, total_ns FROM cuda_gpu_kern_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT report_id, name, dur_ns
    FROM _named_kernels(name_form := name_form, has_range := has_range)
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS instances,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns, name, q1_ns, q3_ns
FROM _time_sum('rows')
