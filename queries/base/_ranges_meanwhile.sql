-- The application range open on another thread when a call that started GPU work began.
--
-- @version 1
-- @kind    macro
-- @param   pairs           TABLE   -  - Name of a relation with report_id, thread_id (which calls) and range_thread_id (whose ranges are looked at).
-- @column  report_id       INTEGER id   Report the row belongs to.
-- @column  call_id         BIGINT  id   Call.
-- @column  range_thread_id BIGINT  id   Other thread.
-- @column  range_id        BIGINT  id   Innermost application range open on it. No row if there is none.
-- @column  since_ns        BIGINT  ns   Since when it was the innermost one.
WITH calls AS (
    SELECT c.report_id, c.call_id, c.start_ns AS at_ns, t.range_thread_id
    FROM _api_rows AS c
    INNER JOIN query_table(pairs) AS t ON t.report_id = c.report_id AND t.thread_id = c.thread_id
    SEMI JOIN _op_calls AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
)

SELECT c.report_id, c.call_id, c.range_thread_id, s.range_id, s.start_ns AS since_ns
FROM calls AS c
ASOF JOIN _range_stretches AS s
    ON s.report_id = c.report_id AND s.thread_id = c.range_thread_id AND s.start_ns <= c.at_ns
WHERE c.at_ns < s.end_ns
