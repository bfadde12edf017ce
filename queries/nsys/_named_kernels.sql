-- Kernels under the names that NVIDIA's reports give them.
--
-- With has_range the name stands behind that of an NVTX range and a slash: of the ranges around the call that launched the
-- kernel, on the caller's thread and in any domain, the one that started last; in a window of time too, be the call or the
-- range in it or not. Without such a range, or if it has no name, the kernel's name stands alone.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   kernels
-- @param   name_form VARCHAR 'demangled' text Form of a kernel's name: demangled, base (short) or mangled; one that was not recorded is demangled.
-- @param   has_range BOOLEAN FALSE       bool Name the NVTX range of the launch before the kernel.
-- @column  report_id            INTEGER id    Report the row belongs to.
-- @column  op_id                BIGINT  id    Kernel.
-- @column  process_id           BIGINT  id    Process that launched it; 0 if not recorded.
-- @column  gpu_id               INTEGER id    GPU it ran on.
-- @column  device_id            INTEGER id    CUDA device number in that process.
-- @column  context_id           BIGINT  id    CUDA context.
-- @column  green_context_id     BIGINT  id    Green context; NULL for none.
-- @column  stream_id            BIGINT  id    CUDA stream.
-- @column  start_ns             BIGINT  ns    Start.
-- @column  end_ns               BIGINT  ns    End.
-- @column  dur_ns               BIGINT  ns    Duration.
-- @column  correlation_id       BIGINT  id    Number shared with the call; NULL for none.
-- @column  grid_x               INTEGER count Blocks of the grid, x.
-- @column  grid_y               INTEGER count Blocks of the grid, y.
-- @column  grid_z               INTEGER count Blocks of the grid, z.
-- @column  block_x              INTEGER count Threads of a block, x.
-- @column  block_y              INTEGER count Threads of a block, y.
-- @column  block_z              INTEGER count Threads of a block, z.
-- @column  registers_per_thread INTEGER count Registers of a thread.
-- @column  static_shared_bytes  BIGINT  bytes Static shared memory of a block.
-- @column  dynamic_shared_bytes BIGINT  bytes Dynamic shared memory of a block.
-- @column  name                 VARCHAR text  Name as printed.
WITH named AS (
    SELECT
        *,
        CASE name_form
            WHEN 'base' THEN coalesce(short_name, name) WHEN 'mangled' THEN coalesce(mangled_name, name) ELSE name
        END AS kernel
    FROM kernels
)

SELECT
    k.report_id, k.op_id, k.process_id, k.gpu_id, k.device_id, k.context_id, k.green_context_id, k.stream_id,
    k.start_ns, k.end_ns, k.dur_ns, k.correlation_id,
    k.grid_x, k.grid_y, k.grid_z, k.block_x, k.block_y, k.block_z,
    k.registers_per_thread, k.static_shared_bytes, k.dynamic_shared_bytes,
    CASE WHEN has_range THEN coalesce(r.range_name || '/' || k.kernel, k.kernel) ELSE k.kernel END AS name
FROM named AS k
LEFT JOIN (FROM _op_range_names WHERE has_range) AS r ON r.report_id = k.report_id AND r.op_id = k.op_id
