-- The innermost application range of each thread from one moment to the next.
--
-- Innermost is the shortest of those that are open (of equal ones the one that started last, then the one recorded last).
-- On a thread with push/pop ranges of one domain that is the top of the stack. Where ranges may cross, as start/end ranges
-- do, the shortest around each stretch from edge to edge is looked for.
--
-- @version 1
-- @grain   report_id, thread_id, start_ns
-- @column  report_id  INTEGER id Report the row belongs to.
-- @column  process_id BIGINT  id Process of the thread.
-- @column  thread_id  BIGINT  id Thread that opened the range.
-- @column  start_ns   BIGINT  ns Start of the stretch.
-- @column  end_ns     BIGINT  ns End of the stretch: the next edge of any range of the thread.
-- @column  range_id   BIGINT  id Innermost range in it. Stretches without any have no row.
WITH ranges AS (
    FROM _application_ranges WHERE end_ns > start_ns
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

stretches AS (
    SELECT track_id, start_ns, end_ns, interval_id AS range_id FROM innermost_intervals('nested')
    UNION ALL
    SELECT h.track_id, h.start_ns, h.end_ns, s.range_id
    FROM held AS h
    INNER JOIN shortest AS s USING (held_id)
)

SELECT t.report_id, t.process_id, t.thread_id, s.start_ns, s.end_ns, s.range_id
FROM stretches AS s
INNER JOIN threads_with_ranges AS t ON t.thread_number = s.track_id
