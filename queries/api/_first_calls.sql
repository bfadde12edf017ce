-- The first call that launched each kernel in a process on a GPU.
--
-- @version 1
-- @grain   report_id, process_id, gpu_id, name_id
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  process_id   BIGINT  id    Process that launched.
-- @column  gpu_id       INTEGER id    GPU that the kernel ran on.
-- @column  name_id      BIGINT  id    Name of the kernel, unique within the report.
-- @column  call_id      BIGINT  id    First call.
-- @column  op_id        BIGINT  id    Kernel execution of it.
-- @column  launch_count BIGINT  count Launches of the kernel.
SELECT
    report_id, process_id, gpu_id, name_id,
    arg_min(call_id, (start_ns, call_id)) AS call_id, arg_min(op_id, (start_ns, call_id)) AS op_id,
    count(*) AS launch_count
FROM _kernel_calls
GROUP BY report_id, process_id, gpu_id, name_id
