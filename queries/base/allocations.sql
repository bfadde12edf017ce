-- Allocations and frees of memory through CUDA, one row each.
--
-- A pool's memory is allocated and freed without the driver; sizes of the pool itself stand beside such rows, its own
-- life is in memory_pool_events. Static variables of a module appear when it is loaded, with a name and without a context.
-- Libraries that keep a cache, as PyTorch does, allocate in large blocks: what the program holds inside them is not known.
--
-- @version 1
-- @grain   report_id, memory_event_id
-- @source  CUDA_GPU_MEMORY_USAGE_EVENTS
-- @trace   *COLLECT_GPU_MEMORY_USAGE=true --trace=cuda --cuda-memory-usage=true
-- @column  report_id         INTEGER id    Report the row belongs to.
-- @column  memory_event_id   BIGINT  id    Allocation or free, unique within the report.
-- @column  kind              VARCHAR text  alloc, free or unknown.
-- @column  process_id        BIGINT  id    Process of the memory.
-- @column  gpu_id            INTEGER id(gpus.gpu_id) GPU of the memory; NULL if nothing tells.
-- @column  device_id         INTEGER id    CUDA device number in that process.
-- @column  context_id        BIGINT  id    CUDA context, unique only within its process; NULL for a static variable.
-- @column  stream_id         BIGINT  id    Stream of an allocation from a pool; NULL for others or if not recorded.
-- @column  time_ns           BIGINT  ns    When it happened, on the report's time axis.
-- @column  memory_kind       VARCHAR text  pinned, device, managed, device_static, ...
-- @column  address           UBIGINT id    First address; a later allocation may have it again.
-- @column  size_bytes        BIGINT  bytes Size.
-- @column  name              VARCHAR text  Name of a static variable; NULL for others.
-- @column  pool_address      UBIGINT id    Memory pool; NULL outside pools.
-- @column  pool_size_bytes   BIGINT  bytes Memory that the pool holds; NULL outside pools.
-- @column  pool_used_bytes   BIGINT  bytes Memory of the pool that is in use; NULL outside pools.
-- @column  correlation_id    BIGINT  id    Number shared with the API call, unique only within the process; NULL for none.
-- @order   report_id, time_ns, memory_event_id
-- @assert  kind IN ('alloc', 'free', 'unknown')
-- @example SELECT memory_kind, kind, sum(size_bytes) AS size_bytes FROM allocations GROUP BY ALL
SELECT
    m.report_id,
    m._rowid AS memory_event_id,
    CASE m.memoryOperationType WHEN 0 THEN 'alloc' WHEN 1 THEN 'free' ELSE 'unknown' END AS kind,
    m.globalPid AS process_id,
    d.gpu_id,
    TRY_CAST(m.deviceId AS INTEGER) AS device_id,
    nullif(m.contextId, 0) AS context_id,
    nullif(m.streamId, 4294967295) AS stream_id,
    m.start AS time_ns,
    kinds.kind AS memory_kind,
    CAST(CAST(m.address AS HUGEINT) & 18446744073709551615 AS UBIGINT) AS address,
    m.bytes AS size_bytes,
    nullif(m.name, '') AS name,
    CAST(CAST(nullif(m.localMemoryPoolAddress, 0) AS HUGEINT) & 18446744073709551615 AS UBIGINT) AS pool_address,
    m.localMemoryPoolSize AS pool_size_bytes,
    m.localMemoryPoolUtilizedSize AS pool_used_bytes,
    nullif(m.correlationId, 0) AS correlation_id
FROM raw.CUDA_GPU_MEMORY_USAGE_EVENTS AS m
LEFT JOIN _device_gpus AS d
    ON d.report_id = m.report_id AND d.process_id = m.globalPid AND d.device_id = m.deviceId
LEFT JOIN _memory_kinds AS kinds ON kinds.kind_id = m.memKind
