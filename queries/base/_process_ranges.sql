-- The application range that the work of a thread without such ranges belongs to.
--
-- The innermost one open on another thread of the process when the call began; of several threads the one that changed
-- last. Computed once per report.
--
-- @version 1
-- @kind    table
-- @grain   report_id, call_id
-- @column  report_id    INTEGER id   Report the row belongs to.
-- @column  call_id      BIGINT  id   Call that started GPU work, of a thread that never opens an application range.
-- @column  range_id     BIGINT  id   Range. Calls without any have no row.
-- @column  is_ambiguous BOOLEAN bool Several threads had one open.
WITH annotated AS (
    SELECT DISTINCT report_id, process_id, thread_id
    FROM _application_ranges
),

others AS (
    SELECT c.report_id, c.process_id, c.thread_id, c.call_id
    FROM _api_rows AS c
    ANTI JOIN annotated AS o ON o.report_id = c.report_id AND o.thread_id = c.thread_id
),

pairs AS (
    SELECT DISTINCT c.report_id, c.thread_id, a.thread_id AS range_thread_id
    FROM others AS c
    SEMI JOIN _op_calls AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
    INNER JOIN annotated AS a ON a.report_id = c.report_id AND a.process_id = c.process_id
)

SELECT
    report_id, call_id, arg_max(range_id, {'late': since_ns, 'number': range_id}) AS range_id, count(*) > 1 AS is_ambiguous
FROM _ranges_meanwhile('pairs')
GROUP BY report_id, call_id
