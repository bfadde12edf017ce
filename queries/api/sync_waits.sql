-- What waiting for the GPU cost each thread, by function and by phase of the program.
--
-- A phase is the innermost application range around the start of the wait, without the numbers in its name
-- (folded_name), so that step_1 and step_2 are one. Waits outside of all ranges, and those of a report without NVTX, have
-- none. What a wait is, waits tells: no moment of a thread is in two of them, so wait_ns adds up over the rows of a
-- thread. Several threads of a process may wait at once: how much of its time that makes, sync_wall tells.
--
-- While the GPU is busy (gpu_busy_ns) a wait costs nothing: the CPU was ahead, or needed the result. Time in which the GPU
-- was idle as well (gpu_idle_ns) is waste.
--
-- @version 1
-- @grain   report_id, process_id, thread_id, api, name, nvtx_name, nvtx_path
-- @needs   api_calls
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  process_id       BIGINT  id    Process that waited.
-- @column  thread_id        BIGINT  id(threads.thread_id) Thread that waited.
-- @column  api              VARCHAR text  runtime, driver or other.
-- @column  name             VARCHAR text  Function.
-- @column  kind             VARCHAR text  sync, copy or poll, as in waits.
-- @column  nvtx_name        VARCHAR text  Name of the range, folded; NULL for none and for a range without a name.
-- @column  nvtx_path        VARCHAR text  Names from the outermost range to it, folded alike; NULL without a range.
-- @column  wait_count       BIGINT  count Waits.
-- @column  call_count       BIGINT  count Calls of them: a poll has several.
-- @column  wait_ns          BIGINT  ns    Time in them.
-- @column  max_ns           BIGINT  ns    Longest.
-- @column  gpu_busy_ns      BIGINT  ns    Time in them in which a GPU of the process was busy; NULL without known GPUs.
-- @column  gpu_idle_ns      BIGINT  ns    wait_ns - gpu_busy_ns.
-- @column  ok_waiting_count BIGINT  count Waits with a GPU busy for at least half of them.
-- @column  idle_wait_count  BIGINT  count Waits with the GPU idle for more than half of them.
-- @order   wait_ns DESC
-- @assert  gpu_busy_ns + gpu_idle_ns = wait_ns
-- @assert  ok_waiting_count + idle_wait_count <= wait_count
-- @assert  call_count >= wait_count
-- @assert  max_ns <= wait_ns
-- @example SELECT name, nvtx_path, wait_count, wait_ns, gpu_idle_ns FROM sync_waits ORDER BY gpu_idle_ns DESC LIMIT 5
SELECT
    report_id,
    process_id,
    thread_id,
    api,
    name,
    kind,
    folded_name(nvtx_name) AS nvtx_name,
    folded_name(nvtx_path) AS nvtx_path,
    count(*) AS wait_count,
    CAST(sum(call_count) AS BIGINT) AS call_count,
    CAST(sum(dur_ns) AS BIGINT) AS wait_ns,
    max(dur_ns) AS max_ns,
    CAST(sum(gpu_busy_ns) AS BIGINT) AS gpu_busy_ns,
    CAST(sum(gpu_idle_ns) AS BIGINT) AS gpu_idle_ns,
    count(*) FILTER (class = 'ok_waiting') AS ok_waiting_count,
    count(*) FILTER (class = 'idle_wait') AS idle_wait_count
FROM waits
GROUP BY ALL
