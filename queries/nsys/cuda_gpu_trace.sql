-- NVIDIA's report cuda_gpu_trace: every kernel, copy and memset on the GPU.
--
-- A migration of unified memory runs in no context and no stream: both are NULL, where nsys 2023 prints 0. The throughput is
-- NVIDIA's: bytes times 10^9 divided by the duration in whole numbers, which is up to half too low, and 0 for what took
-- longer than a second; exact_bytes_per_s is right. The device is the GPU that the process means by its number
-- (process_gpus), where NVIDIA's tool takes the number for the driver's. Exports without green contexts (before nsys
-- 2023.4), which the tool refuses, have rows too.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   any of kernels, memcpys, memsets
-- @param   name_form VARCHAR 'demangled' text Form of the kernels' names: demangled, base (short) or mangled; one that was not recorded is demangled.
-- @param   has_range BOOLEAN FALSE       bool Name the innermost NVTX range around the launch before the kernel, with a slash between.
-- @require name_form IN ('demangled', 'base', 'mangled')
-- @column  report_id              INTEGER id          Report the row belongs to.
-- @column  start_ns               BIGINT  ns          Start.
-- @column  dur_ns                 BIGINT  ns          Duration.
-- @column  correlation_id         BIGINT  id          Number shared with the API call, unique only within the process; 0 for none.
-- @column  grid_x                 INTEGER count       Blocks of the grid, x; NULL for other than kernels, as the next eight.
-- @column  grid_y                 INTEGER count       Blocks of the grid, y.
-- @column  grid_z                 INTEGER count       Blocks of the grid, z.
-- @column  block_x                INTEGER count       Threads of a block, x.
-- @column  block_y                INTEGER count       Threads of a block, y.
-- @column  block_z                INTEGER count       Threads of a block, z.
-- @column  registers_per_thread   INTEGER count       Registers of a thread.
-- @column  static_shared_bytes    BIGINT  bytes       Static shared memory of a block.
-- @column  dynamic_shared_bytes   BIGINT  bytes       Dynamic shared memory of a block.
-- @column  size_bytes             BIGINT  bytes       Bytes copied or filled; NULL for a kernel.
-- @column  throughput_bytes_per_s DOUBLE  bytes_per_s Throughput as NVIDIA computes it; NULL for a kernel or without a duration.
-- @column  src_kind               VARCHAR text        Memory copied from or filled: Pageable, Pinned, Device, ...; NULL if not recorded.
-- @column  dst_kind               VARCHAR text        Memory copied to, likewise.
-- @column  device                 VARCHAR text        Name of the GPU, and the CUDA device number in the process in parentheses.
-- @column  context_id             BIGINT  id          CUDA context; NULL for a migration.
-- @column  green_context_id       BIGINT  id          Green context; NULL for none.
-- @column  stream_id              BIGINT  id          CUDA stream; NULL for a migration.
-- @column  name                   VARCHAR text        Kernel, [CUDA memcpy DIRECTION] or [CUDA memset]; NULL for a copy of an unknown direction.
-- @column  exact_bytes_per_s      DOUBLE  bytes_per_s Bytes by duration; not printed.
-- @column  op_id                  BIGINT  id(gpu_ops.op_id) Operation.
-- @title   CUDA GPU Trace
-- @print   start_ns Start; dur_ns Duration; correlation_id CorrId; grid_x GrdX; grid_y GrdY; grid_z GrdZ; block_x BlkX; block_y
--     BlkY; block_z BlkZ; registers_per_thread Reg/Trd; static_shared_bytes StcSMem; dynamic_shared_bytes DymSMem; size_bytes
--     Bytes; throughput_bytes_per_s Throughput; src_kind SrcMemKd; dst_kind DstMemKd; device Device; context_id Ctx;
--     green_context_id GreenCtx; stream_id Strm; name Name
-- @skip    GPU trace data
-- @arg     base name_form=base
-- @arg     mangled name_form=mangled
-- @arg     nvtx-name has_range=true
-- @order   start_ns, op_id
-- @assert  throughput_bytes_per_s <= exact_bytes_per_s
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not broken down into kernels: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT start_ns, dur_ns, device, name FROM cuda_gpu_trace ORDER BY dur_ns DESC LIMIT 5
WITH ops AS (
    SELECT
        report_id, op_id, process_id, device_id, context_id, green_context_id, stream_id, start_ns, dur_ns, correlation_id,
        grid_x, grid_y, grid_z, block_x, block_y, block_z, registers_per_thread, static_shared_bytes, dynamic_shared_bytes,
        NULL AS size_bytes, NULL AS src_kind, NULL AS dst_kind, name
    FROM _named_kernels(name_form := name_form, has_range := has_range)
    UNION ALL
    SELECT
        report_id, op_id, process_id, device_id, context_id, green_context_id, stream_id, start_ns, dur_ns, correlation_id,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        size_bytes, _memory_kind_label(src_kind), _memory_kind_label(dst_kind), '[CUDA memcpy ' || label || ']'
    FROM memcpys
    UNION ALL
    SELECT
        report_id, op_id, process_id, device_id, context_id, green_context_id, stream_id, start_ns, dur_ns, correlation_id,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        size_bytes, _memory_kind_label(memory_kind), NULL, '[CUDA memset]'
    FROM memsets
),

devices AS (
    SELECT p.report_id, p.process_id, p.device_id, concat_ws(' ', g.name, format('({})', p.device_id)) AS device
    FROM process_gpus AS p
    LEFT JOIN gpus AS g USING (report_id, gpu_id)
)

SELECT
    o.report_id, o.start_ns, o.dur_ns,
    coalesce(o.correlation_id, 0) AS correlation_id,
    o.grid_x, o.grid_y, o.grid_z, o.block_x, o.block_y, o.block_z,
    o.registers_per_thread, o.static_shared_bytes, o.dynamic_shared_bytes, o.size_bytes,
    o.size_bytes * CAST(1000000000 // nullif(o.dur_ns, 0) AS DOUBLE) AS throughput_bytes_per_s,
    o.src_kind, o.dst_kind, d.device, o.context_id, o.green_context_id, o.stream_id, o.name,
    o.size_bytes * 1e9 / nullif(o.dur_ns, 0) AS exact_bytes_per_s,
    o.op_id
FROM ops AS o
LEFT JOIN devices AS d ON d.report_id = o.report_id AND d.process_id = o.process_id AND d.device_id = o.device_id
