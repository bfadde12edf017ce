-- Memory pools of CUDA being created, trimmed and destroyed.
--
-- @version 1
-- @grain   report_id, pool_event_id
-- @source  CUDA_GPU_MEMORY_POOL_EVENTS
-- @trace   *COLLECT_GPU_MEMORY_USAGE=true --trace=cuda --cuda-memory-usage=true
-- @column  report_id       INTEGER id    Report the row belongs to.
-- @column  pool_event_id   BIGINT  id    Event, unique within the report.
-- @column  kind            VARCHAR text  created, trimmed, destroyed or unknown.
-- @column  process_id      BIGINT  id    Process of the pool.
-- @column  gpu_id          INTEGER id(gpus.gpu_id) GPU of the pool; NULL if nothing tells.
-- @column  device_id       INTEGER id    CUDA device number in that process.
-- @column  time_ns         BIGINT  ns    When it happened, on the report's time axis.
-- @column  pool_address    UBIGINT id    Memory pool.
-- @column  is_imported     BOOLEAN bool  The pool is another process's.
-- @column  pool_size_bytes BIGINT  bytes Memory that the pool holds.
-- @column  pool_used_bytes BIGINT  bytes Memory of the pool that is in use.
-- @column  release_threshold_bytes BIGINT bytes Unused memory that the pool keeps when the process waits for the GPU.
-- @column  min_keep_bytes  BIGINT  bytes Unused memory that a trim leaves; NULL for others.
-- @column  correlation_id  BIGINT  id    Number shared with the API call, unique only within the process; NULL for none.
-- @order   report_id, time_ns, pool_event_id
-- @assert  kind IN ('created', 'trimmed', 'destroyed', 'unknown')
-- @example SELECT kind, count(*) AS event_count FROM memory_pool_events GROUP BY ALL
SELECT
    m.report_id,
    m._rowid AS pool_event_id,
    CASE m.operationType WHEN 1 THEN 'created' WHEN 2 THEN 'destroyed' WHEN 3 THEN 'trimmed' ELSE 'unknown' END AS kind,
    m.globalPid AS process_id,
    d.gpu_id,
    TRY_CAST(m.deviceId AS INTEGER) AS device_id,
    m.start AS time_ns,
    CAST(CAST(m.address AS HUGEINT) & 18446744073709551615 AS UBIGINT) AS pool_address,
    m.poolType = 2 AS is_imported,
    m.localMemoryPoolSize AS pool_size_bytes,
    m.localMemoryPoolUtilizedSize AS pool_used_bytes,
    m.localMemoryPoolReleaseThreshold AS release_threshold_bytes,
    CASE WHEN m.operationType = 3 THEN m.minBytesToKeep END AS min_keep_bytes,
    nullif(m.correlationId, 0) AS correlation_id
FROM raw.CUDA_GPU_MEMORY_POOL_EVENTS AS m
LEFT JOIN _device_gpus AS d
    ON d.report_id = m.report_id AND d.process_id = m.globalPid AND d.device_id = m.deviceId
