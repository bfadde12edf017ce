-- NVIDIA's rule cuda_memset_sync: memsets that hold the CPU until they are done.
--
-- Memsets of pinned or managed memory whose call is a runtime function cudaMemset... without Async in its name; those of
-- device memory return at once. The duration is the memset's on the GPU. Memsets that the driver's functions asked for are
-- not here; memsets has them all. A memset and its call belong to one process; NVIDIA's tool takes the correlation id alone,
-- which pairs memsets with calls of other processes.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   memsets, api_calls
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  dur_ns           BIGINT  ns    Duration on the GPU.
-- @column  start_ns         BIGINT  ns    Start on the GPU.
-- @column  memory_kind      VARCHAR text  Memory filled: Pinned or Managed.
-- @column  size_bytes       BIGINT  bytes Bytes filled.
-- @column  pid              INTEGER id    Process id of the operating system.
-- @column  device_id        INTEGER id    CUDA device number in that process.
-- @column  context_id       BIGINT  id    CUDA context.
-- @column  green_context_id BIGINT  id    Green context; NULL for none.
-- @column  stream_id        BIGINT  id    CUDA stream.
-- @column  api_name         VARCHAR text  Function as recorded.
-- @column  op_id            BIGINT  id(memsets.op_id) Memset.
-- @title   CUDA Synchronous Memset
-- @print   dur_ns Duration; start_ns Start; memory_kind Memory Kind; size_bytes Bytes; pid PID; device_id Device ID;
--     context_id Context ID; green_context_id Green Context ID; stream_id Stream ID; api_name API Name
-- @skip    CUDA memset data
-- @rows    50
-- @advice  The CPU waited for these memsets. cudaMemsetAsync lets it go on; sync_waits tells how long each call was held.
-- @order   dur_ns DESC, start_ns, op_id
-- @assert  memory_kind IN ('Pinned', 'Managed')
-- @example SELECT start_ns, dur_ns, size_bytes, memory_kind FROM cuda_memset_sync ORDER BY dur_ns DESC LIMIT 5
SELECT
    m.report_id, m.dur_ns, m.start_ns,
    _memory_kind_label(m.memory_kind) AS memory_kind,
    m.size_bytes, CAST((m.process_id >> 24) & 16777215 AS INTEGER) AS pid, m.device_id, m.context_id, m.green_context_id, m.stream_id,
    a.raw_name AS api_name,
    m.op_id
FROM memsets AS m
INNER JOIN _op_calls AS c ON c.report_id = m.report_id AND c.op_id = m.op_id
INNER JOIN _api_rows AS a ON a.report_id = c.report_id AND a.call_id = c.call_id
WHERE a.raw_name LIKE 'cudaMemset%' AND a.raw_name NOT LIKE '%Async%' AND m.memory_kind IN ('pinned', 'managed')
