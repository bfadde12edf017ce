-- NVIDIA's report cuda_kern_exec_trace: every kernel launch with its call, its time in the queue and its kernel.
--
-- A launch is a kernel and the call with its correlation id. Kernels without a recorded call are not here (api_ops finds
-- them), a kernel with several such calls is a row for each, and the kernels of a CUDA graph share the call that launched
-- it: their queue time is their place in the graph, not the cost of a launch. kernel_launches has every kernel once.
--
-- @version 1
-- @grain   report_id, op_id, call_id
-- @needs   kernels, api_calls
-- @param   name_form VARCHAR 'demangled' text Form of the kernels' names: demangled, base (short) or mangled; one that was not recorded is demangled.
-- @param   has_range BOOLEAN FALSE       bool Name the innermost NVTX range around the launch before the kernel, with a slash between.
-- @require name_form IN ('demangled', 'base', 'mangled')
-- @column  report_id       INTEGER id   Report the row belongs to.
-- @column  api_start_ns    BIGINT  ns   Start of the call.
-- @column  api_ns          BIGINT  ns   Time in the call.
-- @column  queue_start_ns  BIGINT  ns   End of the call, if the kernel did not start before it; else NULL.
-- @column  queue_ns        BIGINT  ns   Time from there to the start of the kernel.
-- @column  kernel_start_ns BIGINT  ns   Start of the kernel.
-- @column  kernel_ns       BIGINT  ns   Time in the kernel.
-- @column  total_ns        BIGINT  ns   From the start of the call to the end of kernel or call, whichever is later.
-- @column  pid             BIGINT  id   Process id of the caller.
-- @column  tid             BIGINT  id   Thread id of the caller.
-- @column  device_id       INTEGER id   CUDA device number in the process.
-- @column  api_name        VARCHAR text Function that launched, without a version suffix of six characters.
-- @column  grid_xyz        VARCHAR text Blocks of the grid, x y z, each at least four characters wide.
-- @column  block_xyz       VARCHAR text Threads of a block, likewise.
-- @column  kernel_name     VARCHAR text Kernel, as the parameters say: the full demangled name by default.
-- @column  op_id           BIGINT  id(kernels.op_id)     Kernel.
-- @column  call_id         BIGINT  id   Row of the call.
-- @title   CUDA Kernel Launch & Exec Time Trace
-- @print   api_start_ns API Start; api_ns API Dur; queue_start_ns Queue Start; queue_ns Queue Dur; kernel_start_ns Kernel Start;
--     kernel_ns Kernel Dur; total_ns Total Dur; pid PID; tid TID; device_id DevId; api_name API Function; grid_xyz GridXYZ;
--     block_xyz BlockXYZ; kernel_name Kernel Name
-- @skip    CUDA kernel data
-- @arg     base name_form=base
-- @arg     mangled name_form=mangled
-- @arg     nvtx-name has_range=true
-- @order   api_start_ns, kernel_start_ns, op_id, call_id
-- @assert  queue_ns >= 0
-- @beware  SELECT report_id, format('{} kernels without a recorded call are left out', count(*)) FROM _kernel_ops
--          ANTI JOIN _api_rows USING (report_id, process_id, correlation_id) GROUP BY report_id
-- @example SELECT api_start_ns, api_ns, queue_ns, kernel_ns, kernel_name FROM cuda_kern_exec_trace ORDER BY queue_ns DESC LIMIT 5
SELECT
    report_id, api_start_ns, api_ns, queue_start_ns, queue_ns, kernel_start_ns, kernel_ns, total_ns,
    pid, tid, device_id, api_name,
    _dimensions_text(grid_x, grid_y, grid_z) AS grid_xyz,
    _dimensions_text(block_x, block_y, block_z) AS block_xyz,
    kernel_name, op_id, call_id
FROM _launches(name_form := name_form, has_range := has_range)
