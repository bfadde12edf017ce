-- The API call of each GPU operation, as it is stored.
--
-- By process and correlation id; where several calls bear the number, the outermost one, of those the runtime's, then the
-- first (api_ops). Computed once per report: nearly every question about GPU work asks who launched it.
--
-- @version 1
-- @kind    table
-- @grain   report_id, op_id
-- @column  report_id  INTEGER id    Report the row belongs to.
-- @column  op_id      BIGINT  id    Operation that has a call.
-- @column  call_id    BIGINT  id    Call.
-- @column  op_number  INTEGER -     Place among the operations of the call, counted from 1 by time.
-- @column  call_count INTEGER count Calls that bear the number.
WITH ops AS (
    SELECT report_id, op_id, process_id, correlation_id, start_ns
    FROM gpu_ops
    WHERE correlation_id IS NOT NULL
),

calls AS (
    SELECT c.report_id, c.process_id, c.correlation_id, c.call_id, c.depth, c.api, c.start_ns
    FROM api_calls AS c
    SEMI JOIN ops AS o USING (report_id, process_id, correlation_id)
),

counted AS (
    SELECT report_id, process_id, correlation_id, min(call_id) AS call_id, count(*) AS call_count
    FROM calls
    GROUP BY report_id, process_id, correlation_id
),

-- Nearly always one call has the number.
shared AS (
    SELECT
        c.report_id, c.process_id, c.correlation_id,
        arg_min(c.call_id, (c.depth, c.api <> 'runtime', c.start_ns, c.call_id)) AS call_id
    FROM calls AS c
    SEMI JOIN (FROM counted WHERE call_count > 1) AS n
        ON n.report_id = c.report_id AND n.process_id = c.process_id AND n.correlation_id = c.correlation_id
    GROUP BY c.report_id, c.process_id, c.correlation_id
),

numbers AS (
    SELECT c.report_id, c.process_id, c.correlation_id, coalesce(s.call_id, c.call_id) AS call_id, c.call_count
    FROM counted AS c
    LEFT JOIN shared AS s USING (report_id, process_id, correlation_id)
)

SELECT
    o.report_id,
    o.op_id,
    n.call_id,
    row_number() OVER (PARTITION BY o.report_id, n.call_id ORDER BY o.start_ns, o.op_id) AS op_number,
    n.call_count
FROM ops AS o
INNER JOIN numbers AS n USING (report_id, process_id, correlation_id)
