-- The application range open on another thread of the process when a call that started GPU work began.
--
-- One row for each of the other threads that had a range open: the innermost at the start of the call. Calls of threads
-- that open such ranges themselves are here too (is_annotated); the others have nothing else to belong to.
--
-- @version 1
-- @grain   report_id, call_id, range_thread_id
-- @column  report_id        INTEGER id   Report the row belongs to.
-- @column  call_id          BIGINT  id   Call.
-- @column  range_thread_id  BIGINT  id   Other thread of the process.
-- @column  range_id         BIGINT  id   Innermost application range open on it.
-- @column  since_ns         BIGINT  ns   Since when it was the innermost one.
-- @column  is_annotated     BOOLEAN bool The calling thread opens application ranges of its own.
WITH annotated AS (
    SELECT DISTINCT report_id, process_id, thread_id
    FROM _application_ranges
),

callers AS (
    SELECT c.report_id, c.thread_id, a.thread_id AS range_thread_id, o.thread_id IS NOT NULL AS is_annotated
    FROM (SELECT DISTINCT report_id, process_id, thread_id FROM api_calls) AS c
    INNER JOIN annotated AS a
        ON a.report_id = c.report_id AND a.process_id = c.process_id AND a.thread_id <> c.thread_id
    LEFT JOIN annotated AS o ON o.report_id = c.report_id AND o.thread_id = c.thread_id
),

lookups AS (
    SELECT c.report_id, c.call_id, c.start_ns AS at_ns, t.range_thread_id, t.is_annotated
    FROM api_calls AS c
    INNER JOIN callers AS t ON t.report_id = c.report_id AND t.thread_id = c.thread_id
    SEMI JOIN _op_calls AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
)

SELECT l.report_id, l.call_id, l.range_thread_id, s.range_id, s.start_ns AS since_ns, l.is_annotated
FROM lookups AS l
ASOF JOIN _range_stretches AS s
    ON s.report_id = l.report_id AND s.thread_id = l.range_thread_id AND s.start_ns <= l.at_ns
WHERE l.at_ns < s.end_ns
