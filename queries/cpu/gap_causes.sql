-- Why each gap of a GPU lasted: its length divided by what the CPU was doing, to the nanosecond.
--
-- Followed is the thread that launched the operation which ends the gap, for a tail the one before it; what other threads did is in
-- no gap. If the launch began before the gap, the CPU was not what it waited for: gpu_dispatch below 20 us, else
-- dependency (an event, another stream, a full queue). Else every moment belongs to the first of these that holds:
--   profiler_overhead  the profiler's own work on the thread
--   before_cuda        of a lead_in: before the process called CUDA at all
--   teardown           of a tail: after the process called CUDA for the last time
--   module_load        code is loaded or compiled
--   first_use          a launch of 100 us and more, the first one of its kernel
--   sync               a wait for the GPU
--   blocking_copy      a copy that returned after it was done, or that is not asynchronous by its name
--   alloc              memory is got or given back
--   launch             a launch call, and the time from the start of the one that ends the gap to its operation: launch latency
--   cuda               another CUDA call. In a lead_in this and alloc are cuda_init
--   os_call            a blocking call of the operating system, outside of CUDA calls
--   host_code          none of these: the program itself
-- unknown is a gap whose operation has no API call (api_ops says why), or whose call is of a thread that was not recorded.
-- Without OS calls in the trace, they are host_code.
--
-- @version 1
-- @grain   report_id, gap_id, cause, name
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id    INTEGER id                    Report the row belongs to.
-- @column  gap_id       BIGINT  id(gaps.gap_id)       Gap.
-- @column  gpu_id       INTEGER id(gpus.gpu_id)       GPU that was idle.
-- @column  position     VARCHAR text                  lead_in, between or tail.
-- @column  cause        VARCHAR text                  What it was spent on.
-- @column  name         VARCHAR text                  Function of a CUDA or OS call; NULL for other causes and where calls cross.
-- @column  dur_ns       BIGINT  ns                    Time of the gap spent on it.
-- @column  gap_dur_ns   BIGINT  ns                    Length of the gap: its rows add up to it.
-- @column  share_ratio  DOUBLE  ratio                 dur_ns of gap_dur_ns.
-- @column  process_id   BIGINT  id                    Process whose work ended the gap, or was before the tail.
-- @column  thread_id    BIGINT  id(threads.thread_id) Thread that was followed; NULL if not known.
-- @column  nvtx_path    VARCHAR text                  What the program was doing (gaps): names of NVTX ranges with slashes.
-- @order   dur_ns DESC
-- @assert  dur_ns > 0
-- @assert  cause IN ('profiler_overhead', 'before_cuda', 'teardown', 'module_load', 'first_use', 'sync', 'blocking_copy', 'alloc',
--     'launch', 'cuda', 'cuda_init', 'os_call', 'host_code', 'gpu_dispatch', 'dependency', 'unknown')
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT cause, name, sum(dur_ns) AS dur_ns FROM gap_causes WHERE position = 'between' GROUP BY ALL ORDER BY dur_ns DESC
SELECT
    g.report_id,
    g.gap_id,
    g.gpu_id,
    g.position,
    g.cause,
    g.name,
    g.dur_ns,
    g.gap_dur_ns,
    g.dur_ns / g.gap_dur_ns AS share_ratio,
    g.process_id,
    g.thread_id,
    p.path AS nvtx_path
FROM _gap_parts AS g
LEFT JOIN _range_paths AS p ON p.report_id = g.report_id AND p.range_id = g.range_id
