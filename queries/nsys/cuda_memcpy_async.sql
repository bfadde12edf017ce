-- NVIDIA's rule cuda_memcpy_async: copies that were asked for asynchronously and cannot be, as a side is pageable memory.
--
-- Copies whose call is a runtime function cudaMemcpy...Async and whose source or destination is pageable, of any size and
-- direction, small ones that return at once too. The duration is the copy's on the GPU, not the time that the CPU was held.
-- Copies that the driver's functions or CUDA graphs asked for are not here; copies has them all. A copy and its call belong
-- to one process; NVIDIA's tool takes the correlation id alone, which pairs copies with calls of other processes.
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
-- @title   CUDA Async Memcpy with Pageable Memory
-- @print   dur_ns Duration; start_ns Start; src_kind Src Kind; dst_kind Dst Kind; size_bytes Bytes; pid PID; device_id Device ID;
--     context_id Context ID; green_context_id Green Context ID; stream_id Stream ID; api_name API Name
-- @skip    CUDA memcpy data
-- @rows    50
-- @advice  A copy to or from pageable memory is staged through a buffer of the driver, and the call may hold the CPU. Pinned memory
--     lets it run beside kernels: copies shows which of these overlap.
-- @order   dur_ns DESC, start_ns, op_id
-- @assert  'Pageable' IN (src_kind, dst_kind)
-- @example SELECT start_ns, dur_ns, size_bytes, src_kind, dst_kind FROM cuda_memcpy_async ORDER BY dur_ns DESC LIMIT 5
SELECT
    report_id, dur_ns, start_ns, src_kind, dst_kind, size_bytes, pid, device_id, context_id, green_context_id, stream_id,
    api_name, op_id
FROM _called_copies
WHERE is_async AND (src_kind = 'Pageable' OR dst_kind = 'Pageable')
