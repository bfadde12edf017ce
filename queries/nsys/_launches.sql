-- Kernel launches in NVIDIA's sense: every pair of a kernel and a call of its process with its correlation id.
--
-- @version 1
-- @grain   report_id, op_id, call_id
-- @needs   kernels, api_calls
-- @param   name_form VARCHAR 'demangled' text Form of the kernels' names, as in _named_kernels.
-- @param   has_range BOOLEAN FALSE       bool Name the NVTX range of the launch before the kernel, as in _named_kernels.
-- @column  report_id       INTEGER id    Report the row belongs to.
-- @column  op_id           BIGINT  id    Kernel.
-- @column  call_id         BIGINT  id    Row of the call.
-- @column  api_start_ns    BIGINT  ns    Start of the call.
-- @column  api_ns          BIGINT  ns    Time in the call.
-- @column  queue_start_ns  BIGINT  ns    End of the call, if the kernel did not start before it; else NULL.
-- @column  queue_ns        BIGINT  ns    Time from there to the start of the kernel.
-- @column  kernel_start_ns BIGINT  ns    Start of the kernel.
-- @column  kernel_ns       BIGINT  ns    Time in the kernel.
-- @column  total_ns        BIGINT  ns    From the start of the call to the end of kernel or call, whichever is later.
-- @column  pid             BIGINT  id    Process id of the caller.
-- @column  tid             BIGINT  id    Thread id of the caller.
-- @column  device_id       INTEGER id    CUDA device number in the process.
-- @column  api_name        VARCHAR text  Function that launched, as printed.
-- @column  grid_x          INTEGER count Blocks of the grid, x.
-- @column  grid_y          INTEGER count Blocks of the grid, y.
-- @column  grid_z          INTEGER count Blocks of the grid, z.
-- @column  block_x         INTEGER count Threads of a block, x.
-- @column  block_y         INTEGER count Threads of a block, y.
-- @column  block_z         INTEGER count Threads of a block, z.
-- @column  kernel_name     VARCHAR text  Kernel, as printed.
SELECT
    k.report_id,
    k.op_id,
    a.call_id,
    a.start_ns AS api_start_ns,
    a.dur_ns AS api_ns,
    CASE WHEN k.start_ns >= a.end_ns THEN a.end_ns END AS queue_start_ns,
    CASE WHEN k.start_ns >= a.end_ns THEN k.start_ns - a.end_ns END AS queue_ns,
    k.start_ns AS kernel_start_ns,
    k.dur_ns AS kernel_ns,
    greatest(a.end_ns, k.end_ns) - a.start_ns AS total_ns,
    a.pid,
    a.tid,
    k.device_id,
    _short_api_name(a.raw_name) AS api_name,
    k.grid_x, k.grid_y, k.grid_z, k.block_x, k.block_y, k.block_z,
    k.name AS kernel_name
FROM _named_kernels(name_form := name_form, has_range := has_range) AS k
INNER JOIN _api_rows AS a USING (report_id, process_id, correlation_id)
