-- Memory fills on the GPU.
--
-- @version 1
-- @grain   report_id, op_id
-- @source  CUPTI_ACTIVITY_KIND_MEMSET
-- @trace   CAPTURE_EVENT_TYPE=Cuda --trace=cuda
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  op_id            BIGINT  id    Memset, unique among all GPU operations of the report.
-- @column  process_id       BIGINT  id    Process that asked for it; 0 if not recorded.
-- @column  gpu_id           INTEGER id(gpus.gpu_id) GPU that filled.
-- @column  device_id        INTEGER id    CUDA device number in that process.
-- @column  context_id       BIGINT  id    CUDA context, unique only within its process.
-- @column  green_context_id BIGINT  id    Green context; NULL for none.
-- @column  stream_id        BIGINT  id    CUDA stream, unique only within its context.
-- @column  start_ns         BIGINT  ns    Start on the report's time axis.
-- @column  end_ns           BIGINT  ns    End on the report's time axis.
-- @column  dur_ns           BIGINT  ns    end_ns - start_ns.
-- @column  correlation_id   BIGINT  id    Number shared with the API call, unique only within the process; NULL for none.
-- @column  size_bytes       BIGINT  bytes Bytes filled.
-- @column  fill_value       BIGINT  -     Value written.
-- @column  memory_kind      VARCHAR text  Memory filled: pageable, pinned, device, array, managed, ...; NULL if not recorded.
-- @column  graph_node_id    BIGINT  id    Node of the CUDA graph that filled; NULL outside graphs.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  gpu_id IS NOT NULL
-- @example SELECT memory_kind, sum(size_bytes) AS size_bytes FROM memsets GROUP BY ALL
SELECT
    m.report_id,
    m._rowid * 8 + 2 AS op_id,
    coalesce(m.globalPid, 0) AS process_id,
    d.gpu_id,
    TRY_CAST(m.deviceId AS INTEGER) AS device_id,
    m.contextId AS context_id,
    nullif(m.greenContextId, 0) AS green_context_id,
    m.streamId AS stream_id,
    m.start AS start_ns,
    m.end AS end_ns,
    m.end - m.start AS dur_ns,
    nullif(m.correlationId, 0) AS correlation_id,
    m.bytes AS size_bytes,
    m.value AS fill_value,
    kinds.kind AS memory_kind,
    m.graphNodeId AS graph_node_id
FROM raw.CUPTI_ACTIVITY_KIND_MEMSET AS m
LEFT JOIN _device_gpus AS d
    ON d.report_id = m.report_id AND d.process_id = coalesce(m.globalPid, 0) AND d.device_id = m.deviceId
LEFT JOIN _memory_kinds AS kinds ON kinds.kind_id = m.memKind
