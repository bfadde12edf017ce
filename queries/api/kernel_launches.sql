-- Every kernel with the API call that launched it, how long it waited, and the NVTX range that it was launched in.
--
-- One row per kernel of gpu_ops, also without a call: reason says why there is none. latency_ns is from the start of the call
-- to the start of the kernel, queue_ns the part of it after the call returned, 0 for a kernel that started before that. Of
-- kernels that one call launched, as those of a CUDA graph, all have that call. The range is the innermost one around the call
-- on the thread that called, of any domain.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   kernels
-- @column  report_id       INTEGER id                      Report the row belongs to.
-- @column  op_id           BIGINT  id(kernels.op_id)       Kernel.
-- @column  gpu_id          INTEGER id(gpus.gpu_id)         GPU it ran on.
-- @column  process_id      BIGINT  id                      Process that launched it.
-- @column  context_id      BIGINT  id                      CUDA context, unique only within its process.
-- @column  stream_id       BIGINT  id                      CUDA stream, unique only within its context.
-- @column  short_name      VARCHAR text                    Name without namespaces and arguments.
-- @column  start_ns        BIGINT  ns                      Start of the kernel.
-- @column  end_ns          BIGINT  ns                      End of the kernel.
-- @column  dur_ns          BIGINT  ns                      end_ns - start_ns.
-- @column  call_id         BIGINT  id(api_calls.call_id)   API call that launched it; NULL if none was recorded.
-- @column  thread_id       BIGINT  id(threads.thread_id)   Thread that called.
-- @column  api_name        VARCHAR text                    Function that it called.
-- @column  launch_start_ns BIGINT  ns                      Start of the call.
-- @column  launch_ns       BIGINT  ns                      Duration of the call.
-- @column  latency_ns      BIGINT  ns                      start_ns - launch_start_ns.
-- @column  queue_ns        BIGINT  ns                      Wait from the end of the call to the start of the kernel; 0 if it started before.
-- @column  op_number       BIGINT  -                       Place among the operations of the call, counted from 1 by time.
-- @column  reason          VARCHAR text                    Why there is no call; NULL if there is one.
-- @column  range_id        BIGINT  id(nvtx_ranges.range_id) Innermost NVTX range around the call; NULL for none.
-- @column  nvtx_path       VARCHAR text                    Names of the ranges from the outermost to it, with slashes.
-- @column  name            VARCHAR text                    Full demangled name.
-- @column  family          VARCHAR text                    Family (kernel_families); NULL if no rule knows the name.
-- @column  operation       VARCHAR text                    Kind of work within the family; NULL if the rule does not say.
-- @column  precision       VARCHAR text                    Type of the factors of matrix products; NULL if the name does not tell.
-- @column  tensor_cores    VARCHAR text                    yes, no or unknown.
-- @order   report_id, start_ns, op_id
-- @assert  (call_id IS NULL) = (reason IS NOT NULL)
-- @assert  queue_ns >= 0
-- @assert  (range_id IS NULL) = (nvtx_path IS NULL)
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT nvtx_path, count(*) AS kernel_count, median(latency_ns) AS latency_ns FROM kernel_launches GROUP BY ALL
SELECT
    k.report_id,
    k.op_id,
    k.gpu_id,
    k.process_id,
    k.context_id,
    k.stream_id,
    k.short_name,
    k.start_ns,
    k.end_ns,
    k.dur_ns,
    c.call_id,
    c.thread_id,
    c.name AS api_name,
    c.start_ns AS launch_start_ns,
    c.dur_ns AS launch_ns,
    k.start_ns - c.start_ns AS latency_ns,
    CASE WHEN c.call_id IS NOT NULL THEN greatest(k.start_ns - c.end_ns, 0) END AS queue_ns,
    o.op_number,
    o.reason,
    r.range_id,
    n.path AS nvtx_path,
    k.name,
    f.family,
    f.operation,
    f.precision,
    coalesce(f.tensor_cores, 'unknown') AS tensor_cores
FROM kernels AS k
INNER JOIN (FROM api_ops WHERE op_id IS NOT NULL) AS o ON o.report_id = k.report_id AND o.op_id = k.op_id
LEFT JOIN api_calls AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
LEFT JOIN _call_ranges AS r ON r.report_id = o.report_id AND r.call_id = o.call_id AND r.is_innermost
LEFT JOIN nvtx_ranges AS n ON n.report_id = r.report_id AND n.range_id = r.range_id
LEFT JOIN _kernel_families AS f ON f.report_id = k.report_id AND f.name_id = k.name_id
