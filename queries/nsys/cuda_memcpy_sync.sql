-- NVIDIA's rule cuda_memcpy_sync: copies that hold the CPU until they are done.
--
-- Copies whose call is a runtime function cudaMemcpy... without Async in its name, but for two kinds that do not hold the
-- CPU: from host to device with at most 64,000 bytes, and within one device. The duration is the copy's on the GPU. Copies
-- that the driver's functions asked for are not here; copies has them all. A copy and its call belong to one process;
-- NVIDIA's tool takes the correlation id alone, which pairs copies with calls of other processes.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   memcpys, api_calls
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  dur_ns           BIGINT  ns    Duration on the GPU.
-- @column  start_ns         BIGINT  ns    Start on the GPU.
-- @column  src_kind         VARCHAR text  Memory copied from: Pageable, Pinned, Device, ...; NULL if not recorded.
-- @column  dst_kind         VARCHAR text  Memory copied to, likewise.
-- @column  size_bytes       BIGINT  bytes Bytes copied.
-- @column  pid              INTEGER id    Process id of the operating system.
-- @column  device_id        INTEGER id    CUDA device number in that process.
-- @column  context_id       BIGINT  id    CUDA context.
-- @column  green_context_id BIGINT  id    Green context; NULL for none.
-- @column  stream_id        BIGINT  id    CUDA stream.
-- @column  api_name         VARCHAR text  Function as recorded.
-- @column  op_id            BIGINT  id(memcpys.op_id) Copy.
-- @title   CUDA Synchronous Memcpy
-- @print   dur_ns Duration; start_ns Start; src_kind Src Kind; dst_kind Dst Kind; size_bytes Bytes; pid PID; device_id Device ID;
--     context_id Context ID; green_context_id Green Context ID; stream_id Stream ID; api_name API Name
-- @skip    CUDA memcpy data
-- @rows    50
-- @advice  The CPU waited for these copies. cudaMemcpyAsync on a stream, with pinned memory, lets it go on; sync_waits tells how long
--     each call was held.
-- @order   dur_ns DESC, start_ns, op_id
-- @assert  api_name NOT LIKE '%Async%'
-- @example SELECT start_ns, dur_ns, size_bytes, src_kind, dst_kind FROM cuda_memcpy_sync ORDER BY dur_ns DESC LIMIT 5
SELECT
    report_id, dur_ns, start_ns, src_kind, dst_kind, size_bytes, pid, device_id, context_id, green_context_id, stream_id,
    api_name, op_id
FROM _called_copies
WHERE NOT is_async AND NOT is_same_device AND NOT (direction = 'HtoD' AND size_bytes <= 64000)
