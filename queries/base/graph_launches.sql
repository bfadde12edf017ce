-- Executions of whole CUDA graphs on the GPU.
--
-- Recorded when graphs are traced as a whole, which is the default of nsys: the kernels, copies and memsets inside have
-- no rows of their own then. If the same execution was also traced node by node, is_expanded is true and only its
-- nodes count as GPU work (gpu_ops).
--
-- @version 1
-- @grain   report_id, op_id
-- @source  CUPTI_ACTIVITY_KIND_GRAPH_TRACE
-- @trace   CAPTURE_EVENT_TYPE=Cuda --trace=cuda --cuda-graph-trace=graph
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  op_id            BIGINT  id    Execution, unique among all GPU operations of the report.
-- @column  process_id       BIGINT  id    Process that launched it; 0 if not recorded.
-- @column  gpu_id           INTEGER id(gpus.gpu_id) GPU it ran on; NULL if its first node ran on the host.
-- @column  device_id        INTEGER id    CUDA device number in that process; NULL if its first node ran on the host.
-- @column  context_id       BIGINT  id    CUDA context, unique only within its process; NULL if its first node ran on the host.
-- @column  green_context_id BIGINT  id    Green context; NULL for none.
-- @column  stream_id        BIGINT  id    CUDA stream, unique only within its context.
-- @column  start_ns         BIGINT  ns    Start on the report's time axis; NULL if its first node ran on the host.
-- @column  end_ns           BIGINT  ns    End on the report's time axis; NULL if its first node ran on the host.
-- @column  dur_ns           BIGINT  ns    end_ns - start_ns.
-- @column  correlation_id   BIGINT  id    Number shared with the API call that launched it, unique only within the process; NULL for none.
-- @column  graph_id         BIGINT  id    CUDA graph.
-- @column  graph_exec_id    BIGINT  id    Instantiated graph that was launched.
-- @column  is_expanded      BOOLEAN bool  The nodes of this execution have rows of their own.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @example SELECT graph_id, count(*) AS launch_count FROM graph_launches GROUP BY ALL
WITH nodes AS (
    SELECT report_id, globalPid, correlationId FROM raw.CUPTI_ACTIVITY_KIND_KERNEL WHERE graphNodeId IS NOT NULL
    UNION
    SELECT report_id, globalPid, correlationId FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY WHERE graphNodeId IS NOT NULL
    UNION
    SELECT report_id, globalPid, correlationId FROM raw.CUPTI_ACTIVITY_KIND_MEMSET WHERE graphNodeId IS NOT NULL
)

SELECT
    g.report_id,
    g._rowid * 8 + 3 AS op_id,
    coalesce(g.globalPid, 0) AS process_id,
    d.gpu_id,
    TRY_CAST(nullif(g.deviceId, 2147483647) AS INTEGER) AS device_id,
    nullif(g.contextId, 2147483647) AS context_id,
    nullif(g.greenContextId, 0) AS green_context_id,
    g.streamId AS stream_id,
    CASE WHEN g.deviceId <> 2147483647 THEN g.start END AS start_ns,
    CASE WHEN g.deviceId <> 2147483647 THEN g.end END AS end_ns,
    CASE WHEN g.deviceId <> 2147483647 THEN g.end - g.start END AS dur_ns,
    nullif(g.correlationId, 0) AS correlation_id,
    g.graphId AS graph_id,
    g.graphExecId AS graph_exec_id,
    n.correlationId IS NOT NULL AS is_expanded
FROM raw.CUPTI_ACTIVITY_KIND_GRAPH_TRACE AS g
LEFT JOIN _device_gpus AS d
    ON d.report_id = g.report_id AND d.process_id = coalesce(g.globalPid, 0) AND d.device_id = g.deviceId
LEFT JOIN nodes AS n
    ON n.report_id = g.report_id AND coalesce(n.globalPid, 0) = coalesce(g.globalPid, 0) AND n.correlationId = nullif(g.correlationId, 0)
