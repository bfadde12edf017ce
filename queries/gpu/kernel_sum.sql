-- Time in kernels by full name, per GPU and process.
--
-- Sums of durations: kernels that overlap on several streams count in full each, so the sum over all rows can be above
-- the busy time of the GPU (gpu_busy). Kernels inside CUDA graphs that were traced as a whole are not known here
-- (graph_launches).
--
-- @version 1
-- @grain   report_id, gpu_id, process_id, name
-- @needs   kernels
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  gpu_id       INTEGER id(gpus.gpu_id) GPU.
-- @column  process_id   BIGINT  id    Process that launched.
-- @column  short_name   VARCHAR text  Name without namespaces, template and call arguments.
-- @column  kernel_count BIGINT  count Executions.
-- @column  dur_ns       BIGINT  ns    Sum of the durations.
-- @column  dur_ratio    DOUBLE  ratio Share of the kernel time on this GPU, of all processes.
-- @column  mean_ns      DOUBLE  ns    Mean duration.
-- @column  median_ns    DOUBLE  ns    Median duration; the mean of the middle two of an even number.
-- @column  min_ns       BIGINT  ns    Shortest.
-- @column  max_ns       BIGINT  ns    Longest.
-- @column  stddev_ns    DOUBLE  ns    Sample standard deviation; NULL for one execution.
-- @column  name         VARCHAR text  Full demangled name.
-- @order   dur_ns DESC
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @assert  dur_ratio BETWEEN 0 AND 1
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not broken down into kernels: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT short_name, kernel_count, dur_ns FROM kernel_sum ORDER BY dur_ns DESC LIMIT 5
SELECT
    report_id,
    gpu_id,
    process_id,
    min(short_name) AS short_name,
    count(*) AS kernel_count,
    CAST(sum(dur_ns) AS BIGINT) AS dur_ns,
    sum(dur_ns) / nullif(sum(sum(dur_ns)) OVER (PARTITION BY report_id, gpu_id), 0) AS dur_ratio,
    avg(dur_ns) AS mean_ns,
    median(dur_ns) AS median_ns,
    min(dur_ns) AS min_ns,
    max(dur_ns) AS max_ns,
    stddev_samp(dur_ns) AS stddev_ns,
    name
FROM kernels
GROUP BY report_id, gpu_id, process_id, name
