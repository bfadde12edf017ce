-- Time in kernels by family: matrix products, attention, collectives, norms, copies and so on, with their precision.
--
-- A family is what the first matching rule makes of a kernel's full name; nothing but the name is looked at. Families are
-- gemm, conv, attention; collective, moe, sampling, quantize; norm, softmax, loss, pooling; reduction, elementwise,
-- optimizer, random; copy, index, sort, scan, fill; fft, linalg, sparse, rnn, dataframe; triton (written by hand in
-- Triton, the name tells no more); other. NULL: no rule matches, unclassified_kernels lists them. An operation is the kind of
-- work within a family, or the library of a gemm. A precision is that of the factors: fp64, fp32, tf32, bf16, fp16, fp8,
-- fp4, int8, int4; only gemm, conv and attention have one. tensor_cores is unknown where the name leaves it open.
-- Rules of your own come first: `nsysql ingest --families FILE`; kernel_names tells which rule matched.
--
-- @version 1
-- @grain   report_id, gpu_id, family, operation, precision, tensor_cores
-- @needs   kernels
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  gpu_id       INTEGER id(gpus.gpu_id) GPU.
-- @column  family       VARCHAR text  Family; NULL if no rule matches.
-- @column  operation    VARCHAR text  Kind of work within the family; NULL if the rule does not say.
-- @column  precision    VARCHAR text  Type of the factors of matrix products; NULL if the name does not tell.
-- @column  tensor_cores VARCHAR text  yes, no or unknown.
-- @column  kernel_count BIGINT  count Executions.
-- @column  name_count   BIGINT  count Different full names.
-- @column  dur_ns       BIGINT  ns    Sum of the durations; kernels at the same time count in full each.
-- @column  dur_ratio    DOUBLE  ratio Share of the kernel time on this GPU.
-- @order   dur_ns DESC
-- @assert  dur_ratio BETWEEN 0 AND 1
-- @assert  tensor_cores IN ('yes', 'no', 'unknown')
-- @assert  name_count <= kernel_count
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not broken down into kernels: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT family, sum(dur_ns) AS dur_ns FROM kernel_families GROUP BY family ORDER BY dur_ns DESC
SELECT
    report_id,
    gpu_id,
    family,
    operation,
    precision,
    tensor_cores,
    CAST(sum(kernel_count) AS BIGINT) AS kernel_count,
    count(*) AS name_count,
    CAST(sum(dur_ns) AS BIGINT) AS dur_ns,
    sum(dur_ns) / nullif(sum(sum(dur_ns)) OVER (PARTITION BY report_id, gpu_id), 0) AS dur_ratio
FROM _kernel_times
GROUP BY report_id, gpu_id, family, operation, precision, tensor_cores
