-- The three phases of each process and what filled them: before its first GPU operation, from there to its last, and after.
--
-- lead_in is start-up: imports, CUDA initialisation, building the model. active is from the start of the first operation to the
-- end of the last one; tail is to the end of the capture. A process without GPU work has no active phase: its one row is called
-- no_gpu_work. Times in calls are unions over the threads of the process, so calls of several threads at once count once; they
-- overlap the busy time of the GPUs and the profiler's overhead. What one GPU was idle for in them is in idle_by_cause.
--
-- @version 1
-- @grain   report_id, process_id, phase
-- @needs   any of kernels, memcpys, memsets, graph_launches, api_calls
-- @column  report_id       INTEGER id    Report the row belongs to.
-- @column  process_id      BIGINT  id    Process that used CUDA.
-- @column  phase           VARCHAR text  lead_in, active, tail or no_gpu_work.
-- @column  start_ns        BIGINT  ns    Start.
-- @column  end_ns          BIGINT  ns    End; NULL for a tail if the length of the capture is not recorded.
-- @column  dur_ns          BIGINT  ns    end_ns - start_ns.
-- @column  before_cuda_ns  BIGINT  ns    Part of it before the first CUDA call of the process; NULL if no call of it is recorded.
-- @column  after_cuda_ns   BIGINT  ns    Part of it after the last CUDA call of the process; NULL too if the phase has no end.
-- @column  gpu_busy_ns     BIGINT  ns    Time in it in which a GPU of the process was busy.
-- @column  cuda_call_ns    BIGINT  ns    Time in which a thread of the process was in a CUDA call.
-- @column  module_load_ns  BIGINT  ns    Time in which a thread loaded or compiled code.
-- @column  sync_ns         BIGINT  ns    Time in which a thread waited for the GPU.
-- @column  profiler_ns     BIGINT  ns    Time in which a thread did the profiler's work.
-- @column  op_count        BIGINT  count GPU operations of the process that began in it.
-- @column  call_count      BIGINT  count CUDA calls that began in it, those inside others too.
-- @order   report_id, process_id, start_ns, dur_ns
-- @assert  dur_ns = end_ns - start_ns
-- @assert  dur_ns >= 0
-- @assert  gpu_busy_ns BETWEEN 0 AND dur_ns
-- @assert  module_load_ns <= dur_ns AND sync_ns <= dur_ns AND profiler_ns <= dur_ns AND cuda_call_ns <= dur_ns
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT phase, dur_ns, gpu_busy_ns, cuda_call_ns FROM phases
WITH calls AS MATERIALIZED (
    SELECT c.report_id, c.process_id, c.start_ns, c.end_ns, f.kind, c.is_nested
    FROM api_calls AS c
    LEFT JOIN _api_functions AS f ON f.report_id = c.report_id AND f.name = c.name
),

in_cuda AS (
    SELECT report_id, process_id, min(start_ns) AS first_ns, max(end_ns) AS last_ns FROM calls GROUP BY ALL
),

working AS (
    SELECT report_id, process_id, min(start_ns) AS first_ns, max(end_ns) AS last_ns FROM gpu_ops GROUP BY ALL
),

bounds AS (
    SELECT
        coalesce(c.report_id, w.report_id) AS report_id, coalesce(c.process_id, w.process_id) AS process_id,
        c.first_ns AS first_call_ns, c.last_ns AS last_call_ns,
        CASE WHEN w.first_ns IS NOT NULL THEN greatest(w.first_ns, x.start_ns) END AS first_op_ns,
        CASE WHEN w.last_ns IS NOT NULL THEN greatest(w.last_ns, x.start_ns) END AS last_op_ns,
        x.start_ns AS capture_start_ns, x.end_ns AS capture_end_ns
    FROM in_cuda AS c
    FULL JOIN working AS w ON w.report_id = c.report_id AND w.process_id = c.process_id
    INNER JOIN _captures AS x ON x.report_id = coalesce(c.report_id, w.report_id)
),

spans AS (
    SELECT report_id, process_id, 'lead_in' AS phase, capture_start_ns AS start_ns, first_op_ns AS end_ns
    FROM bounds
    WHERE first_op_ns IS NOT NULL
    UNION ALL
    SELECT report_id, process_id, 'active', first_op_ns, last_op_ns FROM bounds WHERE first_op_ns IS NOT NULL
    UNION ALL
    SELECT report_id, process_id, 'tail', last_op_ns, CASE WHEN capture_end_ns IS NOT NULL THEN greatest(capture_end_ns, last_op_ns) END
    FROM bounds
    WHERE first_op_ns IS NOT NULL
    UNION ALL
    SELECT report_id, process_id, 'no_gpu_work', capture_start_ns, capture_end_ns FROM bounds WHERE first_op_ns IS NULL
),

numbered AS MATERIALIZED (
    SELECT *, row_number() OVER () AS span_id FROM spans
),

-- what: 0 a call, 1 code is loaded, 2 a wait, 3 work of the profiler.
doings AS (
    SELECT report_id, process_id, 0 AS what, start_ns, end_ns FROM calls WHERE NOT is_nested
    UNION ALL
    SELECT report_id, process_id, 1, start_ns, end_ns FROM calls WHERE kind = 'module'
    UNION ALL
    SELECT report_id, process_id, 1, start_ns, end_ns
    FROM overheads
    WHERE kind IN ('jit', 'module_load', 'lazy_function_load')
    UNION ALL
    SELECT report_id, process_id, 2, start_ns, end_ns FROM calls WHERE kind = 'sync' AND NOT is_nested
    UNION ALL
    SELECT report_id, process_id, 3, start_ns, end_ns FROM overheads WHERE is_profiler_cost
),

-- A union does not change if its intervals are cut at the bounds of the phases.
cut AS (
    SELECT
        s.report_id, s.span_id * 4 + d.what AS track_id,
        greatest(d.start_ns, s.start_ns) AS start_ns, least(d.end_ns, coalesce(s.end_ns, d.end_ns)) AS end_ns
    FROM doings AS d
    INNER JOIN numbered AS s ON s.report_id = d.report_id AND s.process_id = d.process_id
    WHERE d.start_ns < coalesce(s.end_ns, d.end_ns) AND d.end_ns > s.start_ns
),

done AS (
    SELECT
        track_id // 4 AS span_id,
        sum(CASE WHEN track_id % 4 = 0 THEN union_ns END) AS call_ns,
        sum(CASE WHEN track_id % 4 = 1 THEN union_ns END) AS module_ns,
        sum(CASE WHEN track_id % 4 = 2 THEN union_ns END) AS sync_ns,
        sum(CASE WHEN track_id % 4 = 3 THEN union_ns END) AS profiler_ns
    FROM interval_union_ns('cut')
    GROUP BY ALL
),

busy AS (
    SELECT
        s.report_id, s.process_id, s.phase,
        sum(least(i.end_ns, coalesce(s.end_ns, i.end_ns)) - greatest(i.start_ns, s.start_ns)) AS busy_ns
    FROM spans AS s
    INNER JOIN _process_islands AS i ON i.report_id = s.report_id AND i.process_id = s.process_id
    WHERE i.start_ns < coalesce(s.end_ns, i.end_ns) AND i.end_ns > s.start_ns
    GROUP BY ALL
),

counted AS (
    SELECT
        report_id, process_id,
        CASE
            WHEN b.first_op_ns IS NULL THEN 'no_gpu_work'
            WHEN NOT e.is_op AND e.start_ns < b.first_op_ns THEN 'lead_in'
            WHEN e.start_ns <= b.last_op_ns THEN 'active'
            ELSE 'tail'
        END AS phase,
        count(CASE WHEN e.is_op THEN 1 END) AS op_count, count(CASE WHEN NOT e.is_op THEN 1 END) AS call_count
    FROM (
        SELECT report_id, process_id, start_ns, TRUE AS is_op FROM gpu_ops
        UNION ALL
        SELECT report_id, process_id, start_ns, FALSE FROM calls
    ) AS e
    INNER JOIN bounds AS b USING (report_id, process_id)
    GROUP BY ALL
)

SELECT
    s.report_id,
    s.process_id,
    s.phase,
    s.start_ns,
    s.end_ns,
    s.end_ns - s.start_ns AS dur_ns,
    CASE WHEN b.first_call_ns IS NOT NULL THEN greatest(least(b.first_call_ns, s.end_ns) - s.start_ns, 0) END AS before_cuda_ns,
    CASE WHEN b.last_call_ns IS NOT NULL AND s.end_ns IS NOT NULL THEN greatest(s.end_ns - greatest(b.last_call_ns, s.start_ns), 0) END
        AS after_cuda_ns,
    CAST(coalesce(u.busy_ns, 0) AS BIGINT) AS gpu_busy_ns,
    CAST(coalesce(d.call_ns, 0) AS BIGINT) AS cuda_call_ns,
    CAST(coalesce(d.module_ns, 0) AS BIGINT) AS module_load_ns,
    CAST(coalesce(d.sync_ns, 0) AS BIGINT) AS sync_ns,
    CAST(coalesce(d.profiler_ns, 0) AS BIGINT) AS profiler_ns,
    coalesce(n.op_count, 0) AS op_count,
    coalesce(n.call_count, 0) AS call_count
FROM numbered AS s
INNER JOIN bounds AS b USING (report_id, process_id)
LEFT JOIN done AS d USING (span_id)
LEFT JOIN busy AS u USING (report_id, process_id, phase)
LEFT JOIN counted AS n USING (report_id, process_id, phase)
