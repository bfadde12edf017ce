-- All work of the GPUs in one relation: kernels, copies, memsets and graph launches.
--
-- Whatever keeps a GPU busy is here once. A CUDA graph counts by its nodes where they were traced, else by its launch.
-- Hardware decompression (nsys 2026.4) is not among them. Waits are no work: synchronization rows of an export carry a device
-- and a stream, yet the GPU does nothing in them.
-- op_id is the row's number in its source table times 8, plus 0 for a kernel, 1 for a memcpy, 2 for a memset and 3 for a
-- graph launch. An operation without a start, an end or a device cannot be placed and is not here; an end before its start counts as
-- its start.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  op_id            BIGINT  id    Operation, the same number as in the relation of its kind.
-- @column  kind             VARCHAR text  kernel, memcpy, memset or graph_launch.
-- @column  name             VARCHAR text  Short kernel name; for copies and memsets kind and direction or memory.
-- @column  process_id       BIGINT  id    Process that the work belongs to; 0 if not recorded.
-- @column  gpu_id           INTEGER id(gpus.gpu_id) GPU that did it.
-- @column  device_id        INTEGER id    CUDA device number in that process.
-- @column  context_id       BIGINT  id    CUDA context, unique only within its process; NULL for a migration.
-- @column  green_context_id BIGINT  id    Green context; NULL for none.
-- @column  stream_id        BIGINT  id    CUDA stream, unique only within its context; NULL for a migration.
-- @column  start_ns         BIGINT  ns    Start on the report's time axis.
-- @column  end_ns           BIGINT  ns    End on the report's time axis.
-- @column  dur_ns           BIGINT  ns    end_ns - start_ns.
-- @column  correlation_id   BIGINT  id    Number shared with the API call, unique only within the process; NULL for none.
-- @column  size_bytes       BIGINT  bytes Bytes copied or filled; NULL for kernels and graph launches.
-- @column  graph_node_id    BIGINT  id    Node of a CUDA graph; NULL outside graphs.
-- @order   report_id, start_ns, op_id
-- @assert  dur_ns >= 0
-- @assert  gpu_id IS NOT NULL
-- @assert  kind IN ('kernel', 'memcpy', 'memset', 'graph_launch')
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT kind, count(*) AS op_count, sum(dur_ns) AS dur_ns FROM gpu_ops GROUP BY ALL
WITH ops AS (
    SELECT
        report_id, op_id, 'kernel' AS kind, short_name AS name, process_id, gpu_id, device_id, context_id,
        green_context_id, stream_id, start_ns, end_ns, correlation_id, NULL AS size_bytes, graph_node_id
    FROM _kernel_ops
    UNION ALL
    SELECT
        report_id, op_id, 'memcpy', 'memcpy ' || direction, process_id, gpu_id, device_id, context_id,
        green_context_id, stream_id, start_ns, end_ns, correlation_id, size_bytes, graph_node_id
    FROM memcpys
    UNION ALL
    SELECT
        report_id, op_id, 'memset', 'memset ' || coalesce(memory_kind, 'unknown'), process_id, gpu_id, device_id,
        context_id, green_context_id, stream_id, start_ns, end_ns, correlation_id, size_bytes, graph_node_id
    FROM memsets
    UNION ALL
    SELECT
        report_id, op_id, 'graph_launch', 'graph ' || graph_id, process_id, gpu_id, device_id, context_id,
        green_context_id, stream_id, start_ns, end_ns, correlation_id, NULL, NULL
    FROM graph_launches
    WHERE NOT is_expanded
)

SELECT
    report_id, op_id, kind, name, process_id, gpu_id, device_id, context_id, green_context_id, stream_id, start_ns,
    CASE WHEN end_ns < start_ns THEN start_ns ELSE end_ns END AS end_ns,
    CASE WHEN end_ns < start_ns THEN 0 ELSE end_ns - start_ns END AS dur_ns,
    correlation_id, size_bytes, graph_node_id
FROM ops
WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL AND gpu_id IS NOT NULL
