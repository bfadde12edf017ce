-- What the OpenMP runtime told of: parallel regions, tasks, work sharing, waits, locks.
--
-- Events lie in each other (a task in a parallel region, a wait in a barrier): a sum over all counts time twice. Some kinds are
-- moments.
--
-- @version 1
-- @grain   report_id, event_id
-- @source  OPENMP_EVENT_KIND_PARALLEL, OPENMP_EVENT_KIND_TASK, OPENMP_EVENT_KIND_WORKSHARE, OPENMP_EVENT_KIND_SYNC_REGION,
--     OPENMP_EVENT_KIND_SYNC_REGION_WAIT, OPENMP_EVENT_KIND_CRITICAL_SECTION, OPENMP_EVENT_KIND_MUTEX_WAIT,
--     OPENMP_EVENT_KIND_MUTEX_RELEASED, OPENMP_EVENT_KIND_LOCK_INIT, OPENMP_EVENT_KIND_LOCK_DESTROY,
--     OPENMP_EVENT_KIND_MASTER, OPENMP_EVENT_KIND_REDUCTION, OPENMP_EVENT_KIND_DISPATCH, OPENMP_EVENT_KIND_FLUSH,
--     OPENMP_EVENT_KIND_CANCEL, OPENMP_EVENT_KIND_TASK_CREATE, OPENMP_EVENT_KIND_TASK_SCHEDULE, OPENMP_EVENT_KIND_THREAD
-- @trace   CAPTURE_EVENT_TYPE=OpenMP --trace=openmp
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  event_id    BIGINT  id   Event, unique within the report.
-- @column  kind        VARCHAR text Kind of event, as the export's tables: parallel, task, workshare, sync_region, mutex_wait and others.
-- @column  name        VARCHAR text What happened, as Barrier; NULL or empty if the runtime gave no name.
-- @column  process_id  BIGINT  id   Process.
-- @column  thread_id   BIGINT  id   Thread.
-- @column  start_ns    BIGINT  ns   Start on the report's time axis.
-- @column  end_ns      BIGINT  ns   End on the report's time axis; NULL if it did not end.
-- @column  dur_ns      BIGINT  ns   end_ns - start_ns.
-- @column  parallel_id BIGINT  id   Parallel region that it is or is in, unique within the process; NULL if its kind has none.
-- @column  task_id     BIGINT  id   Task that it belongs to, for a region or a new task the one that made it; NULL if its kind has none.
-- @column  wait_id     BIGINT  id   Lock that it is about; NULL if its kind has none.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @unverified No recording at hand has events of the kinds cancel, flush, lock_destroy, lock_init, master, reduction, sync_region_wait, task_schedule and thread.
-- @example SELECT kind, name, count(*) AS event_count, sum(dur_ns) AS dur_ns FROM openmp_events GROUP BY ALL
WITH events AS (
    SELECT
        report_id, _rowid * 32 AS event_id, 'parallel' AS kind, nameId, globalTid, start, "end", parallelId, parentTaskId AS taskId,
        NULL::BIGINT AS waitId
    FROM raw.OPENMP_EVENT_KIND_PARALLEL
    UNION ALL
    SELECT report_id, _rowid * 32 + 1, 'task', nameId, globalTid, start, "end", parallelId, taskId, NULL
    FROM raw.OPENMP_EVENT_KIND_TASK
    UNION ALL
    SELECT report_id, _rowid * 32 + 2, 'workshare', nameId, globalTid, start, "end", parallelId, taskId, NULL
    FROM raw.OPENMP_EVENT_KIND_WORKSHARE
    UNION ALL
    SELECT report_id, _rowid * 32 + 3, 'sync_region', nameId, globalTid, start, "end", parallelId, taskId, NULL
    FROM raw.OPENMP_EVENT_KIND_SYNC_REGION
    UNION ALL
    SELECT report_id, _rowid * 32 + 4, 'sync_region_wait', nameId, globalTid, start, "end", parallelId, taskId, NULL
    FROM raw.OPENMP_EVENT_KIND_SYNC_REGION_WAIT
    UNION ALL
    SELECT report_id, _rowid * 32 + 5, 'critical_section', nameId, globalTid, start, "end", NULL, NULL, waitId
    FROM raw.OPENMP_EVENT_KIND_CRITICAL_SECTION
    UNION ALL
    SELECT report_id, _rowid * 32 + 6, 'mutex_wait', nameId, globalTid, start, "end", NULL, taskId, waitId
    FROM raw.OPENMP_EVENT_KIND_MUTEX_WAIT
    UNION ALL
    SELECT report_id, _rowid * 32 + 7, 'mutex_released', nameId, globalTid, start, "end", NULL, taskId, waitId
    FROM raw.OPENMP_EVENT_KIND_MUTEX_RELEASED
    UNION ALL
    SELECT report_id, _rowid * 32 + 8, 'lock_init', nameId, globalTid, start, "end", NULL, NULL, waitId
    FROM raw.OPENMP_EVENT_KIND_LOCK_INIT
    UNION ALL
    SELECT report_id, _rowid * 32 + 9, 'lock_destroy', nameId, globalTid, start, "end", NULL, NULL, waitId
    FROM raw.OPENMP_EVENT_KIND_LOCK_DESTROY
    UNION ALL
    SELECT report_id, _rowid * 32 + 10, 'master', nameId, globalTid, start, "end", parallelId, taskId, NULL
    FROM raw.OPENMP_EVENT_KIND_MASTER
    UNION ALL
    SELECT report_id, _rowid * 32 + 11, 'reduction', nameId, globalTid, start, "end", parallelId, taskId, NULL
    FROM raw.OPENMP_EVENT_KIND_REDUCTION
    UNION ALL
    SELECT report_id, _rowid * 32 + 12, 'dispatch', nameId, globalTid, start, "end", parallelId, taskId, NULL
    FROM raw.OPENMP_EVENT_KIND_DISPATCH
    UNION ALL
    SELECT report_id, _rowid * 32 + 13, 'flush', nameId, globalTid, start, "end", NULL, NULL, NULL
    FROM raw.OPENMP_EVENT_KIND_FLUSH
    UNION ALL
    SELECT report_id, _rowid * 32 + 14, 'cancel', nameId, globalTid, start, "end", NULL, taskId, NULL
    FROM raw.OPENMP_EVENT_KIND_CANCEL
    UNION ALL
    SELECT report_id, _rowid * 32 + 15, 'task_create', nameId, globalTid, start, "end", NULL, parentTaskId, NULL
    FROM raw.OPENMP_EVENT_KIND_TASK_CREATE
    UNION ALL
    SELECT report_id, _rowid * 32 + 16, 'task_schedule', nameId, globalTid, start, "end", parallelId, priorTaskId, NULL
    FROM raw.OPENMP_EVENT_KIND_TASK_SCHEDULE
    UNION ALL
    SELECT report_id, _rowid * 32 + 17, 'thread', nameId, globalTid, start, "end", NULL, NULL, NULL
    FROM raw.OPENMP_EVENT_KIND_THREAD
)

SELECT
    e.report_id,
    e.event_id,
    e.kind,
    s.value AS name,
    e.globalTid & (-16777216)::BIGINT AS process_id,
    e.globalTid AS thread_id,
    e.start AS start_ns,
    e.end AS end_ns,
    e.end - e.start AS dur_ns,
    e.parallelId AS parallel_id,
    e.taskId AS task_id,
    e.waitId AS wait_id
FROM events AS e
LEFT JOIN raw.StringIds AS s ON s.report_id = e.report_id AND s.id = e.nameId
