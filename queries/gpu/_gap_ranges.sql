-- What the program was doing in each gap of a GPU, by its NVTX ranges.
--
-- Followed is the thread that launched the work that ends the gap, for a tail the work before it. If it never opens an
-- application range, the one thread of its process that does is followed instead; if several do, none. Computed once per
-- report.
--
-- @version 1
-- @kind    table
-- @grain   report_id, gap_id
-- @column  report_id       INTEGER id Report the row belongs to.
-- @column  gap_id          BIGINT  id Gap in which a range was open, or that a launch in a range ended.
-- @column  range_id        BIGINT  id Innermost application range with the largest share of the gap (of equal ones the first recorded); NULL for none.
-- @column  is_launched_there BOOLEAN bool The operation which ends the gap belongs to that range (op_ranges).
-- @column  launch_range_id BIGINT  id Range that it belongs to if that is another one; NULL else.
WITH annotated AS (
    SELECT
        report_id, process_id, thread_id,
        CAST(row_number() OVER (ORDER BY report_id, thread_id) AS INTEGER) AS thread_number,
        count(*) OVER (PARTITION BY report_id, process_id) = 1 AS is_only
    FROM (SELECT DISTINCT report_id, process_id, thread_id FROM _application_ranges)
),

followed AS (
    SELECT
        g.report_id, g.gap_id, g.gpu_id, g.start_ns, g.end_ns,
        coalesce(a.thread_number, p.thread_number) AS thread_number,
        CASE WHEN g.next_op_id IS NOT NULL THEN coalesce(r.range_id, m.range_id) END AS launch_range_id
    FROM _gaps AS g
    LEFT JOIN _last_ops AS t ON t.report_id = g.report_id AND t.gpu_id = g.gpu_id
    INNER JOIN _op_calls AS o ON o.report_id = g.report_id AND o.op_id = coalesce(g.next_op_id, t.op_id)
    INNER JOIN _api_rows AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
    LEFT JOIN annotated AS a ON a.report_id = c.report_id AND a.thread_id = c.thread_id
    LEFT JOIN annotated AS p ON p.report_id = c.report_id AND p.process_id = c.process_id AND p.is_only
    LEFT JOIN _call_ranges AS r ON r.report_id = o.report_id AND r.call_id = o.call_id AND r.is_innermost
    LEFT JOIN _process_ranges AS m ON m.report_id = o.report_id AND m.call_id = o.call_id
),

stretches AS MATERIALIZED (
    SELECT a.thread_number, s.start_ns, s.end_ns, s.range_id
    FROM _range_stretches AS s
    INNER JOIN annotated AS a ON a.report_id = s.report_id AND a.thread_id = s.thread_id
),

starts AS MATERIALIZED (
    SELECT
        f.report_id, f.gap_id, f.gpu_id, f.thread_number, f.start_ns, f.end_ns, f.launch_range_id, s.range_id,
        coalesce(s.end_ns >= f.end_ns, FALSE) OR f.thread_number IS NULL AS is_whole
    FROM followed AS f
    ASOF LEFT JOIN stretches AS s ON s.thread_number = f.thread_number AND s.start_ns <= f.start_ns
),

tracks AS (
    SELECT thread_number, gpu_id, CAST(row_number() OVER () AS INTEGER) AS track_id
    FROM (SELECT DISTINCT thread_number, gpu_id FROM starts WHERE NOT is_whole)
),

split_gaps AS MATERIALIZED (
    SELECT t.track_id, s.report_id, s.gap_id AS number, s.start_ns, s.end_ns, s.launch_range_id
    FROM starts AS s
    INNER JOIN tracks AS t USING (thread_number, gpu_id)
    WHERE NOT s.is_whole
),

-- Few of the ranges lie in such gaps.
split_ranges AS (
    SELECT s.track_id, s.range_id + 1 AS number, s.start_ns, s.end_ns
    FROM (SELECT t.track_id, r.range_id, r.start_ns, r.end_ns FROM stretches AS r INNER JOIN tracks AS t USING (thread_number)) AS s
    ASOF JOIN split_gaps AS g ON g.track_id = s.track_id AND g.start_ns < s.end_ns
    WHERE g.end_ns > s.start_ns
),

shares AS (
    SELECT track_id, number_a AS gap_id, number_b - 1 AS range_id, sum(end_ns - start_ns) AS share_ns
    FROM interval_overlaps('split_gaps', 'split_ranges')
    GROUP BY ALL
),

longest AS (
    SELECT track_id, gap_id, arg_max(range_id, (share_ns, -range_id)) AS range_id
    FROM shares
    GROUP BY track_id, gap_id
),

found AS (
    SELECT report_id, gap_id, range_id, launch_range_id FROM starts WHERE is_whole
    UNION ALL
    SELECT g.report_id, g.number, l.range_id, g.launch_range_id
    FROM split_gaps AS g
    LEFT JOIN longest AS l ON l.track_id = g.track_id AND l.gap_id = g.number
)

SELECT
    report_id, gap_id, range_id,
    coalesce(launch_range_id = range_id, FALSE) AS is_launched_there,
    CASE WHEN launch_range_id IS DISTINCT FROM range_id THEN launch_range_id END AS launch_range_id
FROM found
WHERE range_id IS NOT NULL OR launch_range_id IS NOT NULL
