-- Memory copies on the GPU, migrations of unified memory among them.
--
-- A row is the transfer itself, not the call that asked for it. A batched copy is one row with a copy_count above 1.
-- Migrations (is_migration) have no stream and no API call.
--
-- @version 1
-- @grain   report_id, op_id
-- @source  CUPTI_ACTIVITY_KIND_MEMCPY
-- @trace   CAPTURE_EVENT_TYPE=Cuda --trace=cuda
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  op_id            BIGINT  id    Copy, unique among all GPU operations of the report.
-- @column  process_id       BIGINT  id    Process that asked for it; 0 if not recorded.
-- @column  gpu_id           INTEGER id(gpus.gpu_id) GPU that copied.
-- @column  device_id        INTEGER id    CUDA device number in that process.
-- @column  context_id       BIGINT  id    CUDA context, unique only within its process; NULL for a migration.
-- @column  green_context_id BIGINT  id    Green context; NULL for none.
-- @column  stream_id        BIGINT  id    CUDA stream, unique only within its context; NULL for a migration.
-- @column  start_ns         BIGINT  ns    Start on the report's time axis.
-- @column  end_ns           BIGINT  ns    End on the report's time axis.
-- @column  dur_ns           BIGINT  ns    end_ns - start_ns.
-- @column  correlation_id   BIGINT  id    Number shared with the API call, unique only within the process; NULL for none.
-- @column  direction        VARCHAR text  HtoD, DtoH, DtoD, HtoH, PtoP, HtoA, AtoH, AtoA, AtoD, DtoA (A: array) or unknown.
-- @column  size_bytes       BIGINT  bytes Bytes copied.
-- @column  copy_count       BIGINT  count Copies in a batch; 1 for a single one.
-- @column  src_kind         VARCHAR text  Source memory: pageable, pinned, device, array, managed, ...; NULL if not recorded.
-- @column  dst_kind         VARCHAR text  Destination memory, like src_kind.
-- @column  src_device_id    INTEGER id    Device of the source for a copy between devices.
-- @column  dst_device_id    INTEGER id    Device of the destination for a copy between devices.
-- @column  is_migration     BOOLEAN bool  Migration of unified memory.
-- @column  migration_cause  VARCHAR text  user, page_fault, speculative, eviction or access_counters; NULL for others.
-- @column  virtual_address  UBIGINT id    Address that migrated; NULL for others.
-- @column  graph_node_id    BIGINT  id    Node of the CUDA graph that copied; NULL outside graphs.
-- @column  label            VARCHAR text  Direction in the export's own words, as Host-to-Device or Unified Host-to-Device (a migration); those of nsys 2025 if it has none; NULL for a number that neither knows.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  gpu_id IS NOT NULL
-- @assert  direction IS NOT NULL
-- @example SELECT direction, src_kind, sum(size_bytes) AS size_bytes FROM memcpys GROUP BY ALL
SELECT
    m.report_id,
    m._rowid * 8 + 1 AS op_id,
    coalesce(m.globalPid, 0) AS process_id,
    d.gpu_id,
    TRY_CAST(m.deviceId AS INTEGER) AS device_id,
    CASE WHEN m.copyKind NOT BETWEEN 11 AND 13 THEN m.contextId END AS context_id,
    nullif(m.greenContextId, 0) AS green_context_id,
    CASE WHEN m.copyKind NOT BETWEEN 11 AND 13 THEN m.streamId END AS stream_id,
    m.start AS start_ns,
    m.end AS end_ns,
    m.end - m.start AS dur_ns,
    nullif(m.correlationId, 0) AS correlation_id,
    coalesce(kinds.direction, 'unknown') AS direction,
    m.bytes AS size_bytes,
    coalesce(m.copyCount, 1) AS copy_count,
    source.kind AS src_kind,
    destination.kind AS dst_kind,
    TRY_CAST(m.srcDeviceId AS INTEGER) AS src_device_id,
    TRY_CAST(m.dstDeviceId AS INTEGER) AS dst_device_id,
    m.copyKind BETWEEN 11 AND 13 AS is_migration,
    CASE m.migrationCause
        WHEN 1 THEN 'user' WHEN 2 THEN 'page_fault' WHEN 3 THEN 'speculative' WHEN 4 THEN 'eviction'
        WHEN 5 THEN 'access_counters'
    END AS migration_cause,
    CASE
        WHEN m.virtualAddress < 0 THEN CAST(m.virtualAddress + 18446744073709551616::HUGEINT AS UBIGINT)
        ELSE CAST(m.virtualAddress AS UBIGINT)
    END AS virtual_address,
    m.graphNodeId AS graph_node_id,
    coalesce(labels.label, kinds.label) AS label
FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY AS m
LEFT JOIN _device_gpus AS d
    ON d.report_id = m.report_id AND d.process_id = coalesce(m.globalPid, 0) AND d.device_id = m.deviceId
LEFT JOIN _memcpy_kinds AS kinds ON kinds.kind_id = m.copyKind
LEFT JOIN (
    SELECT report_id, id AS kind_id, min(label) AS label
    FROM raw.ENUM
    WHERE source = 'ENUM_CUDA_MEMCPY_OPER'
    GROUP BY ALL
) AS labels ON labels.report_id = m.report_id AND labels.kind_id = m.copyKind
LEFT JOIN _memory_kinds AS source ON source.kind_id = m.srcKind
LEFT JOIN _memory_kinds AS destination ON destination.kind_id = m.dstKind
