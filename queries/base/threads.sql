-- Threads, those that the report names and those that only events mention.
--
-- The threads of the profiler itself are told by their names, or by the process's name where that is known: a program
-- that nsys-launcher starts may keep that as the name of its first thread.
--
-- @version 1
-- @grain   report_id, thread_id
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  thread_id   BIGINT  id   The thread: hardware id, VM id, pid and tid in one number, as events carry it.
-- @column  process_id  BIGINT  id   Process of the thread.
-- @column  tid         INTEGER id   Thread id of the operating system, unique only within a VM.
-- @column  name        VARCHAR text Name; NULL if not recorded.
-- @column  is_main     BOOLEAN bool First thread of its process, the one with the number of the process; on Windows none is.
-- @column  is_profiler BOOLEAN bool Runs the profiler's own code.
-- @order   report_id, thread_id
-- @assert  process_id = thread_id - tid
-- @example SELECT tid, name FROM threads WHERE NOT is_profiler
SELECT
    t.report_id,
    t.thread_id,
    t.thread_id & (-16777216)::BIGINT AS process_id,
    TRY_CAST(t.thread_id & 16777215 AS INTEGER) AS tid,
    n.name,
    t.thread_id & 16777215 = (t.thread_id >> 24) & 16777215 AS is_main,
    coalesce(
        n.name GLOB '[[]NSys*' OR n.name GLOB 'CUPTI worker th*' OR n.name GLOB '[*][0-9]*'
        OR coalesce(p.name, n.name) IN ('nsys', 'nsys.exe') OR coalesce(p.name, n.name) GLOB 'nsys-*', false) AS is_profiler
FROM _seen_threads AS t
LEFT JOIN _thread_names AS n USING (report_id, thread_id)
LEFT JOIN processes AS p ON p.report_id = t.report_id AND p.process_id = t.thread_id & (-16777216)::BIGINT
WHERE t.thread_id IS NOT NULL
