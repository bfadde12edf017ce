-- How much of the time in matrix work ran on tensor cores: matrix products, convolutions and attention, per GPU.
--
-- Told by the kernels' names (kernel_families), not measured: a kernel that is built for tensor cores counts in full.
-- cuda_core_ns is the time of kernels known to do without, as FP32 products without TF32, and of the parts of attention and
-- convolution that hold no product. Kernels whose name leaves it open are unknown_ns and not in the ratio. Kernels that no
-- rule knows are not here, whatever they do (unclassified_kernels).
--
-- @version 1
-- @grain   report_id, gpu_id, family
-- @needs   kernels
-- @column  report_id         INTEGER id    Report the row belongs to.
-- @column  gpu_id            INTEGER id(gpus.gpu_id) GPU.
-- @column  family            VARCHAR text  gemm, conv or attention.
-- @column  kernel_count      BIGINT  count Executions.
-- @column  dur_ns            BIGINT  ns    Sum of the durations.
-- @column  tensor_core_ns    BIGINT  ns    Part of dur_ns in kernels that use tensor cores.
-- @column  cuda_core_ns      BIGINT  ns    Part of dur_ns in kernels that do not.
-- @column  unknown_ns        BIGINT  ns    Part of dur_ns in kernels that cannot be told.
-- @column  tensor_core_ratio DOUBLE  ratio tensor_core_ns of the time that can be told; NULL if none can.
-- @column  dur_ratio         DOUBLE  ratio dur_ns of the kernel time on this GPU.
-- @order   dur_ns DESC
-- @assert  tensor_core_ns + cuda_core_ns + unknown_ns = dur_ns
-- @assert  tensor_core_ratio BETWEEN 0 AND 1
-- @assert  dur_ratio BETWEEN 0 AND 1
-- @beware  SELECT report_id, format('no rule knows the kernels of {:.0f} % of the kernel time: unclassified_kernels lists them',
--          100 * sum(dur_ratio)) FROM unclassified_kernels GROUP BY report_id HAVING sum(dur_ratio) >= 0.05
-- @example SELECT family, tensor_core_ratio, dur_ratio FROM tensor_core_use
WITH times AS (
    SELECT
        report_id,
        gpu_id,
        family,
        sum(kernel_count) AS kernel_count,
        sum(dur_ns) AS dur_ns,
        coalesce(sum(dur_ns) FILTER (tensor_cores = 'yes'), 0) AS tensor_core_ns,
        coalesce(sum(dur_ns) FILTER (tensor_cores = 'no'), 0) AS cuda_core_ns,
        coalesce(sum(dur_ns) FILTER (tensor_cores = 'unknown'), 0) AS unknown_ns,
        sum(sum(dur_ns)) OVER (PARTITION BY report_id, gpu_id) AS all_ns
    FROM kernel_families
    GROUP BY report_id, gpu_id, family
)

SELECT
    report_id,
    gpu_id,
    family,
    CAST(kernel_count AS BIGINT) AS kernel_count,
    CAST(dur_ns AS BIGINT) AS dur_ns,
    CAST(tensor_core_ns AS BIGINT) AS tensor_core_ns,
    CAST(cuda_core_ns AS BIGINT) AS cuda_core_ns,
    CAST(unknown_ns AS BIGINT) AS unknown_ns,
    tensor_core_ns / nullif(tensor_core_ns + cuda_core_ns, 0) AS tensor_core_ratio,
    dur_ns / nullif(all_ns, 0) AS dur_ratio
FROM times
WHERE family IN ('gemm', 'conv', 'attention')
