-- Rows of GPU work that may bear the number of an API call, as they are recorded: what calls are matched with.
--
-- Apart from gpu_ops, which knows names and GPUs. Launches of whole CUDA graphs are here, also where their nodes have rows.
--
-- @version 1
-- @grain   report_id, op_id
-- @column  report_id      INTEGER id   Report the row belongs to.
-- @column  op_id          BIGINT  id   Operation, the same number as in the relation of its kind.
-- @column  process_id     BIGINT  id   Process that the work belongs to; NULL if not recorded.
-- @column  correlation_id BIGINT  id   Number shared with the API call, unique only within the process; NULL for none.
-- @column  start_ns       BIGINT  ns   Start on the report's time axis.
-- @column  end_ns         BIGINT  ns   End on the report's time axis.
-- @column  is_graph       BOOLEAN bool Launch of a whole CUDA graph.
SELECT
    report_id, _rowid * 8 AS op_id, globalPid AS process_id, nullif(correlationId, 0) AS correlation_id,
    start AS start_ns, "end" AS end_ns, FALSE AS is_graph
FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
UNION ALL
SELECT report_id, _rowid * 8 + 1, globalPid, nullif(correlationId, 0), start, "end", FALSE
FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY
UNION ALL
SELECT report_id, _rowid * 8 + 2, globalPid, nullif(correlationId, 0), start, "end", FALSE
FROM raw.CUPTI_ACTIVITY_KIND_MEMSET
UNION ALL
SELECT report_id, _rowid * 8 + 3, globalPid, nullif(correlationId, 0), start, "end", TRUE
FROM raw.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
