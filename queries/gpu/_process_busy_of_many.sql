-- How long the GPUs of a process were busy in each of the given stretches of time, whoever's work it was.
--
-- As _process_busy, which is quicker for few stretches of time. Looked up is where each of them begins, and where it ends.
--
-- @version 1
-- @kind    macro
-- @param   spans      TABLE   -  -  Name of a relation with report_id, span_id, process_id, start_ns, end_ns.
-- @column  report_id  INTEGER id    Report, as in spans.
-- @column  span_id    ANY     id    Stretch, as in spans. Those of a process without known GPUs have no row.
-- @column  busy_ns    BIGINT  ns    Time in it in which a GPU of the process was busy.
-- @example WITH spans AS (SELECT report_id, call_id AS span_id, process_id, start_ns, end_ns FROM api_calls)
--          SELECT sum(busy_ns) AS busy_ns FROM _process_busy_of_many('spans')
WITH islands AS MATERIALIZED (
    FROM _process_islands
),

at_start AS MATERIALIZED (
    SELECT
        g.report_id, g.span_id, g.process_id, g.end_ns, s.next_start_ns,
        coalesce(s.busy_before_ns + least(g.start_ns, s.end_ns) - s.start_ns, 0) AS busy_until_start_ns,
        s.busy_before_ns + least(g.end_ns, s.end_ns) - s.start_ns AS busy_until_end_ns
    FROM (SELECT report_id, span_id, process_id, start_ns, end_ns FROM query_table(spans)) AS g
    SEMI JOIN process_gpus AS p ON p.report_id = g.report_id AND p.process_id = g.process_id
    ASOF LEFT JOIN islands AS s
        ON s.report_id = g.report_id AND s.process_id = g.process_id AND s.start_ns <= g.start_ns
)

-- Most stretches end before the next island begins, and need no second lookup.
SELECT report_id, span_id, busy_until_end_ns - busy_until_start_ns AS busy_ns
FROM at_start
WHERE busy_until_end_ns IS NOT NULL AND coalesce(end_ns <= next_start_ns, TRUE)
UNION ALL
SELECT
    g.report_id, g.span_id,
    coalesce(e.busy_before_ns + least(g.end_ns, e.end_ns) - e.start_ns, 0) - g.busy_until_start_ns
FROM at_start AS g
ASOF LEFT JOIN islands AS e
    ON e.report_id = g.report_id AND e.process_id = g.process_id AND e.start_ns <= g.end_ns
WHERE g.busy_until_end_ns IS NULL OR g.end_ns > g.next_start_ns
