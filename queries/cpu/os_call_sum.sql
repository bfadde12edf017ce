-- Time in operating system functions, by thread and function.
--
-- outermost_ns counts only calls that are not inside another traced call: over functions of one thread it adds up to time
-- that passed. inclusive_ns counts every call, so the time of a read inside fread is in both rows. Threads wait at the same
-- time: over threads neither adds up to anything. Helper threads that wait all day come first; choose the thread.
--
-- @version 1
-- @grain   report_id, thread_id, name
-- @needs   osrt_calls
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  process_id   BIGINT  id    Process that called.
-- @column  thread_id    BIGINT  id(threads.thread_id) Thread that called.
-- @column  thread_name  VARCHAR text  Name of the thread; NULL if not recorded.
-- @column  name         VARCHAR text  Function.
-- @column  is_blocking  BOOLEAN bool  The function waits: for time, another thread or process, or data to read.
-- @column  call_count   BIGINT  count Calls.
-- @column  nested_count BIGINT  count Calls of them inside another traced call.
-- @column  open_count   BIGINT  count Calls of them not over at the end of the capture.
-- @column  outermost_ns BIGINT  ns    Time in calls that are not nested.
-- @column  inclusive_ns BIGINT  ns    Time in all calls.
-- @column  max_ns       BIGINT  ns    Longest call.
-- @order   outermost_ns DESC
-- @assert  outermost_ns <= inclusive_ns
-- @assert  nested_count <= call_count
-- @example SELECT name, outermost_ns FROM os_call_sum WHERE is_blocking
SELECT
    report_id,
    c.process_id,
    thread_id,
    any_value(t.name) AS thread_name,
    c.name,
    c.is_blocking,
    count(*) AS call_count,
    count(*) FILTER (c.is_nested) AS nested_count,
    count(*) FILTER (c.is_open) AS open_count,
    CAST(sum(CASE WHEN c.is_nested THEN 0 ELSE c.dur_ns END) AS BIGINT) AS outermost_ns,
    CAST(sum(c.dur_ns) AS BIGINT) AS inclusive_ns,
    max(c.dur_ns) AS max_ns
FROM osrt_calls AS c
LEFT JOIN threads AS t USING (report_id, thread_id)
GROUP BY report_id, c.process_id, thread_id, c.name, c.is_blocking
