-- NVIDIA's report cuda_gpu_sum: time on the GPU by kernel and by memory operation.
--
-- All GPUs and processes of the report together, a sum of durations: what runs side by side counts in full each. Copies of a
-- direction that has no name are left out, as in cuda_gpu_mem_time_sum. gpu_busy counts every moment once.
--
-- @version 1
-- @grain   report_id, category, name
-- @needs   any of kernels, memcpys, memsets
-- @param   name_form VARCHAR 'demangled' text Form of the kernels' names: demangled, base (short) or mangled; one that was not recorded is demangled.
-- @param   has_range BOOLEAN FALSE       bool Name the innermost NVTX range around the launch before the kernel, with a slash between.
-- @require name_form IN ('demangled', 'base', 'mangled')
-- @column  report_id    INTEGER id      Report the row belongs to.
-- @column  time_percent DOUBLE  percent total_ns of the sum over all rows of the report; NULL if that is 0.
-- @column  total_ns     BIGINT  ns      Sum of the durations.
-- @column  instances    BIGINT  count   Operations.
-- @column  mean_ns      DOUBLE  ns      Mean duration.
-- @column  median_ns    DOUBLE  ns      Median duration.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation; 0 for one.
-- @column  category     VARCHAR text    CUDA_KERNEL or MEMORY_OPER.
-- @column  name         VARCHAR text    Kernel, [CUDA memcpy DIRECTION] or [CUDA memset].
-- @column  q1_ns        DOUBLE  ns      First quartile; not printed.
-- @column  q3_ns        DOUBLE  ns      Third quartile; not printed.
-- @title   CUDA GPU Summary (Kernels/MemOps)
-- @print   time_percent Time; total_ns Total Time; instances Instances; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max;
--     stddev_ns StdDev; category Category; name Operation
-- @skip    GPU kernel/memory operations data
-- @arg     base name_form=base
-- @arg     mangled name_form=mangled
-- @arg     nvtx-name has_range=true
-- @order   total_ns DESC
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not broken down into kernels: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT category, name, total_ns FROM cuda_gpu_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT report_id, category, name, dur_ns
    FROM _named_ops(name_form := name_form, has_range := has_range)
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS instances,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns, category, name, q1_ns, q3_ns
FROM _time_sum('rows')
