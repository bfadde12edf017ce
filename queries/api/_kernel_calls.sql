-- API calls that launched one kernel and nothing else.
--
-- Graphs and batches are not here, nor kernels whose call is not known.
--
-- @version 1
-- @grain   report_id, call_id
-- @column  report_id  INTEGER id Report the row belongs to.
-- @column  call_id    BIGINT  id Call.
-- @column  process_id BIGINT  id Process that launched.
-- @column  thread_id  BIGINT  id Thread that called.
-- @column  op_id      BIGINT  id Kernel execution.
-- @column  gpu_id     INTEGER id GPU it ran on.
-- @column  name_id    BIGINT  id Name of the kernel, unique within the report.
-- @column  start_ns   BIGINT  ns Start of the call.
-- @column  end_ns     BIGINT  ns End of the call.
-- @column  dur_ns     BIGINT  ns end_ns - start_ns.
WITH batches AS (
    SELECT report_id, call_id FROM _op_calls WHERE op_number = 2
)

SELECT
    k.report_id, c.call_id, k.process_id, c.thread_id, k.op_id, k.gpu_id, k.name_id, c.start_ns, c.end_ns, c.dur_ns
FROM _op_calls AS o
INNER JOIN _kernel_ops AS k ON k.report_id = o.report_id AND k.op_id = o.op_id
INNER JOIN api_calls AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
ANTI JOIN batches AS b ON b.report_id = o.report_id AND b.call_id = o.call_id
WHERE k.graph_node_id IS NULL
