-- NVIDIA's report cuda_gpu_mem_size_sum: bytes of copies and memsets by operation.
--
-- All GPUs and processes of the report together, in units of 10^6 bytes, not rounded; the tool prints three decimals.
-- Which operations are here: see cuda_gpu_mem_time_sum.
--
-- @version 1
-- @grain   report_id, operation
-- @needs   any of memcpys, memsets
-- @column  report_id INTEGER id    Report the row belongs to.
-- @column  total_mb  DOUBLE  mb    Sum.
-- @column  op_count  BIGINT  count Operations.
-- @column  mean_mb   DOUBLE  mb    Mean.
-- @column  median_mb DOUBLE  mb    Median.
-- @column  min_mb    DOUBLE  mb    Smallest.
-- @column  max_mb    DOUBLE  mb    Largest.
-- @column  stddev_mb DOUBLE  mb    Sample standard deviation; 0 for one operation.
-- @column  operation VARCHAR text  [CUDA memcpy DIRECTION] or [CUDA memset].
-- @title   CUDA GPU MemOps Summary (by Size)
-- @print   total_mb Total; op_count Count; mean_mb Avg; median_mb Med; min_mb Min; max_mb Max; stddev_mb StdDev; operation
--     Operation
-- @skip    GPU memory data
-- @order   total_mb DESC
-- @assert  min_mb <= median_mb AND median_mb <= max_mb
-- @beware  SELECT report_id, format('{} copies of an unknown direction are left out', count(*)) FROM memcpys
--          WHERE label IS NULL GROUP BY report_id
-- @example SELECT operation, op_count, total_mb FROM cuda_gpu_mem_size_sum
SELECT
    report_id,
    sum(size_bytes) / 1e6 AS total_mb,
    count(*) AS op_count,
    avg(size_bytes) / 1e6 AS mean_mb,
    median(size_bytes) / 1e6 AS median_mb,
    min(size_bytes) / 1e6 AS min_mb,
    max(size_bytes) / 1e6 AS max_mb,
    stddev_or_zero(size_bytes) / 1e6 AS stddev_mb,
    operation
FROM _mem_ops
GROUP BY report_id, operation
