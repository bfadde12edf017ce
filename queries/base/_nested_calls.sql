-- API calls that begin inside another call of their thread, with that one.
--
-- Read in the order of their starts, a call is inside an earlier one if it begins before the latest end so far and does
-- not last longer; if it does, it crosses that one. Calls that are not here lie apart on their thread. Computed once per
-- report: nearly always there are few or none.
--
-- @version 1
-- @kind    table
-- @grain   report_id, call_id
-- @column  report_id     INTEGER id   Report the row belongs to.
-- @column  call_id       BIGINT  id   Call.
-- @column  thread_id     BIGINT  id   Thread that called.
-- @column  api           VARCHAR text runtime, driver, egl or other.
-- @column  start_ns      BIGINT  ns   Start on the report's time axis.
-- @column  end_ns        BIGINT  ns   End on the report's time axis.
-- @column  outer_call_id BIGINT  id   The call that it begins in: one around it that lies in no other, if it is inside.
-- @column  is_crossing   BOOLEAN bool It outlasts every call that it begins in.
WITH calls AS (
    SELECT report_id, call_id, thread_id, api, start_ns, end_ns FROM _api_rows WHERE api <> 'backtrace'
),

-- Nearly all threads have no such call, and who is around it need not be known.
threads_with_nesting AS (
    SELECT DISTINCT report_id, thread_id
    FROM (
        SELECT
            report_id, thread_id, start_ns,
            max(end_ns) OVER (
                PARTITION BY report_id, thread_id ORDER BY start_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                AS covered_until_ns,
            lead(start_ns) OVER (PARTITION BY report_id, thread_id ORDER BY start_ns) AS next_start_ns
        FROM calls
    )
    WHERE start_ns <= covered_until_ns OR start_ns = next_start_ns
)

SELECT report_id, call_id, thread_id, api, start_ns, end_ns, outer_call_id, end_ns > covered_until_ns AS is_crossing
FROM (
    SELECT
        report_id, call_id, thread_id, api, start_ns, end_ns,
        max(end_ns) OVER earlier AS covered_until_ns,
        arg_max(call_id, end_ns) OVER earlier AS outer_call_id
    FROM calls AS c
    SEMI JOIN threads_with_nesting AS t ON t.report_id = c.report_id AND t.thread_id IS NOT DISTINCT FROM c.thread_id
    WINDOW earlier AS (
        PARTITION BY report_id, thread_id
        ORDER BY start_ns, end_ns > start_ns, end_ns DESC, api <> 'runtime', call_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
WHERE start_ns < covered_until_ns
