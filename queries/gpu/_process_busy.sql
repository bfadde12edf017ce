-- How long the GPUs of a process were busy in each of the given stretches of time, whoever's work it was.
--
-- The GPUs of a process are those that it uses; with several, busy means that any of them is. Looked up is the next bound for
-- each stretch in which they were busy: for few stretches of time. _process_busy_of_many is for about as many as those.
--
-- @version 1
-- @kind    macro
-- @param   spans      TABLE   -  -  Name of a relation with report_id, span_id, process_id, start_ns, end_ns.
-- @column  report_id  INTEGER id    Report, as in spans.
-- @column  span_id    ANY     id    Stretch, as in spans. Those of a process without known GPUs have no row.
-- @column  busy_ns    BIGINT  ns    Time in it in which a GPU of the process was busy.
-- @example WITH spans AS (SELECT report_id, call_id AS span_id, process_id, start_ns, end_ns FROM api_calls)
--          SELECT sum(busy_ns) AS busy_ns FROM _process_busy('spans')
WITH measured AS MATERIALIZED (
    SELECT g.report_id, g.span_id, g.process_id, g.start_ns, g.end_ns
    FROM query_table(spans) AS g
    SEMI JOIN process_gpus AS p ON p.report_id = g.report_id AND p.process_id = g.process_id
),

moments AS MATERIALIZED (
    SELECT report_id, process_id, start_ns AS at_ns FROM measured
    UNION
    SELECT report_id, process_id, end_ns FROM measured
),

-- Every island goes to the next moment after its start.
begun AS (
    SELECT m.report_id, m.process_id, m.at_ns, CAST(sum(i.end_ns - i.start_ns) AS BIGINT) AS dur_ns, max(i.end_ns) AS last_end_ns
    FROM _process_islands AS i
    ASOF JOIN moments AS m ON m.report_id = i.report_id AND m.process_id = i.process_id AND i.start_ns < m.at_ns
    GROUP BY m.report_id, m.process_id, m.at_ns
),

-- Islands lie apart: of those that began before, only the last may go on.
reached AS MATERIALIZED (
    SELECT
        report_id, process_id, m.at_ns,
        CAST(coalesce(
            sum(b.dur_ns) OVER earlier - greatest(max(b.last_end_ns) OVER earlier - m.at_ns, 0), 0) AS BIGINT) AS busy_ns
    FROM moments AS m
    LEFT JOIN begun AS b USING (report_id, process_id, at_ns)
    WINDOW earlier AS (PARTITION BY report_id, process_id ORDER BY m.at_ns ROWS UNBOUNDED PRECEDING)
)

SELECT g.report_id, g.span_id, e.busy_ns - s.busy_ns AS busy_ns
FROM measured AS g
INNER JOIN reached AS s ON s.report_id = g.report_id AND s.process_id = g.process_id AND s.at_ns = g.start_ns
INNER JOIN reached AS e ON e.report_id = g.report_id AND e.process_id = g.process_id AND e.at_ns = g.end_ns
