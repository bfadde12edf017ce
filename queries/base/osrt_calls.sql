-- Calls of operating system functions that were traced: waiting, reading, locking, threads, files.
--
-- A call may be made inside another one (fread reads by read): is_nested tells, and a sum over calls that are not nested
-- counts no time twice. A call that was not over when the process ended has no row; one that was not over when the capture
-- ended ends with it (is_open). Short calls can be left out by nsys (--osrt-threshold). The marks at which the tracing of a
-- process starts and stops are no calls and not here.
--
-- @version 1
-- @grain   report_id, call_id
-- @source  OSRT_API
-- @trace   CAPTURE_EVENT_TYPE=OSRuntime --trace=osrt
-- @column  report_id     INTEGER id   Report the row belongs to.
-- @column  call_id       BIGINT  id   Call, unique within the report.
-- @column  name          VARCHAR text Function.
-- @column  is_blocking   BOOLEAN bool The function waits: for time, another thread or process, or data to read.
-- @column  process_id    BIGINT  id   Process that called.
-- @column  thread_id     BIGINT  id(threads.thread_id) Thread that called.
-- @column  start_ns      BIGINT  ns   Start on the report's time axis.
-- @column  end_ns        BIGINT  ns   End on the report's time axis.
-- @column  dur_ns        BIGINT  ns   end_ns - start_ns.
-- @column  nesting_level INTEGER -    Traced calls around this one as recorded, 0 for none; NULL if not recorded.
-- @column  is_nested     BOOLEAN bool Made inside another traced call: by nesting_level, or by its times if that is not recorded.
-- @column  is_open       BOOLEAN bool Not over at the end of the capture; NULL if the length of the capture is not recorded.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  is_nested IS NOT NULL
-- @example SELECT name, sum(dur_ns) AS dur_ns FROM osrt_calls WHERE NOT is_nested GROUP BY ALL
WITH calls AS (
    SELECT *, false AS is_inside
    FROM raw.OSRT_API
    WHERE eventClass = 27 AND nestingLevel IS NOT NULL
    UNION ALL
    SELECT
        *,
        coalesce(start < max("end") OVER (
            PARTITION BY report_id, globalTid ORDER BY start, "end" DESC, _rowid
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false)
    FROM raw.OSRT_API
    WHERE eventClass = 27 AND nestingLevel IS NULL
)

SELECT
    c.report_id,
    c._rowid AS call_id,
    s.value AS name,
    coalesce(s.value IN (
        'sleep', 'usleep', 'nanosleep', 'clock_nanosleep', 'pause', 'thrd_sleep',
        'poll', 'ppoll', 'select', 'pselect', 'epoll_wait', 'epoll_pwait', 'epoll_pwait2', 'io_getevents', 'futex',
        'sem_wait', 'sem_timedwait', 'sem_clockwait', 'semop', 'semtimedop',
        'pthread_cond_wait', 'pthread_cond_timedwait', 'pthread_cond_clockwait', 'cnd_wait', 'cnd_timedwait',
        'pthread_mutex_lock', 'pthread_mutex_timedlock', 'pthread_mutex_clocklock', 'mtx_lock', 'mtx_timedlock',
        'pthread_rwlock_rdlock', 'pthread_rwlock_timedrdlock', 'pthread_rwlock_wrlock', 'pthread_rwlock_timedwrlock',
        'pthread_spin_lock', 'pthread_barrier_wait', 'flock', 'lockf', 'lockf64',
        'pthread_join', 'pthread_timedjoin_np', 'pthread_clockjoin_np', 'thrd_join',
        'wait', 'wait3', 'wait4', 'waitid', 'waitpid', 'system', 'pclose',
        'sigsuspend', 'sigwait', 'sigwaitinfo', 'sigtimedwait',
        'read', 'readv', 'pread', 'pread64', 'preadv', 'preadv64', 'preadv2', 'fread', 'fgets', 'getline', 'getdelim',
        'recv', 'recvfrom', 'recvmsg', 'recvmmsg', 'accept', 'accept4', 'connect', 'mq_receive', 'mq_timedreceive', 'msgrcv',
        'fsync', 'fdatasync', 'msync', 'sync', 'syncfs'), false) AS is_blocking,
    c.globalTid & (-16777216)::BIGINT AS process_id,
    c.globalTid AS thread_id,
    c.start AS start_ns,
    c.end AS end_ns,
    c.end - c.start AS dur_ns,
    TRY_CAST(c.nestingLevel AS INTEGER) AS nesting_level,
    coalesce(c.nestingLevel > 0, c.is_inside) AS is_nested,
    c.end >= r.duration_ns AS is_open
FROM calls AS c
LEFT JOIN raw.StringIds AS s ON s.report_id = c.report_id AND s.id = c.nameId
LEFT JOIN _recordings AS r ON r.report_id = c.report_id
