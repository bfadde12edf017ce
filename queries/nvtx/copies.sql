-- Every memory copy: pageable or pinned, whether the call waited for it, how much of it kernels hid, and its NVTX range.
--
-- memory_kind is the memory that decides how a copy is done and how fast it is: the host's for one to or from the host (of
-- two host sides the pageable one, if any), else the source; managed for a migration of unified memory, which no call asks
-- for.
--
-- Whether a copy is asynchronous is two facts that may differ. is_async: the function is one that need not wait, as
-- cudaMemcpyAsync or the launch of a graph. is_waited: the call returned only after the copy had ended. cudaMemcpyAsync to
-- pageable memory waits; a copy from pageable memory, with either function, returns once the last bytes are in the driver's
-- buffer, for a large one just before it ends. waited_ns is how much of the copy the thread spent in the call. What the call
-- took before the copy began, as for the first bytes to get into the buffer, is in call_ns alone. Both compare times of the
-- GPU with times of the CPU and err by what the two clocks are apart, in some reports 50 us.
--
-- hidden_ns is the time of the copy in which at least one kernel, of any process, ran on the same GPU; the launch of a graph
-- that was traced as a whole counts as a kernel. Other copies hide nothing. Of a copy between GPUs it is the GPU that copied.
-- A migration that a kernel waits for is hidden in this sense, though it holds the kernel up.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   memcpys
-- @column  report_id     INTEGER id                       Report the row belongs to.
-- @column  op_id         BIGINT  id(memcpys.op_id)        Copy, or batch of copies.
-- @column  process_id    BIGINT  id                       Process that asked for it; 0 if not recorded.
-- @column  gpu_id        INTEGER id(gpus.gpu_id)          GPU that copied.
-- @column  context_id    BIGINT  id                       CUDA context, unique only within its process; NULL for a migration.
-- @column  stream_id     BIGINT  id                       CUDA stream, unique only within its context; NULL for a migration.
-- @column  direction     VARCHAR text                     HtoD, DtoH, DtoD, ... as in memcpys.
-- @column  memory_kind   VARCHAR text                     pageable, pinned, managed, device or array; NULL if not recorded.
-- @column  src_kind      VARCHAR text                     Source memory as recorded; NULL if not recorded.
-- @column  dst_kind      VARCHAR text                     Destination memory as recorded; NULL if not recorded.
-- @column  is_migration  BOOLEAN bool                     Migration of unified memory.
-- @column  copy_count    BIGINT  count                    Copies in a batch; 1 for a single one.
-- @column  size_bytes    BIGINT  bytes                    Bytes copied.
-- @column  start_ns      BIGINT  ns                       Start on the report's time axis.
-- @column  end_ns        BIGINT  ns                       End on the report's time axis.
-- @column  dur_ns        BIGINT  ns                       end_ns - start_ns.
-- @column  bytes_per_s   DOUBLE  bytes_per_s              Throughput; NULL if no time passed.
-- @column  hidden_ns     BIGINT  ns                       Time in it in which a kernel ran on the GPU.
-- @column  hidden_ratio  DOUBLE  ratio                    hidden_ns of dur_ns; NULL if no time passed.
-- @column  is_async      BOOLEAN bool                     The function need not wait for the copy, by its name; NULL without a call.
-- @column  is_waited     BOOLEAN bool                     The call returned only after the copy had ended; NULL without a call.
-- @column  waited_ns     BIGINT  ns                       Time of the copy in which the call still ran; NULL without a call.
-- @column  call_id       BIGINT  id(api_calls.call_id)    Call that asked for it; NULL for none (api_ops says why).
-- @column  api_name      VARCHAR text                     Function that it called.
-- @column  call_ns       BIGINT  ns                       Length of the call, all its operations together.
-- @column  thread_id     BIGINT  id(threads.thread_id)    Thread that called.
-- @column  range_id      BIGINT  id(nvtx_ranges.range_id) NVTX range it belongs to (op_ranges); NULL for none.
-- @column  nvtx_path     VARCHAR text                     Names of the ranges from the outermost to that one, with slashes.
-- @column  graph_node_id BIGINT  id                       Node of the CUDA graph that copied; NULL outside graphs.
-- @order   dur_ns DESC
-- @assert  memory_kind IS NULL OR memory_kind IN ('pageable', 'pinned', 'managed', 'device', 'array')
-- @assert  hidden_ns BETWEEN 0 AND dur_ns
-- @assert  waited_ns BETWEEN 0 AND dur_ns
-- @assert  waited_ns <= call_ns
-- @assert  (call_id IS NULL) = (is_async IS NULL)
-- @assert  call_id IS NULL OR NOT is_migration
-- @example SELECT direction, memory_kind, is_async, is_waited, count(*) AS op_count, sum(dur_ns) AS dur_ns, sum(hidden_ns) AS hidden_ns
--          FROM copies GROUP BY ALL ORDER BY dur_ns DESC
WITH ranges AS MATERIALIZED (
    -- Numbers of copies leave a rest of 1 (gpu_ops): the ranges of other operations are not looked for.
    SELECT report_id, op_id, range_id FROM op_ranges WHERE op_id % 8 = 1
)

SELECT
    m.report_id,
    m.op_id,
    m.process_id,
    m.gpu_id,
    m.context_id,
    m.stream_id,
    m.direction,
    c.memory_kind,
    m.src_kind,
    m.dst_kind,
    m.is_migration,
    m.copy_count,
    m.size_bytes,
    m.start_ns,
    m.end_ns,
    m.dur_ns,
    m.size_bytes * 1e9 / nullif(m.dur_ns, 0) AS bytes_per_s,
    c.hidden_ns,
    c.hidden_ns / nullif(m.dur_ns, 0) AS hidden_ratio,
    c.is_async,
    c.is_waited,
    c.waited_ns,
    c.call_id,
    c.api_name,
    c.call_ns,
    c.thread_id,
    r.range_id,
    n.path AS nvtx_path,
    m.graph_node_id
FROM memcpys AS m
INNER JOIN _copies AS c ON c.report_id = m.report_id AND c.op_id = m.op_id
LEFT JOIN ranges AS r ON r.report_id = m.report_id AND r.op_id = m.op_id
LEFT JOIN nvtx_ranges AS n ON n.report_id = r.report_id AND n.range_id = r.range_id
