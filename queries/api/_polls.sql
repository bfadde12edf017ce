-- Loops in which a thread asked the GPU whether it was done, until it was or the thread gave up.
--
-- The concept stands in waits. "Not ready" is result 600, in old runtimes 34.
--
-- @version 1
-- @grain   report_id, call_id
-- @column  report_id  INTEGER id    Report the row belongs to.
-- @column  call_id    BIGINT  id    First question.
-- @column  call_count BIGINT  count Questions: two or more.
-- @column  end_ns     BIGINT  ns    End of the last one.
WITH askers AS (
    SELECT DISTINCT c.report_id, c.thread_id
    FROM api_calls AS c
    INNER JOIN _api_functions AS f ON f.report_id = c.report_id AND f.name = c.name
    WHERE c.result IN (34, 600) AND f.is_question
),

calls AS (
    SELECT
        c.report_id, c.thread_id, c.call_id, c.start_ns, c.end_ns, f.is_question,
        f.is_question AND c.result IN (34, 600) AS is_not_ready
    FROM api_calls AS c
    SEMI JOIN askers AS a ON a.report_id = c.report_id AND a.thread_id IS NOT DISTINCT FROM c.thread_id
    INNER JOIN _api_functions AS f ON f.report_id = c.report_id AND f.name = c.name
    WHERE NOT c.is_nested AND (f.is_question OR f.kind <> 'query')
),

linked AS (
    SELECT
        *,
        is_question AND lag(is_not_ready) OVER calls_of_thread AND start_ns - lag(end_ns) OVER calls_of_thread <= 100000
            AS is_next
    FROM calls
    WINDOW calls_of_thread AS (PARTITION BY report_id, thread_id ORDER BY start_ns, call_id)
),

loops AS (
    SELECT
        *,
        sum(CASE WHEN is_next THEN 0 ELSE 1 END) OVER (
            PARTITION BY report_id, thread_id ORDER BY start_ns, call_id ROWS UNBOUNDED PRECEDING) AS loop_number
    FROM linked
)

SELECT report_id, arg_min(call_id, (start_ns, call_id)) AS call_id, count(*) AS call_count, max(end_ns) AS end_ns
FROM loops
GROUP BY report_id, thread_id, loop_number
HAVING count(*) > 1
