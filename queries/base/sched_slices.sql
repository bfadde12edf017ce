-- When each thread ran on a CPU and when it did not.
--
-- A slice goes from one change of the scheduler to the thread's next one. The last slice of a thread has no next one: it
-- is taken to the end of the capture (is_open), unless the thread is known to have terminated: then it has no length.
-- Before its first change nothing is known of a thread. Two slices of the same state in a row mean that a change was lost;
-- changes at one instant are taken in the order of the export.
--
-- @version 1
-- @grain   report_id, slice_id
-- @source  SCHED_EVENTS
-- @trace   LINUX_PERF_OPTIONS:COLLECT_CPU_CTXSW_TRACE=true --cpuctxsw=process-tree
-- @column  report_id    INTEGER id   Report the row belongs to.
-- @column  slice_id     BIGINT  id   Slice, unique within the report.
-- @column  process_id   BIGINT  id   Process of the thread.
-- @column  thread_id    BIGINT  id(threads.thread_id) Thread.
-- @column  start_ns     BIGINT  ns   Start on the report's time axis.
-- @column  end_ns       BIGINT  ns   End on the report's time axis; NULL for an open slice if the length of the capture is not
--     recorded or was over.
-- @column  dur_ns       BIGINT  ns   end_ns - start_ns.
-- @column  state        VARCHAR text running or off.
-- @column  cpu          INTEGER id   CPU that it runs on, or that it left.
-- @column  thread_state VARCHAR text Why it is off: interruptible, uninterruptible, stopped, terminated, unscheduled,
--     waiting, ...; running if it was pushed off; NULL if not recorded.
-- @column  is_open      BOOLEAN bool The last slice of a thread that is not known to have terminated.
-- @order   report_id, thread_id, start_ns, slice_id
-- @assert  dur_ns >= 0
-- @assert  end_ns = start_ns + dur_ns
-- @assert  state IN ('running', 'off')
-- @example SELECT thread_id, state, sum(dur_ns) AS dur_ns FROM sched_slices WHERE NOT is_open GROUP BY ALL
WITH changes AS (
    SELECT
        report_id, _rowid, globalTid, start, cpu, isSchedIn, threadState,
        lead(start) OVER (
            PARTITION BY report_id, globalTid ORDER BY start, threadState IS NOT DISTINCT FROM 5, _rowid) AS next_start
    FROM raw.SCHED_EVENTS
),

slices AS (
    SELECT
        c.*,
        c.next_start IS NULL AND c.threadState IS DISTINCT FROM 5 AS is_open,
        CASE
            WHEN c.next_start IS NOT NULL THEN c.next_start
            WHEN c.threadState = 5 THEN c.start
            WHEN r.duration_ns >= c.start THEN r.duration_ns
        END AS end_ns
    FROM changes AS c
    LEFT JOIN _recordings AS r ON r.report_id = c.report_id
)

SELECT
    report_id,
    _rowid AS slice_id,
    globalTid & (-16777216)::BIGINT AS process_id,
    globalTid AS thread_id,
    start AS start_ns,
    end_ns,
    end_ns - start AS dur_ns,
    CASE WHEN isSchedIn <> 0 THEN 'running' ELSE 'off' END AS state,
    TRY_CAST(cpu AS INTEGER) AS cpu,
    CASE CASE WHEN isSchedIn = 0 THEN threadState END
        WHEN 1 THEN 'running' WHEN 2 THEN 'interruptible' WHEN 3 THEN 'uninterruptible' WHEN 4 THEN 'stopped'
        WHEN 5 THEN 'terminated' WHEN 6 THEN 'unscheduled' WHEN 7 THEN 'waiting' WHEN 8 THEN 'os_runtime'
        WHEN 9 THEN 'initialized' WHEN 10 THEN 'transition'
    END AS thread_state,
    is_open
FROM slices
