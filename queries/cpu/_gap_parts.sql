-- The parts of every gap of a GPU by cause.
--
-- The concept stands in gap_causes. Most gaps between operations meet nothing but calls that lie apart on their thread: nearly
-- every such call is in one gap. The others are swept from edge to edge, with all that is open.
--
-- @version 1
-- @grain   report_id, gap_id, cause, name
-- @column  report_id    INTEGER id   Report the row belongs to.
-- @column  gap_id       BIGINT  id   Gap.
-- @column  gpu_id       INTEGER id   GPU that was idle.
-- @column  position     VARCHAR text lead_in, between or tail.
-- @column  cause        VARCHAR text What it was spent on.
-- @column  name         VARCHAR text Function of a CUDA or OS call.
-- @column  dur_ns       BIGINT  ns   Time of the gap spent on it.
-- @column  gap_dur_ns   BIGINT  ns   Length of the gap.
-- @column  process_id   BIGINT  id   Process whose work ended the gap, or was before the tail.
-- @column  thread_id    BIGINT  id   Thread that was followed; NULL if not known.
-- @column  range_id     BIGINT  id   NVTX range with the largest share of the gap; NULL for none.
WITH functions AS MATERIALIZED (
    SELECT name, kind, CAST(row_number() OVER () AS BIGINT) AS number
    FROM (
        SELECT DISTINCT name, kind FROM _api_functions
        UNION ALL
        SELECT DISTINCT name, 'os' FROM osrt_calls
    )
),

calls AS MATERIALIZED (
    SELECT
        c.report_id, c.process_id, c.thread_id, c.call_id, c.start_ns, c.end_ns, c.is_nested, f.kind, f.number,
        contains(f.name, 'Memcpy') AND NOT ends_with(f.name, 'Async') AS is_blocking
    FROM (SELECT report_id, process_id, thread_id, call_id, start_ns, end_ns, is_nested, name FROM api_calls) AS c
    INNER JOIN functions AS f ON f.name = c.name AND f.kind <> 'os'
),

followed AS MATERIALIZED (
    SELECT
        g.report_id, g.gap_id, g.gpu_id, g.position, g.start_ns, g.end_ns, g.dur_ns,
        coalesce(c.process_id, p.process_id) AS process_id, c.thread_id, c.call_id, c.start_ns AS launch_ns,
        c.number AS launch_number, r.range_id,
        CASE
            WHEN c.call_id IS NULL THEN 'unknown'
            WHEN g.position <> 'between' OR c.start_ns > g.start_ns THEN CASE WHEN c.thread_id IS NULL THEN 'unknown' END
            WHEN g.dur_ns < 20000 THEN 'gpu_dispatch'
            ELSE 'dependency'
        END AS whole_cause
    FROM _gaps AS g
    LEFT JOIN _last_ops AS t ON t.report_id = g.report_id AND t.gpu_id = g.gpu_id
    LEFT JOIN _op_calls AS o ON o.report_id = g.report_id AND o.op_id = coalesce(g.next_op_id, t.op_id)
    LEFT JOIN calls AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
    LEFT JOIN (
        SELECT report_id, op_id, coalesce(process_id, 0) AS process_id FROM _op_rows ANTI JOIN _op_calls USING (report_id, op_id)
    ) AS p
        ON p.report_id = g.report_id AND p.op_id = coalesce(g.next_op_id, t.op_id)
    LEFT JOIN _gap_ranges AS r ON r.report_id = g.report_id AND r.gap_id = g.gap_id
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

copy_ends AS (
    SELECT c.report_id, c.call_id, max(g.end_ns) AS end_ns
    FROM (FROM calls WHERE kind = 'copy') AS c
    INNER JOIN _op_calls AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
    INNER JOIN gpu_ops AS g ON g.report_id = o.report_id AND g.op_id = o.op_id
    GROUP BY c.report_id, c.call_id
),

outermost AS (
    SELECT
        c.report_id, c.thread_id, c.start_ns, c.end_ns, c.number,
        CASE
            WHEN c.kind = 'launch'
                THEN CASE WHEN f.call_id IS NOT NULL AND c.end_ns - c.start_ns >= 100000 THEN 32 ELSE 16 END
            WHEN c.kind = 'sync' THEN 28
            WHEN c.kind = 'copy' AND (c.is_blocking OR e.end_ns <= c.end_ns) THEN 24
            WHEN c.kind = 'alloc' THEN 20
            ELSE 8
        END AS layer,
        x.call_id IS NOT NULL AS is_crossing
    FROM calls AS c
    LEFT JOIN copy_ends AS e ON e.report_id = c.report_id AND e.call_id = c.call_id
    LEFT JOIN _first_launches AS f ON f.report_id = c.report_id AND f.call_id = c.call_id
    LEFT JOIN (FROM _nested_calls WHERE is_crossing) AS x ON x.report_id = c.report_id AND x.call_id = c.call_id
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
    SELECT report_id, thread_id, start_ns, end_ns, layer, number, NOT is_crossing AS is_apart FROM outermost
    UNION ALL
    SELECT report_id, track_id, start_ns, end_ns, 48, NULL, FALSE FROM interval_union('profiling')
    UNION ALL
    SELECT report_id, track_id, start_ns, end_ns, 36, NULL, FALSE FROM interval_union('loading')
    UNION ALL
    SELECT o.report_id, o.thread_id, o.start_ns, coalesce(o.end_ns, 9223372036854775807), 4, f.number, FALSE
    FROM osrt_calls AS o
    INNER JOIN functions AS f ON f.name = o.name AND f.kind = 'os'
    WHERE o.is_blocking AND NOT o.is_nested AND o.start_ns IS NOT NULL
),

-- What it is, is one number: its layer and 64 times the number of the function.
intervals AS MATERIALIZED (
    SELECT t.track_id, i.start_ns, i.end_ns, i.layer + 64 * coalesce(i.number, 0) AS what, i.is_apart
    FROM of_threads AS i
    INNER JOIN tracks AS t ON t.report_id = i.report_id AND t.thread_id = i.thread_id
),

apart AS (
    FROM intervals WHERE is_apart
),

crossing AS (
    SELECT 0 AS report_id, track_id, start_ns, end_ns FROM intervals WHERE NOT is_apart
),

-- turn_ns: when the launch that ends the gap begins, from when on all that is left is launch latency.
waiting AS (
    SELECT
        t.track_id, f.gap_id, f.start_ns, f.end_ns, f.launch_number, f.position <> 'between' AS is_outer,
        f.position = 'lead_in' AS is_lead_in,
        CASE WHEN f.position <> 'tail' THEN least(greatest(f.launch_ns, f.start_ns), f.end_ns) ELSE f.end_ns END AS turn_ns
    FROM followed AS f
    INNER JOIN tracks AS t USING (report_id, thread_id, gpu_id)
    WHERE f.whole_cause IS NULL
),

walked AS MATERIALIZED (
    SELECT w.*, w.is_outer OR coalesce(x.end_ns > w.start_ns, FALSE) AS is_swept
    FROM waiting AS w
    ASOF LEFT JOIN interval_union('crossing') AS x ON x.track_id = w.track_id AND x.start_ns < w.end_ns
),

-- The first gap that each call is in.
first_pairs AS MATERIALIZED (
    SELECT
        w.track_id, w.gap_id, w.turn_ns, w.is_swept, c.what, c.start_ns AS call_start_ns, c.end_ns AS call_end_ns,
        w.start_ns AS gap_start_ns, w.end_ns AS gap_end_ns
    FROM apart AS c
    ASOF JOIN walked AS w ON w.track_id = c.track_id AND w.end_ns > c.start_ns
    WHERE w.start_ns < c.end_ns
),

-- Few calls outlast it, to be in others.
pairs AS MATERIALIZED (
    SELECT
        track_id, gap_id, turn_ns, is_swept, what,
        greatest(call_start_ns, gap_start_ns) AS start_ns, least(call_end_ns, gap_end_ns) AS end_ns
    FROM first_pairs
    UNION ALL
    SELECT w.track_id, w.gap_id, w.turn_ns, w.is_swept, c.what, w.start_ns, least(c.call_end_ns, w.end_ns)
    FROM walked AS w
    ASOF JOIN (FROM first_pairs WHERE call_end_ns > gap_end_ns) AS c
        ON c.track_id = w.track_id AND c.call_start_ns < w.start_ns
    WHERE c.call_end_ns > w.start_ns AND c.gap_id <> w.gap_id
),

-- Calls that do not count as much as launch latency are part of it.
covered AS MATERIALIZED (
    SELECT
        track_id, gap_id, what,
        greatest(least(end_ns, turn_ns) - start_ns, 0) AS before_ns,
        CASE WHEN what & 63 > 12 THEN greatest(end_ns - greatest(start_ns, turn_ns), 0) ELSE 0 END AS after_ns
    FROM pairs
    WHERE NOT is_swept
),

uncovered AS MATERIALIZED (
    SELECT
        w.track_id, w.gap_id, w.launch_number,
        CAST(w.turn_ns - w.start_ns - coalesce(c.before_ns, 0) AS BIGINT) AS before_ns,
        CAST(w.end_ns - w.turn_ns - coalesce(c.after_ns, 0) AS BIGINT) AS after_ns
    FROM walked AS w
    LEFT JOIN (SELECT track_id, gap_id, sum(before_ns) AS before_ns, sum(after_ns) AS after_ns FROM covered GROUP BY ALL) AS c
        ON c.track_id = w.track_id AND c.gap_id = w.gap_id
    WHERE NOT w.is_swept
),

swept AS (
    SELECT
        track_id, start_ns, end_ns, gap_id, (gap_id << 16) + launch_number AS gap_number, turn_ns,
        CASE WHEN is_lead_in THEN 1 ELSE 0 END AS is_lead_in
    FROM walked
    WHERE is_swept
),

-- A layer has four bits of one number, the one that counts most the highest, so that the number tells which is on top.
-- Which function is on top is in another number, of CUDA in its upper, of the OS in its lower half, each with a count.
open_intervals AS (
    SELECT
        track_id, start_ns, end_ns, 0 AS gap_number, 1::BIGINT << (what & 63) AS layer,
        CASE WHEN what & 63 = 4 THEN 16777216 + (what >> 6) WHEN what >= 64 THEN (16777216 + (what >> 6)) << 30 ELSE 0 END
            AS function_number
    FROM (
        SELECT track_id, start_ns, end_ns, what FROM intervals WHERE NOT is_apart
        UNION ALL
        SELECT track_id, start_ns, end_ns, what FROM pairs WHERE is_swept
    )
    UNION ALL
    SELECT w.track_id, o.start_ns, o.end_ns, 0, 1::BIGINT << CASE o.cause WHEN 'before_cuda' THEN 44 ELSE 40 END, 0
    FROM swept AS w
    INNER JOIN tracks AS t USING (track_id)
    INNER JOIN outside AS o ON o.report_id = t.report_id AND o.gap_id = w.gap_id AND o.end_ns > o.start_ns
),

edges AS (
    SELECT track_id, start_ns AS edge_ns, gap_number, layer, function_number FROM open_intervals
    UNION ALL
    SELECT track_id, end_ns, -gap_number, -layer, -function_number FROM open_intervals
    UNION ALL
    SELECT track_id, start_ns, gap_number, is_lead_in, 0 FROM swept
    UNION ALL
    SELECT track_id, turn_ns, 0, 4096, 0 FROM swept
    UNION ALL
    SELECT track_id, end_ns, -gap_number, -4096 - is_lead_in, 0 FROM swept
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
    SELECT track_id, gap_id, 0 AS what, before_ns AS dur_ns FROM uncovered
    UNION ALL
    SELECT track_id, gap_id, what, CAST(sum(dur_ns) AS BIGINT)
    FROM (
        SELECT track_id, gap_id, what, before_ns + after_ns AS dur_ns FROM covered
        UNION ALL
        SELECT track_id, gap_id, 16 + 64 * launch_number, after_ns FROM uncovered WHERE after_ns > 0
        UNION ALL
        SELECT
            track_id, gap_number >> 16,
            CASE WHEN layer = 12 THEN 16 ELSE layer END + 64 * CASE
                WHEN layer = 12 THEN gap_number & 65535
                WHEN layer = 4 AND (functions_open >> 24) & 63 = 1 THEN functions_open & 16777215
                WHEN layer BETWEEN 8 AND 32 AND functions_open >> 54 = 1 THEN (functions_open >> 30) & 16777215
                ELSE 0
            END,
            dur_ns
        FROM judged
    )
    GROUP BY track_id, gap_id, what
),

totals AS (
    SELECT
        t.report_id, p.gap_id,
        CASE p.what & 63
            WHEN 0 THEN 'host_code' WHEN 4 THEN 'os_call' WHEN 8 THEN 'cuda' WHEN 9 THEN 'cuda_init' WHEN 16 THEN 'launch'
            WHEN 20 THEN 'alloc' WHEN 24 THEN 'blocking_copy' WHEN 28 THEN 'sync' WHEN 32 THEN 'first_use'
            WHEN 36 THEN 'module_load' WHEN 40 THEN 'teardown' WHEN 44 THEN 'before_cuda' WHEN 48 THEN 'profiler_overhead'
        END AS cause,
        n.name,
        p.dur_ns
    FROM parts AS p
    INNER JOIN tracks AS t USING (track_id)
    LEFT JOIN functions AS n ON n.number = p.what >> 6
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
    f.process_id,
    f.thread_id,
    f.range_id
FROM totals AS t
INNER JOIN followed AS f ON f.report_id = t.report_id AND f.gap_id = t.gap_id
WHERE t.dur_ns > 0
