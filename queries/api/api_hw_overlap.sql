-- Every CUDA API call with how busy the GPUs of its process were while it ran: was the wait for work, or for nothing.
--
-- The GPUs of a process are those that it uses, whoever's work keeps them busy; with several, busy means that any of them
-- is. own_busy_ns is the time in the call in which GPU work of that very call ran, as of a blocking copy. What the call waited
-- for: in class ok_waiting and launch_ok the GPU was busy for at least half of the call, so it was not waited for in vain; in
-- idle_wait and launch_exposed it was idle for more than half, so the GPU waited for the CPU. A launch of 100 us and more is
-- first_use if it was the first of its kernel (first_launches says what it cost), else queue_full if the GPU was busy for at
-- least 99 % of it: the queue of launches is full, the CPU is far enough ahead, and all is well.
--
-- @version 1
-- @grain   report_id, call_id
-- @needs   api_calls
-- @column  report_id     INTEGER id                    Report the row belongs to.
-- @column  call_id       BIGINT  id(api_calls.call_id) Call.
-- @column  process_id    BIGINT  id                    Process that called.
-- @column  thread_id     BIGINT  id(threads.thread_id) Thread that called.
-- @column  api           VARCHAR text                  runtime, driver, egl or other.
-- @column  name          VARCHAR text                  Function.
-- @column  kind          VARCHAR text                  launch, sync, copy, alloc, module, query or other.
-- @column  class         VARCHAR text                  ok_waiting or idle_wait of a sync or copy; first_use, queue_full, launch_ok or launch_exposed of a launch; NULL of other kinds, of copies that did not wait for their work, of length 0 and without known GPUs.
-- @column  start_ns      BIGINT  ns                    Start.
-- @column  end_ns        BIGINT  ns                    End.
-- @column  dur_ns        BIGINT  ns                    end_ns - start_ns.
-- @column  gpu_busy_ns   BIGINT  ns                    Time in it in which a GPU of its process was busy; NULL without known GPUs.
-- @column  gpu_idle_ns   BIGINT  ns                    dur_ns - gpu_busy_ns.
-- @column  busy_ratio    DOUBLE  ratio                 gpu_busy_ns of dur_ns; NULL for length 0.
-- @column  own_busy_ns   BIGINT  ns                    Time in it in which GPU work of the call ran.
-- @column  is_nested     BOOLEAN bool                  The call lies inside another one.
-- @order   dur_ns DESC
-- @assert  gpu_busy_ns BETWEEN 0 AND dur_ns
-- @assert  own_busy_ns <= gpu_busy_ns
-- @assert  busy_ratio BETWEEN 0 AND 1
-- @assert  class IS NULL OR kind IN ('launch', 'sync', 'copy')
-- @example SELECT kind, class, count(*) AS call_count, sum(dur_ns) AS dur_ns FROM api_hw_overlap WHERE NOT is_nested GROUP BY ALL
WITH calls AS NOT MATERIALIZED (
    FROM api_calls
)

SELECT
    report_id, call_id, process_id, thread_id, api, name, kind, class, start_ns, end_ns, dur_ns, gpu_busy_ns, gpu_idle_ns,
    busy_ratio, own_busy_ns, is_nested
FROM _busy_in_calls('calls')
