-- Why each gap of a GPU lasted: its length divided by what the CPU was doing, to the nanosecond.
--
-- Followed is the thread that launched the operation which ends the gap, for a tail the one before it; what other threads did is in
-- no gap. If the launch began before the gap, the CPU was not what it waited for: gpu_dispatch below 20 us, else
-- dependency (an event, another stream, a full queue). Else every moment belongs to the first of these that holds:
--   profiler_overhead  the profiler's own work on the thread
--   before_cuda        of a lead_in: before the process called CUDA at all
--   teardown           of a tail: after the process called CUDA for the last time
--   module_load        code is loaded or compiled
--   first_use          a launch of 100 us and more, the first one of its kernel
--   sync               a wait for the GPU
--   blocking_copy      a copy that returned after it was done
--   alloc              memory is got or given back
--   launch             a launch call, and the time from the start of the one that ends the gap to its operation: launch latency
--   cuda               another CUDA call. In a lead_in this and alloc are cuda_init
--   os_call            a blocking call of the operating system, outside of CUDA calls
--   host_code          none of these: the program itself
-- unknown is a gap whose operation has no API call (api_ops says why). Without OS calls in the trace, they are host_code.
--
-- @version 1
-- @grain   report_id, gap_id, cause, name
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id    INTEGER id                    Report the row belongs to.
-- @column  gap_id       BIGINT  id(gaps.gap_id)       Gap.
-- @column  gpu_id       INTEGER id(gpus.gpu_id)       GPU that was idle.
-- @column  position     VARCHAR text                  lead_in, between or tail.
-- @column  cause        VARCHAR text                  What it was spent on.
-- @column  name         VARCHAR text                  Function of a CUDA or OS call; NULL for other causes and where calls cross.
-- @column  dur_ns       BIGINT  ns                    Time of the gap spent on it.
-- @column  gap_dur_ns   BIGINT  ns                    Length of the gap: its rows add up to it.
-- @column  share_ratio  DOUBLE  ratio                 dur_ns of gap_dur_ns.
-- @column  process_id   BIGINT  id                    Process whose work ended the gap, or was before the tail.
-- @column  thread_id    BIGINT  id(threads.thread_id) Thread that was followed; NULL if not known.
-- @column  nvtx_path    VARCHAR text                  What the program was doing (gaps): names of NVTX ranges with slashes.
-- @order   dur_ns DESC
-- @assert  dur_ns > 0
-- @assert  cause IN ('profiler_overhead', 'before_cuda', 'teardown', 'module_load', 'first_use', 'sync', 'blocking_copy', 'alloc',
--     'launch', 'cuda', 'cuda_init', 'os_call', 'host_code', 'gpu_dispatch', 'dependency', 'unknown')
-- @example SELECT cause, name, sum(dur_ns) AS dur_ns FROM gap_causes WHERE position = 'between' GROUP BY ALL ORDER BY dur_ns DESC
WITH functions AS MATERIALIZED (
    SELECT name, kind, CAST(row_number() OVER () AS BIGINT) AS number
    FROM (
        SELECT DISTINCT name, _api_kind(name) AS kind FROM _api_rows
        UNION ALL
        SELECT DISTINCT name, 'os' FROM osrt_calls
    )
),

calls AS MATERIALIZED (
    SELECT
        c.report_id, c.process_id, c.thread_id, c.call_id, c.start_ns, c.end_ns, c.is_nested, f.kind, f.number,
        ends_with(f.name, 'Async') AS is_async
    FROM (SELECT report_id, process_id, thread_id, call_id, start_ns, end_ns, is_nested, name FROM api_calls) AS c
    INNER JOIN functions AS f ON f.name = c.name AND f.kind <> 'os'
),

followed AS MATERIALIZED (
    SELECT
        g.report_id, g.gap_id, g.gpu_id, g.position, g.start_ns, g.end_ns, g.dur_ns,
        coalesce(c.process_id, p.process_id) AS process_id, c.thread_id, c.call_id, c.start_ns AS launch_ns,
        c.number AS launch_number,
        CASE
            WHEN c.call_id IS NULL THEN 'unknown'
            WHEN g.position <> 'between' OR c.start_ns > g.start_ns THEN NULL
            WHEN g.dur_ns < 20000 THEN 'gpu_dispatch'
            ELSE 'dependency'
        END AS whole_cause
    FROM _gaps AS g
    LEFT JOIN _op_calls AS o ON o.report_id = g.report_id AND o.op_id = coalesce(g.next_op_id, g.previous_op_id)
    LEFT JOIN calls AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
    LEFT JOIN (SELECT report_id, op_id, process_id FROM gpu_ops ANTI JOIN _op_calls USING (report_id, op_id)) AS p
        ON p.report_id = g.report_id AND p.op_id = coalesce(g.next_op_id, g.previous_op_id)
),

processes_in_cuda AS (
    SELECT report_id, process_id, min(start_ns) AS first_ns, max(end_ns) AS last_ns
    FROM calls
    GROUP BY report_id, process_id
),

-- Lead-ins and tails outside of the time in which their process used CUDA.
outside AS (
    SELECT
        f.report_id, f.gap_id, f.whole_cause,
        CASE f.position WHEN 'lead_in' THEN 'before_cuda' ELSE 'teardown' END AS cause,
        CASE f.position WHEN 'lead_in' THEN f.start_ns ELSE greatest(f.start_ns, p.last_ns) END AS start_ns,
        CASE f.position WHEN 'lead_in' THEN least(f.end_ns, p.first_ns) ELSE f.end_ns END AS end_ns
    FROM followed AS f
    INNER JOIN processes_in_cuda AS p ON p.report_id = f.report_id AND p.process_id = f.process_id
    WHERE f.position <> 'between'
),

tracks AS (
    SELECT report_id, thread_id, gpu_id, CAST(row_number() OVER () AS INTEGER) AS track_id
    FROM (SELECT DISTINCT report_id, thread_id, gpu_id FROM followed WHERE whole_cause IS NULL)
),

walked AS (
    SELECT
        t.track_id, f.report_id, f.gap_id, f.start_ns, f.end_ns, f.launch_ns, (f.gap_id << 16) + f.launch_number AS gap_number,
        f.position <> 'tail' AND f.launch_ns < f.end_ns AS waits_for_launch,
        CASE WHEN f.position = 'lead_in' THEN 1 ELSE 0 END AS is_lead_in
    FROM followed AS f
    INNER JOIN tracks AS t USING (report_id, thread_id, gpu_id)
    WHERE f.whole_cause IS NULL
),

copy_ends AS (
    SELECT c.report_id, c.call_id, max(g.end_ns) AS end_ns
    FROM (FROM calls WHERE kind = 'copy') AS c
    INNER JOIN _op_calls AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
    INNER JOIN gpu_ops AS g ON g.report_id = o.report_id AND g.op_id = o.op_id
    GROUP BY c.report_id, c.call_id
),

-- A layer has four bits of one number, the one that counts most the highest, so that the number tells which is on top.
-- Which function is on top is in another number, of CUDA in its upper, of the OS in its lower half, each with a count.
outermost AS (
    SELECT
        c.report_id, c.thread_id, c.start_ns, c.end_ns,
        CASE
            WHEN c.kind = 'launch'
                THEN CASE WHEN f.call_id IS NOT NULL AND c.end_ns - c.start_ns >= 100000 THEN 32 ELSE 16 END
            WHEN c.kind = 'sync' THEN 28
            WHEN c.kind = 'copy' AND coalesce(e.end_ns <= c.end_ns, NOT c.is_async) THEN 24
            WHEN c.kind = 'alloc' THEN 20
            ELSE 8
        END AS layer,
        (16777216 + c.number) << 30 AS function_number
    FROM calls AS c
    LEFT JOIN copy_ends AS e ON e.report_id = c.report_id AND e.call_id = c.call_id
    LEFT JOIN _first_launches AS f ON f.report_id = c.report_id AND f.call_id = c.call_id
    WHERE NOT c.is_nested AND c.end_ns > c.start_ns
),

profiling AS (
    SELECT report_id, thread_id AS track_id, start_ns, end_ns FROM overheads WHERE is_profiler_cost
),

loading AS (
    SELECT report_id, thread_id AS track_id, start_ns, end_ns
    FROM overheads
    WHERE kind IN ('jit', 'module_load', 'lazy_function_load')
    UNION ALL
    SELECT report_id, thread_id, start_ns, end_ns FROM calls WHERE kind = 'module'
),

of_threads AS (
    SELECT report_id, thread_id, start_ns, end_ns, layer, function_number FROM outermost
    UNION ALL
    SELECT report_id, track_id, start_ns, end_ns, 48, 0 FROM interval_union('profiling')
    UNION ALL
    SELECT report_id, track_id, start_ns, end_ns, 36, 0 FROM interval_union('loading')
    UNION ALL
    SELECT o.report_id, o.thread_id, o.start_ns, o.end_ns, 4, 16777216 + f.number
    FROM osrt_calls AS o
    INNER JOIN functions AS f ON f.name = o.name AND f.kind = 'os'
    WHERE o.is_blocking AND NOT o.is_nested
),

intervals AS (
    SELECT t.track_id, i.start_ns, i.end_ns, 0 AS gap_number, 1::BIGINT << i.layer AS layer, i.function_number
    FROM of_threads AS i
    INNER JOIN tracks AS t ON t.report_id = i.report_id AND t.thread_id = i.thread_id
    UNION ALL
    SELECT w.track_id, o.start_ns, o.end_ns, 0, 1::BIGINT << CASE o.cause WHEN 'before_cuda' THEN 44 ELSE 40 END, 0
    FROM walked AS w
    INNER JOIN outside AS o ON o.report_id = w.report_id AND o.gap_id = w.gap_id AND o.end_ns > o.start_ns
),

edges AS (
    SELECT track_id, start_ns AS edge_ns, gap_number, layer, function_number FROM intervals
    UNION ALL
    SELECT track_id, end_ns, -gap_number, -layer, -function_number FROM intervals
    UNION ALL
    SELECT track_id, start_ns, gap_number, is_lead_in, 0 FROM walked
    UNION ALL
    SELECT track_id, launch_ns, 0, 4096, 0 FROM walked WHERE waits_for_launch
    UNION ALL
    SELECT track_id, end_ns, -gap_number, CASE WHEN waits_for_launch THEN -4096 ELSE 0 END - is_lead_in, 0 FROM walked
),

stretches AS (
    SELECT
        track_id,
        lead(edge_ns) OVER track - edge_ns AS dur_ns,
        CAST(sum(gap_number) OVER (track ROWS UNBOUNDED PRECEDING) AS BIGINT) AS gap_number,
        CAST(sum(layer) OVER (track ROWS UNBOUNDED PRECEDING) AS BIGINT) AS layers,
        CAST(sum(function_number) OVER (track ROWS UNBOUNDED PRECEDING) AS BIGINT) AS functions_open
    FROM edges
    WINDOW track AS (PARTITION BY track_id ORDER BY edge_ns)
),

judged AS (
    SELECT
        track_id, gap_number, dur_ns, layers, functions_open,
        CASE
            WHEN layers < 1 << 4 THEN 0
            WHEN layers < 1 << 8 THEN 4
            WHEN layers < 1 << 12 THEN CASE WHEN layers & 1 = 1 THEN 9 ELSE 8 END
            WHEN layers < 1 << 16 THEN 12
            WHEN layers < 1 << 20 THEN 16
            WHEN layers < 1 << 24 THEN CASE WHEN layers & 1 = 1 THEN 9 ELSE 20 END
            WHEN layers < 1 << 28 THEN 24
            WHEN layers < 1::BIGINT << 32 THEN 28
            WHEN layers < 1::BIGINT << 36 THEN 32
            WHEN layers < 1::BIGINT << 40 THEN 36
            WHEN layers < 1::BIGINT << 44 THEN 40
            WHEN layers < 1::BIGINT << 48 THEN 44
            ELSE 48
        END AS layer
    FROM stretches
    WHERE gap_number <> 0 AND dur_ns > 0
),

parts AS (
    SELECT
        track_id, gap_number >> 16 AS gap_id, CASE WHEN layer = 12 THEN 16 ELSE layer END AS layer,
        CASE
            WHEN layer = 12 THEN gap_number & 65535
            WHEN layer = 4 THEN CASE WHEN (functions_open >> 24) & 63 = 1 THEN functions_open & 16777215 END
            WHEN layer BETWEEN 8 AND 32 THEN CASE WHEN functions_open >> 54 = 1 THEN (functions_open >> 30) & 16777215 END
        END AS number,
        sum(dur_ns) AS dur_ns
    FROM judged
    GROUP BY ALL
),

totals AS (
    SELECT
        t.report_id, p.gap_id,
        CASE p.layer
            WHEN 0 THEN 'host_code' WHEN 4 THEN 'os_call' WHEN 8 THEN 'cuda' WHEN 9 THEN 'cuda_init' WHEN 16 THEN 'launch'
            WHEN 20 THEN 'alloc' WHEN 24 THEN 'blocking_copy' WHEN 28 THEN 'sync' WHEN 32 THEN 'first_use'
            WHEN 36 THEN 'module_load' WHEN 40 THEN 'teardown' WHEN 44 THEN 'before_cuda' WHEN 48 THEN 'profiler_overhead'
        END AS cause,
        n.name,
        p.dur_ns
    FROM parts AS p
    INNER JOIN tracks AS t USING (track_id)
    LEFT JOIN functions AS n ON n.number = p.number
    UNION ALL
    SELECT report_id, gap_id, cause, NULL, end_ns - start_ns
    FROM outside
    WHERE whole_cause = 'unknown' AND end_ns > start_ns
    UNION ALL
    SELECT f.report_id, f.gap_id, f.whole_cause, NULL, f.dur_ns - greatest(coalesce(o.end_ns - o.start_ns, 0), 0)
    FROM followed AS f
    LEFT JOIN outside AS o ON o.report_id = f.report_id AND o.gap_id = f.gap_id
    WHERE f.whole_cause IS NOT NULL
)

SELECT
    t.report_id,
    t.gap_id,
    f.gpu_id,
    f.position,
    t.cause,
    t.name,
    CAST(t.dur_ns AS BIGINT) AS dur_ns,
    f.dur_ns AS gap_dur_ns,
    t.dur_ns / f.dur_ns AS share_ratio,
    f.process_id,
    f.thread_id,
    p.path AS nvtx_path
FROM totals AS t
INNER JOIN followed AS f ON f.report_id = t.report_id AND f.gap_id = t.gap_id
LEFT JOIN _gap_ranges AS r ON r.report_id = t.report_id AND r.gap_id = t.gap_id
LEFT JOIN _range_paths AS p ON p.report_id = r.report_id AND p.range_id = r.range_id
WHERE t.dur_ns > 0
