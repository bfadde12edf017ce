-- Every row of the API table that bears the number of an operation: as NVIDIA's reports match them, backtraces too.
--
-- Nearly always it is one, the call of _op_calls, which is how most are found. Launches of whole CUDA graphs are not among
-- the operations here.
--
-- @version 1
-- @grain   report_id, op_id, call_id
-- @column  report_id      INTEGER id   Report the row belongs to.
-- @column  op_id          BIGINT  id   Operation.
-- @column  call_id        BIGINT  id   Row of the API table.
-- @column  correlation_id BIGINT  id   The number.
-- @column  start_ns       BIGINT  ns   Start of the operation.
-- @column  end_ns         BIGINT  ns   End of the operation.
-- @column  is_only        BOOLEAN bool No other row bears the number; FALSE too where that was not looked at.
-- @column  is_first       BOOLEAN bool First operation of the number by time; NULL if not is_only.
WITH backtraced AS (
    SELECT DISTINCT report_id FROM _api_rows WHERE api = 'backtrace'
)

SELECT
    c.report_id, c.op_id, c.call_id, o.correlation_id, o.start_ns, o.end_ns, TRUE AS is_only, c.op_number = 1 AS is_first
FROM _op_calls AS c
INNER JOIN _op_rows AS o ON o.report_id = c.report_id AND o.op_id = c.op_id
ANTI JOIN backtraced AS b ON b.report_id = c.report_id
WHERE c.call_count = 1 AND NOT o.is_graph
UNION ALL
SELECT c.report_id, c.op_id, a.call_id, o.correlation_id, o.start_ns, o.end_ns, FALSE, NULL
FROM _op_calls AS c
INNER JOIN _op_rows AS o ON o.report_id = c.report_id AND o.op_id = c.op_id
INNER JOIN _api_rows AS a
    ON a.report_id = o.report_id AND a.process_id = o.process_id AND a.correlation_id = o.correlation_id
ANTI JOIN backtraced AS b ON b.report_id = c.report_id
WHERE c.call_count > 1 AND NOT o.is_graph
UNION ALL
SELECT o.report_id, o.op_id, a.call_id, o.correlation_id, o.start_ns, o.end_ns, FALSE, NULL
FROM _op_rows AS o
SEMI JOIN backtraced AS b ON b.report_id = o.report_id
INNER JOIN _api_rows AS a
    ON a.report_id = o.report_id AND a.process_id = o.process_id AND a.correlation_id = o.correlation_id
WHERE NOT o.is_graph
