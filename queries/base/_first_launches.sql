-- The first launch of each kernel in a process on a GPU.
--
-- Of API calls that launched one kernel and nothing else, the one that began first. Computed once per report: it is few rows
-- from many.
--
-- @version 1
-- @kind    table
-- @grain   report_id, process_id, gpu_id, name_id
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  process_id   BIGINT  id    Process that launched.
-- @column  gpu_id       INTEGER id    GPU that the kernel ran on.
-- @column  name_id      BIGINT  id    Number of the kernel's full name.
-- @column  call_id      BIGINT  id    API call of the first launch.
-- @column  op_id        BIGINT  id    Kernel that it launched.
-- @column  launch_count BIGINT  count Such calls.
SELECT
    k.report_id, k.process_id, k.gpu_id, k.name_id,
    arg_min(c.call_id, (c.start_ns, c.call_id)) AS call_id,
    arg_min(k.op_id, (c.start_ns, c.call_id)) AS op_id,
    count(*) AS launch_count
FROM _kernel_ops AS k
INNER JOIN _op_calls AS o ON o.report_id = k.report_id AND o.op_id = k.op_id
ANTI JOIN (FROM _op_calls WHERE op_number = 2) AS b ON b.report_id = o.report_id AND b.call_id = o.call_id
INNER JOIN api_calls AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
WHERE k.graph_node_id IS NULL
GROUP BY k.report_id, k.process_id, k.gpu_id, k.name_id
