-- Launches whose API call took long, and why: a first use of the kernel, a full queue, or something else.
--
-- Calls that launch kernels or graphs and lie inside no other call. A launch takes a few microseconds; where it takes
-- longer, cause says why:
--   queue_full  the driver recorded that it waited for room in the queue for at least half of the call, or a GPU of the
--               process was busy for 99 % of it and full_queue_count operations and more were queued when it began: the
--               CPU is far ahead, and all is well. A queue has room for about 1,000. (The class queue_full of
--               api_hw_overlap does not ask how many were queued.)
--   first_use   the first launch of its kernel in the process on the GPU, or one that another thread began before that
--               had returned, or code was loaded or compiled in it
--   other       neither: the thread was not running, waited for a lock of the driver, was slowed down by the profiler, ...
-- If code was loaded for at least half of the call, that is why, whatever the queue. Usual is the median over all calls
-- that launched the same kernel alone, in the process on the GPU; where it is the only one, and for other launches, over
-- those of the function in the process.
--
-- @version 1
-- @grain   report_id, call_id
-- @needs   api_calls
-- @param   at_least_ns       BIGINT  100000 ns    Shortest call that is here.
-- @param   full_queue_count  BIGINT  500    count Queued operations from which the queue may be full.
-- @require at_least_ns >= 0
-- @require full_queue_count >= 1
-- @column  report_id         INTEGER id                    Report the row belongs to.
-- @column  call_id           BIGINT  id(api_calls.call_id) Call.
-- @column  process_id        BIGINT  id                    Process that called.
-- @column  thread_id         BIGINT  id(threads.thread_id) Thread that called.
-- @column  name              VARCHAR text                  Function.
-- @column  op_id             BIGINT  id(gpu_ops.op_id)     First operation that it launched; NULL for none.
-- @column  op_name           VARCHAR text                  Its name: the short one of a kernel.
-- @column  cause             VARCHAR text                  first_use, queue_full or other.
-- @column  start_ns          BIGINT  ns                    Start of the call.
-- @column  end_ns            BIGINT  ns                    End of the call.
-- @column  dur_ns            BIGINT  ns                    end_ns - start_ns.
-- @column  usual_ns          DOUBLE  ns                    Usual duration of such a call.
-- @column  usual_of          VARCHAR text                  What it is usual of: kernel or function.
-- @column  busy_ratio        DOUBLE  ratio                 Share of the call in which a GPU of the process was busy; NULL for length 0 and without known GPUs.
-- @column  queued_count      BIGINT  count                 Operations of the process that were queued when it began (pending_launches), on all GPUs.
-- @column  is_first          BOOLEAN bool                  First launch of its kernel (first_launches).
-- @column  module_load_count BIGINT  count                 Loads of modules and functions, and compilations, in it; those inside another are part of that.
-- @column  module_load_ns    BIGINT  ns                    Time in them.
-- @column  buffer_full_ns    BIGINT  ns                    Time in it in which the driver waited for room in the queue, where recorded; else 0.
-- @order   dur_ns DESC
-- @assert  cause IN ('first_use', 'queue_full', 'other')
-- @assert  end_ns = start_ns + dur_ns
-- @assert  usual_ns >= 0
-- @assert  busy_ratio BETWEEN 0 AND 1
-- @assert  queued_count >= 0
-- @assert  module_load_ns BETWEEN 0 AND dur_ns
-- @assert  buffer_full_ns BETWEEN 0 AND dur_ns
-- @assert  NOT is_first OR op_id IS NOT NULL
-- @example SELECT cause, count(*) AS call_count, sum(dur_ns - usual_ns) AS extra_ns FROM slow_launches GROUP BY ALL
WITH slow AS MATERIALIZED (
    SELECT report_id, call_id, process_id, thread_id, name, start_ns, end_ns, dur_ns
    FROM api_calls
    WHERE dur_ns >= at_least_ns AND NOT is_nested AND _api_kind(name) = 'launch'
),

spans AS (
    SELECT report_id, call_id AS span_id, process_id, start_ns, end_ns FROM slow
),

kernel_calls AS MATERIALIZED (
    FROM _kernel_calls
),

alike AS (
    SELECT s.report_id, s.call_id, k.process_id, k.gpu_id, k.name_id
    FROM slow AS s
    INNER JOIN kernel_calls AS k ON k.report_id = s.report_id AND k.call_id = s.call_id
),

usual_of_kernels AS (
    SELECT k.report_id, k.process_id, k.gpu_id, k.name_id, median(k.dur_ns) AS usual_ns
    FROM kernel_calls AS k
    SEMI JOIN alike AS a
        ON a.report_id = k.report_id AND a.process_id = k.process_id AND a.gpu_id = k.gpu_id AND a.name_id = k.name_id
    GROUP BY k.report_id, k.process_id, k.gpu_id, k.name_id
    HAVING count(*) > 1
),

usual_of_functions AS (
    SELECT c.report_id, c.process_id, c.name, median(c.dur_ns) AS usual_ns
    FROM api_calls AS c
    SEMI JOIN slow AS s ON s.report_id = c.report_id AND s.process_id = c.process_id AND s.name = c.name
    WHERE NOT c.is_nested
    GROUP BY c.report_id, c.process_id, c.name
),

firsts AS (
    SELECT f.report_id, f.process_id, f.gpu_id, f.name_id, f.call_id, c.end_ns
    FROM _first_launches AS f
    INNER JOIN api_calls AS c ON c.report_id = f.report_id AND c.call_id = f.call_id
),

ops AS (
    SELECT o.report_id, o.process_id, c.start_ns AS call_ns, o.start_ns
    FROM _op_calls AS a
    INNER JOIN gpu_ops AS o ON o.report_id = a.report_id AND o.op_id = a.op_id
    INNER JOIN api_calls AS c ON c.report_id = a.report_id AND c.call_id = a.call_id
    WHERE c.start_ns < o.start_ns
),

-- Most are queued at no moment that is asked for.
queued_ops AS MATERIALIZED (
    SELECT o.report_id, o.process_id, o.call_ns, o.start_ns
    FROM ops AS o
    ASOF JOIN slow AS s ON s.report_id = o.report_id AND s.process_id = o.process_id AND o.call_ns < s.start_ns
    WHERE s.start_ns <= o.start_ns
),

edges AS (
    SELECT report_id, process_id, call_ns AS edge_ns, 1 AS change FROM queued_ops
    UNION ALL
    SELECT report_id, process_id, start_ns, -1 FROM queued_ops
),

-- Every edge goes to the next moment asked for; adding up from the first to the last gives what is open at each.
queued AS (
    SELECT
        m.report_id, m.process_id, m.start_ns,
        sum(sum(e.change)) OVER (
            PARTITION BY m.report_id, m.process_id ORDER BY m.start_ns ROWS UNBOUNDED PRECEDING) AS queued_count
    FROM edges AS e
    ASOF JOIN (SELECT DISTINCT report_id, process_id, start_ns FROM slow) AS m
        ON m.report_id = e.report_id AND m.process_id = e.process_id AND e.edge_ns < m.start_ns
    GROUP BY m.report_id, m.process_id, m.start_ns
),

queued_at AS (
    SELECT s.report_id, s.call_id, q.queued_count
    FROM slow AS s
    ASOF LEFT JOIN queued AS q
        ON q.report_id = s.report_id AND q.process_id = s.process_id AND q.start_ns <= s.start_ns
),

events AS (
    SELECT report_id, thread_id, start_ns, end_ns, TRUE AS is_load
    FROM api_calls
    WHERE is_nested AND (starts_with(name, 'cuLibraryLoad') OR starts_with(name, 'cuModuleLoad'))
    UNION ALL
    SELECT report_id, thread_id, start_ns, end_ns, kind <> 'command_buffer_full'
    FROM overheads
    WHERE kind IN ('module_load', 'lazy_function_load', 'jit', 'command_buffer_full')
),

inside AS MATERIALIZED (
    SELECT s.report_id, s.call_id AS track_id, e.start_ns, least(e.end_ns, s.end_ns) AS end_ns, e.is_load
    FROM events AS e
    ASOF JOIN slow AS s
        ON s.report_id = e.report_id AND coalesce(s.thread_id, 0) = coalesce(e.thread_id, 0) AND s.start_ns <= e.start_ns
    WHERE e.start_ns < s.end_ns
),

loading AS (
    FROM inside WHERE is_load
),

full_buffer AS (
    FROM inside WHERE NOT is_load
),

loads AS (
    SELECT
        report_id, track_id AS call_id, count(*) AS module_load_count,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS module_load_ns
    FROM interval_union('loading')
    GROUP BY ALL
),

waits_for_room AS (
    SELECT report_id, track_id AS call_id, union_ns AS buffer_full_ns FROM interval_union_ns('full_buffer')
),

described AS (
    SELECT
        s.*,
        o.op_id,
        g.name AS op_name,
        coalesce(k.usual_ns, f.usual_ns) AS usual_ns,
        CASE WHEN k.usual_ns IS NULL THEN 'function' ELSE 'kernel' END AS usual_of,
        b.busy_ns / nullif(s.dur_ns, 0) AS busy_ratio,
        CAST(coalesce(q.queued_count, 0) AS BIGINT) AS queued_count,
        coalesce(r.call_id = s.call_id, FALSE) AS is_first,
        coalesce(s.start_ns < r.end_ns, FALSE) AS is_at_first,
        coalesce(l.module_load_count, 0) AS module_load_count,
        coalesce(l.module_load_ns, 0) AS module_load_ns,
        coalesce(w.buffer_full_ns, 0) AS buffer_full_ns
    FROM slow AS s
    LEFT JOIN (FROM _op_calls WHERE op_number = 1) AS o ON o.report_id = s.report_id AND o.call_id = s.call_id
    LEFT JOIN gpu_ops AS g ON g.report_id = o.report_id AND g.op_id = o.op_id
    LEFT JOIN alike AS a ON a.report_id = s.report_id AND a.call_id = s.call_id
    LEFT JOIN usual_of_kernels AS k
        ON k.report_id = a.report_id AND k.process_id = a.process_id AND k.gpu_id = a.gpu_id AND k.name_id = a.name_id
    LEFT JOIN usual_of_functions AS f ON f.report_id = s.report_id AND f.process_id = s.process_id AND f.name = s.name
    LEFT JOIN _process_busy('spans') AS b ON b.report_id = s.report_id AND b.span_id = s.call_id
    LEFT JOIN queued_at AS q ON q.report_id = s.report_id AND q.call_id = s.call_id
    LEFT JOIN firsts AS r
        ON r.report_id = a.report_id AND r.process_id = a.process_id AND r.gpu_id = a.gpu_id AND r.name_id = a.name_id
    LEFT JOIN loads AS l ON l.report_id = s.report_id AND l.call_id = s.call_id
    LEFT JOIN waits_for_room AS w ON w.report_id = s.report_id AND w.call_id = s.call_id
)

SELECT
    report_id,
    call_id,
    process_id,
    thread_id,
    name,
    op_id,
    op_name,
    CASE
        WHEN buffer_full_ns > 0 AND 2 * buffer_full_ns >= dur_ns THEN 'queue_full'
        WHEN module_load_ns > 0 AND 2 * module_load_ns >= dur_ns THEN 'first_use'
        WHEN busy_ratio >= 0.99 AND queued_count >= full_queue_count THEN 'queue_full'
        WHEN is_first OR is_at_first OR module_load_count > 0 THEN 'first_use'
        ELSE 'other'
    END AS cause,
    start_ns,
    end_ns,
    dur_ns,
    usual_ns,
    usual_of,
    busy_ratio,
    queued_count,
    is_first,
    module_load_count,
    module_load_ns,
    buffer_full_ns
FROM described
