-- Time and bytes of memory copies by direction and kind of memory, per GPU and process.
--
-- Migrations of unified memory are rows of their own (is_migration). bytes_per_s is the throughput while copying, all
-- bytes over the sum of the durations.
--
-- @version 1
-- @grain   report_id, gpu_id, process_id, direction, src_kind, dst_kind, is_migration
-- @needs   memcpys
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  gpu_id       INTEGER id(gpus.gpu_id) GPU that copied.
-- @column  process_id   BIGINT  id    Process that asked for it.
-- @column  direction    VARCHAR text  HtoD, DtoH, DtoD, ... as in memcpys.
-- @column  src_kind     VARCHAR text  Source memory; NULL if not recorded.
-- @column  dst_kind     VARCHAR text  Destination memory; NULL if not recorded.
-- @column  is_migration BOOLEAN bool  Migrations of unified memory.
-- @column  op_count     BIGINT  count Operations.
-- @column  copy_count   BIGINT  count Copies; more than op_count if some were batched.
-- @column  size_bytes   BIGINT  bytes Bytes copied.
-- @column  dur_ns       BIGINT  ns    Sum of the durations.
-- @column  bytes_per_s  DOUBLE  bytes_per_s Throughput while copying; NULL if no time passed.
-- @column  mean_bytes   DOUBLE  bytes Mean size of an operation.
-- @column  min_bytes    BIGINT  bytes Smallest operation.
-- @column  max_bytes    BIGINT  bytes Largest operation.
-- @column  mean_ns      DOUBLE  ns    Mean duration.
-- @column  median_ns    DOUBLE  ns    Median duration; the mean of the middle two of an even number.
-- @column  min_ns       BIGINT  ns    Shortest.
-- @column  max_ns       BIGINT  ns    Longest.
-- @order   dur_ns DESC
-- @assert  op_count > 0
-- @assert  copy_count >= op_count
-- @example SELECT direction, src_kind, dst_kind, size_bytes, bytes_per_s FROM memcpy_sum
SELECT
    report_id,
    gpu_id,
    process_id,
    direction,
    src_kind,
    dst_kind,
    is_migration,
    count(*) AS op_count,
    CAST(sum(copy_count) AS BIGINT) AS copy_count,
    CAST(sum(size_bytes) AS BIGINT) AS size_bytes,
    CAST(sum(dur_ns) AS BIGINT) AS dur_ns,
    sum(size_bytes) * 1e9 / nullif(sum(dur_ns), 0) AS bytes_per_s,
    avg(size_bytes) AS mean_bytes,
    min(size_bytes) AS min_bytes,
    max(size_bytes) AS max_bytes,
    avg(dur_ns) AS mean_ns,
    median(dur_ns) AS median_ns,
    min(dur_ns) AS min_ns,
    max(dur_ns) AS max_ns
FROM memcpys
GROUP BY ALL
