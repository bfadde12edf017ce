-- The innermost application range of some threads from one moment to the next.
--
-- Innermost is the shortest of those that are open (of equal ones the one that started last, then the one recorded last).
-- On a thread with push/pop ranges of one domain that is the top of the stack. Where ranges may cross, as start/end ranges
-- do, the shortest around each stretch from edge to edge is looked for. Only for the threads that are asked for, as it takes a
-- sort of their ranges.
--
-- @version 1
-- @kind    macro
-- @param   of_threads TABLE   -  - Name of a relation with report_id, thread_id.
-- @column  report_id  INTEGER id Report the row belongs to.
-- @column  process_id BIGINT  id Process of the thread.
-- @column  thread_id  BIGINT  id Thread that opened the range.
-- @column  start_ns   BIGINT  ns Start of the stretch.
-- @column  end_ns     BIGINT  ns End of the stretch.
-- @column  range_id   BIGINT  id Innermost range in it. Stretches without any have no row.
WITH ranges AS (
    SELECT r.*
    FROM _application_ranges AS r
    SEMI JOIN query_table(of_threads) AS t ON t.report_id = r.report_id AND t.thread_id = r.thread_id
    WHERE r.end_ns > r.start_ns
),

threads_with_ranges AS (
    SELECT
        report_id, process_id, thread_id,
        CAST(row_number() OVER (ORDER BY report_id, thread_id) AS INTEGER) AS thread_number,
        bool_and(is_stacked) AND min(domain_id) = max(domain_id) AS is_nested
    FROM ranges
    GROUP BY report_id, process_id, thread_id
),

numbered AS (
    SELECT
        r.report_id, t.thread_number AS track_id, t.is_nested, r.range_id, r.start_ns, r.end_ns, r.family_parent_id,
        r.is_twin
    FROM ranges AS r
    INNER JOIN threads_with_ranges AS t USING (report_id, thread_id)
),

nested AS (
    SELECT track_id, range_id AS interval_id, start_ns, end_ns, family_parent_id AS parent_id, is_twin
    FROM numbered
    WHERE is_nested
),

crossing AS MATERIALIZED (
    SELECT report_id, track_id, range_id AS holder_id, start_ns, end_ns
    FROM numbered
    WHERE NOT is_nested
),

edges AS (
    SELECT report_id, track_id, start_ns AS edge_ns FROM crossing
    UNION
    SELECT report_id, track_id, end_ns FROM crossing
),

held AS MATERIALIZED (
    SELECT report_id, track_id, edge_ns AS start_ns, next_edge_ns AS end_ns, row_number() OVER () AS held_id
    FROM (SELECT *, lead(edge_ns) OVER (PARTITION BY report_id, track_id ORDER BY edge_ns) AS next_edge_ns FROM edges)
    WHERE next_edge_ns IS NOT NULL
),

shortest AS (
    SELECT
        p.held_id,
        arg_max(p.holder_id, {'short': c.start_ns - c.end_ns, 'late': c.start_ns, 'number': c.holder_id}) AS range_id
    FROM interval_holders('held', 'crossing') AS p
    INNER JOIN crossing AS c ON c.report_id = p.report_id AND c.holder_id = p.holder_id
    GROUP BY p.held_id
),

-- An edge of another range is no change.
parts AS (
    SELECT
        h.track_id, h.start_ns, h.end_ns, s.range_id,
        (lag(s.range_id) OVER track IS DISTINCT FROM s.range_id OR lag(h.end_ns) OVER track < h.start_ns) AS is_change
    FROM held AS h
    INNER JOIN shortest AS s USING (held_id)
    WINDOW track AS (PARTITION BY h.track_id ORDER BY h.start_ns)
),

merged AS (
    SELECT
        track_id, start_ns, end_ns, range_id,
        sum(CASE WHEN is_change THEN 1 ELSE 0 END) OVER (PARTITION BY track_id ORDER BY start_ns ROWS UNBOUNDED PRECEDING) AS part
    FROM parts
),

stretches AS (
    SELECT track_id, start_ns, end_ns, interval_id AS range_id FROM innermost_intervals('nested')
    UNION ALL
    SELECT track_id, min(start_ns), max(end_ns), any_value(range_id)
    FROM merged
    GROUP BY track_id, part
)

SELECT t.report_id, t.process_id, t.thread_id, s.start_ns, s.end_ns, s.range_id
FROM stretches AS s
INNER JOIN threads_with_ranges AS t ON t.thread_number = s.track_id
