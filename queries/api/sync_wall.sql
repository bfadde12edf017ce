-- How long each process waited for the GPU: time in which at least one of its threads did.
--
-- Waits of several threads at once count once in wall_ns, and each in thread_wait_ns; several_ns is the time in which two
-- or more threads waited. Whether the whole process stood still meanwhile is not known: other threads may have worked.
-- What a wait is, waits tells.
--
-- @version 1
-- @grain   report_id, process_id
-- @needs   api_calls
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  process_id     BIGINT  id    Process that waited.
-- @column  thread_count   BIGINT  count Threads that waited.
-- @column  wait_count     BIGINT  count Waits.
-- @column  thread_wait_ns BIGINT  ns    Time in them, added up over the threads.
-- @column  wall_ns        BIGINT  ns    Time in which at least one thread waited.
-- @column  wall_ratio     DOUBLE  ratio wall_ns inside the capture, of its length; NULL if the report does not say how long it recorded.
-- @column  several_ns     BIGINT  ns    Time in which two or more threads waited.
-- @column  gpu_busy_ns    BIGINT  ns    Part of wall_ns in which a GPU of the process was busy; NULL without known GPUs.
-- @column  gpu_idle_ns    BIGINT  ns    wall_ns - gpu_busy_ns.
-- @order   wall_ns DESC
-- @assert  wall_ns <= thread_wait_ns
-- @assert  several_ns <= wall_ns
-- @assert  gpu_busy_ns BETWEEN 0 AND wall_ns
-- @assert  wall_ratio BETWEEN 0 AND 1
-- @assert  thread_count <= wait_count
-- @example SELECT process_id, wall_ns, gpu_idle_ns FROM sync_wall
WITH rows AS MATERIALIZED (
    SELECT report_id, process_id AS track_id, thread_id, start_ns, end_ns FROM waits
),

spans AS MATERIALIZED (
    SELECT report_id, track_id AS process_id, start_ns, end_ns, row_number() OVER () AS span_id
    FROM interval_union('rows')
),

several AS (
    SELECT report_id, track_id AS process_id, CAST(sum(end_ns - start_ns) AS BIGINT) AS several_ns
    FROM interval_overlap_count('rows')
    WHERE overlap_count > 1
    GROUP BY ALL
),

walls AS (
    SELECT
        s.report_id, s.process_id,
        sum(s.end_ns - s.start_ns) AS wall_ns,
        sum(greatest(least(s.end_ns, c.end_ns) - greatest(s.start_ns, c.start_ns), 0)) AS inside_ns,
        any_value(c.duration_ns) AS duration_ns,
        sum(b.busy_ns) AS busy_ns
    FROM spans AS s
    LEFT JOIN _process_busy('spans') AS b ON b.report_id = s.report_id AND b.span_id = s.span_id
    LEFT JOIN _captures AS c ON c.report_id = s.report_id
    GROUP BY s.report_id, s.process_id
),

threads_waiting AS (
    SELECT
        report_id, track_id AS process_id, count(DISTINCT thread_id) AS thread_count, count(*) AS wait_count,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS thread_wait_ns
    FROM rows
    GROUP BY ALL
)

SELECT
    t.report_id,
    t.process_id,
    t.thread_count,
    t.wait_count,
    t.thread_wait_ns,
    CAST(w.wall_ns AS BIGINT) AS wall_ns,
    w.inside_ns / nullif(w.duration_ns, 0) AS wall_ratio,
    coalesce(s.several_ns, 0) AS several_ns,
    CAST(w.busy_ns AS BIGINT) AS gpu_busy_ns,
    CAST(w.wall_ns - w.busy_ns AS BIGINT) AS gpu_idle_ns
FROM threads_waiting AS t
INNER JOIN walls AS w ON w.report_id = t.report_id AND w.process_id = t.process_id
LEFT JOIN several AS s ON s.report_id = t.report_id AND s.process_id = t.process_id
