-- NVIDIA's report cuda_gpu_kern_gb_sum: time in kernels by name and by the sizes of grid and block.
--
-- All GPUs and processes of the report together, a sum of durations, as in cuda_gpu_kern_sum.
--
-- @version 1
-- @grain   report_id, name, grid_xyz, block_xyz
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
-- @column  grid_xyz     VARCHAR text    Blocks of the grid, x y z, each at least four characters wide.
-- @column  block_xyz    VARCHAR text    Threads of a block, likewise.
-- @column  name         VARCHAR text    Kernel, as the parameters say: the full demangled name by default.
-- @column  q1_ns        DOUBLE  ns      First quartile; not printed.
-- @column  q3_ns        DOUBLE  ns      Third quartile; not printed.
-- @title   CUDA GPU Kernel/Grid/Block Summary
-- @print   time_percent Time; total_ns Total Time; instances Instances; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max;
--     stddev_ns StdDev; grid_xyz GridXYZ; block_xyz BlockXYZ; name Name
-- @skip    CUDA kernel data
-- @arg     base name_form=base
-- @arg     mangled name_form=mangled
-- @arg     nvtx-name has_range=true
-- @order   total_ns DESC, instances, name
-- @assert  min_ns <= median_ns AND median_ns <= max_ns
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not broken down into kernels: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT grid_xyz, block_xyz, instances, name FROM cuda_gpu_kern_gb_sum ORDER BY total_ns DESC LIMIT 5
WITH rows AS (
    SELECT report_id, name, grid_x, grid_y, grid_z, block_x, block_y, block_z, dur_ns
    FROM _named_kernels(name_form := name_form, has_range := has_range)
)

SELECT
    report_id, time_percent, total_ns,
    row_count AS instances,
    mean_ns, median_ns, min_ns, max_ns, stddev_ns,
    _dimensions_text(grid_x, grid_y, grid_z) AS grid_xyz,
    _dimensions_text(block_x, block_y, block_z) AS block_xyz,
    name, q1_ns, q3_ns
FROM _time_sum('rows')
