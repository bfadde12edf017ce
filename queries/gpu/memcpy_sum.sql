-- Time and bytes of memory copies by direction and kind of memory, per GPU and process.
--
-- Migrations of unified memory are rows of their own (is_migration). bytes_per_s is the throughput while copying, all
-- bytes over the sum of the durations. What pageable copies cost and how much of it kernels hid are the rows of that
-- memory_kind; copies defines the concepts and has every single copy. Copies that ran at once count in full each
-- (copy_compute_overlap takes them together).
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
-- @column  memory_kind  VARCHAR text  Memory that decides how the copy is done, as in copies: pageable, pinned, managed, device or array; NULL if not recorded.
-- @column  hidden_ns    BIGINT  ns    Sum of the times in which a kernel ran on the same GPU.
-- @column  exposed_ns   BIGINT  ns    The rest of dur_ns.
-- @column  hidden_ratio DOUBLE  ratio hidden_ns of dur_ns; NULL if no time passed.
-- @column  called_count BIGINT  count Operations whose call is known; the columns below know nothing of the others.
-- @column  async_count  BIGINT  count Operations whose function need not wait, by its name.
-- @column  waited_count BIGINT  count Operations whose call returned only after they had ended.
-- @column  waited_ns    BIGINT  ns    Sum of the times in which the call still ran; NULL without calls.
-- @column  call_ns      BIGINT  ns    Time in the calls that asked for them; a call with several operations counts by its first one; NULL without calls.
-- @order   dur_ns DESC
-- @assert  op_count > 0
-- @assert  copy_count >= op_count
-- @assert  dur_ns = hidden_ns + exposed_ns AND hidden_ns >= 0 AND exposed_ns >= 0
-- @assert  hidden_ratio BETWEEN 0 AND 1
-- @assert  called_count <= op_count AND async_count <= called_count AND waited_count <= called_count
-- @example SELECT direction, src_kind, dst_kind, size_bytes, bytes_per_s FROM memcpy_sum
-- @example SELECT memory_kind, sum(dur_ns) AS dur_ns, sum(exposed_ns) AS exposed_ns, sum(call_ns) AS call_ns FROM memcpy_sum GROUP BY ALL
SELECT
    m.report_id,
    m.gpu_id,
    m.process_id,
    m.direction,
    m.src_kind,
    m.dst_kind,
    m.is_migration,
    count(*) AS op_count,
    CAST(sum(m.copy_count) AS BIGINT) AS copy_count,
    CAST(sum(m.size_bytes) AS BIGINT) AS size_bytes,
    CAST(sum(m.dur_ns) AS BIGINT) AS dur_ns,
    sum(m.size_bytes) * 1e9 / nullif(sum(m.dur_ns), 0) AS bytes_per_s,
    avg(m.size_bytes) AS mean_bytes,
    min(m.size_bytes) AS min_bytes,
    max(m.size_bytes) AS max_bytes,
    avg(m.dur_ns) AS mean_ns,
    median(m.dur_ns) AS median_ns,
    min(m.dur_ns) AS min_ns,
    max(m.dur_ns) AS max_ns,
    c.memory_kind,
    CAST(sum(c.hidden_ns) AS BIGINT) AS hidden_ns,
    CAST(sum(m.dur_ns - c.hidden_ns) AS BIGINT) AS exposed_ns,
    sum(c.hidden_ns) / nullif(sum(m.dur_ns), 0) AS hidden_ratio,
    count(c.call_id) AS called_count,
    count(CASE WHEN c.is_async THEN 1 END) AS async_count,
    count(CASE WHEN c.is_waited THEN 1 END) AS waited_count,
    CAST(sum(c.waited_ns) AS BIGINT) AS waited_ns,
    CAST(sum(CASE WHEN c.op_number = 1 THEN c.call_ns END) AS BIGINT) AS call_ns
FROM memcpys AS m
INNER JOIN _copies AS c ON c.report_id = m.report_id AND c.op_id = m.op_id
GROUP BY ALL
