-- Kernel executions on the GPU.
--
-- Times are the GPU's, of the execution alone: neither the launch call nor the time in the queue. A kernel of a CUDA
-- graph is here only if the graph was traced node by node (graph_node_id); else the launch is in graph_launches.
--
-- @version 1
-- @grain   report_id, op_id
-- @source  CUPTI_ACTIVITY_KIND_KERNEL
-- @trace   CAPTURE_EVENT_TYPE=Cuda --trace=cuda
-- @column  report_id            INTEGER id    Report the row belongs to.
-- @column  op_id                BIGINT  id    Kernel, unique among all GPU operations of the report.
-- @column  process_id           BIGINT  id    Process that launched it; 0 if not recorded.
-- @column  gpu_id               INTEGER id(gpus.gpu_id) GPU it ran on.
-- @column  device_id            INTEGER id    CUDA device number in that process.
-- @column  context_id           BIGINT  id    CUDA context, unique only within its process.
-- @column  green_context_id     BIGINT  id    Green context; NULL for none.
-- @column  stream_id            BIGINT  id    CUDA stream, unique only within its context.
-- @column  start_ns             BIGINT  ns    Start on the report's time axis.
-- @column  end_ns               BIGINT  ns    End on the report's time axis.
-- @column  dur_ns               BIGINT  ns    end_ns - start_ns.
-- @column  correlation_id       BIGINT  id    Number shared with the API call that launched it, unique only within the process; NULL for none.
-- @column  name                 VARCHAR text  Full demangled name.
-- @column  short_name           VARCHAR text  Name without namespaces, template and call arguments.
-- @column  mangled_name         VARCHAR text  Mangled name; NULL if not recorded.
-- @column  grid_x               INTEGER count Blocks of the grid, x.
-- @column  grid_y               INTEGER count Blocks of the grid, y.
-- @column  grid_z               INTEGER count Blocks of the grid, z.
-- @column  block_x              INTEGER count Threads of a block, x.
-- @column  block_y              INTEGER count Threads of a block, y.
-- @column  block_z              INTEGER count Threads of a block, z.
-- @column  registers_per_thread INTEGER count Registers of a thread.
-- @column  static_shared_bytes  BIGINT  bytes Static shared memory of a block.
-- @column  dynamic_shared_bytes BIGINT  bytes Dynamic shared memory of a block.
-- @column  local_bytes_per_thread BIGINT bytes Local memory of a thread.
-- @column  launch_type          VARCHAR text  regular, cooperative or cooperative_multi_device; NULL if not recorded.
-- @column  graph_node_id        BIGINT  id    Node of the CUDA graph that ran it; NULL outside graphs.
-- @column  graph_id             BIGINT  id    CUDA graph that ran it; NULL outside graphs or if not recorded.
-- @column  cluster_x            INTEGER count Blocks of a cluster, x; NULL without clusters.
-- @column  cluster_y            INTEGER count Blocks of a cluster, y; NULL without clusters.
-- @column  cluster_z            INTEGER count Blocks of a cluster, z; NULL without clusters.
-- @column  name_id              BIGINT  id    Number of the full name, unique within the report: quicker to group by than the name.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  gpu_id IS NOT NULL
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not broken down into kernels: --cuda-graph-trace=node does',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT short_name, dur_ns FROM kernels ORDER BY dur_ns DESC LIMIT 5
SELECT
    k.report_id,
    k._rowid * 8 AS op_id,
    coalesce(k.globalPid, 0) AS process_id,
    d.gpu_id,
    TRY_CAST(k.deviceId AS INTEGER) AS device_id,
    k.contextId AS context_id,
    nullif(k.greenContextId, 0) AS green_context_id,
    k.streamId AS stream_id,
    k.start AS start_ns,
    k.end AS end_ns,
    k.end - k.start AS dur_ns,
    nullif(k.correlationId, 0) AS correlation_id,
    coalesce(full_name.value, short.value) AS name,
    short.value AS short_name,
    mangled.value AS mangled_name,
    TRY_CAST(k.gridX AS INTEGER) AS grid_x,
    TRY_CAST(k.gridY AS INTEGER) AS grid_y,
    TRY_CAST(k.gridZ AS INTEGER) AS grid_z,
    TRY_CAST(k.blockX AS INTEGER) AS block_x,
    TRY_CAST(k.blockY AS INTEGER) AS block_y,
    TRY_CAST(k.blockZ AS INTEGER) AS block_z,
    TRY_CAST(k.registersPerThread AS INTEGER) AS registers_per_thread,
    k.staticSharedMemory AS static_shared_bytes,
    k.dynamicSharedMemory AS dynamic_shared_bytes,
    k.localMemoryPerThread AS local_bytes_per_thread,
    CASE k.launchType
        WHEN 1 THEN 'regular' WHEN 2 THEN 'cooperative' WHEN 3 THEN 'cooperative_multi_device'
    END AS launch_type,
    k.graphNodeId AS graph_node_id,
    k.graphId AS graph_id,
    TRY_CAST(nullif(k.clusterX, 0) AS INTEGER) AS cluster_x,
    TRY_CAST(nullif(k.clusterY, 0) AS INTEGER) AS cluster_y,
    TRY_CAST(nullif(k.clusterZ, 0) AS INTEGER) AS cluster_z,
    coalesce(k.demangledName, k.shortName) AS name_id
FROM raw.CUPTI_ACTIVITY_KIND_KERNEL AS k
LEFT JOIN _device_gpus AS d
    ON d.report_id = k.report_id AND d.process_id = coalesce(k.globalPid, 0) AND d.device_id = k.deviceId
LEFT JOIN raw.StringIds AS full_name ON full_name.report_id = k.report_id AND full_name.id = k.demangledName
LEFT JOIN raw.StringIds AS short ON short.report_id = k.report_id AND short.id = k.shortName
LEFT JOIN raw.StringIds AS mangled ON mangled.report_id = k.report_id AND mangled.id = k.mangledName
