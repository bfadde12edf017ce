-- Memory copies with the runtime function that asked for them.
--
-- By process and correlation id; of several calls with one number the outermost (api_ops). Copies that another function
-- asked for, as one of the driver or the launch of a CUDA graph, are not here.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   memcpys, api_calls
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  dur_ns           BIGINT  ns    Duration.
-- @column  start_ns         BIGINT  ns    Start.
-- @column  src_kind         VARCHAR text  Memory copied from, as printed.
-- @column  dst_kind         VARCHAR text  Memory copied to, as printed.
-- @column  size_bytes       BIGINT  bytes Bytes.
-- @column  pid              INTEGER id    Process id of the operating system.
-- @column  device_id        INTEGER id    CUDA device number in that process.
-- @column  context_id       BIGINT  id    CUDA context.
-- @column  green_context_id BIGINT  id    Green context; NULL for none.
-- @column  stream_id        BIGINT  id    CUDA stream.
-- @column  api_name         VARCHAR text  Function as recorded: cudaMemcpy...
-- @column  op_id            BIGINT  id    Copy.
-- @column  direction        VARCHAR text  HtoD, DtoH, ...
-- @column  is_same_device   BOOLEAN bool  Source and destination are on one device.
-- @column  is_async         BOOLEAN bool  The function has Async in its name.
SELECT
    m.report_id, m.dur_ns, m.start_ns,
    _memory_kind_label(m.src_kind) AS src_kind,
    _memory_kind_label(m.dst_kind) AS dst_kind,
    m.size_bytes, CAST((m.process_id >> 24) & 16777215 AS INTEGER) AS pid, m.device_id, m.context_id, m.green_context_id, m.stream_id,
    a.raw_name AS api_name,
    m.op_id, m.direction,
    coalesce(m.src_device_id = m.dst_device_id, FALSE) AS is_same_device,
    a.raw_name LIKE '%Async%' AS is_async
FROM memcpys AS m
INNER JOIN _op_calls AS c ON c.report_id = m.report_id AND c.op_id = m.op_id
INNER JOIN _api_rows AS a ON a.report_id = c.report_id AND a.call_id = c.call_id
WHERE a.raw_name LIKE 'cudaMemcpy%'
