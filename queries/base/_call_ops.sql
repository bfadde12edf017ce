-- API calls that started kernels, copies or memsets, with what their operations add up to.
--
-- By process and correlation id; graph launches that were traced as a whole are not among the operations here. A
-- correlation id that several calls of a process share gives a row for each of them.
--
-- @version 1
-- @grain   report_id, call_id
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  call_id        BIGINT  id    API call, unique within the report.
-- @column  process_id     BIGINT  id    Process.
-- @column  thread_id      BIGINT  id    Thread that called.
-- @column  correlation_id BIGINT  id    Number shared with the operations.
-- @column  first_start_ns BIGINT  ns    Start of the first operation.
-- @column  last_end_ns    BIGINT  ns    End of the last operation.
-- @column  op_count       BIGINT  count Operations.
WITH launched AS (
    SELECT
        report_id, process_id, correlation_id,
        min(start_ns) AS first_start_ns, max(end_ns) AS last_end_ns, count(*) AS op_count
    FROM _op_rows
    WHERE correlation_id IS NOT NULL AND NOT is_graph
    GROUP BY ALL
)

SELECT
    c.report_id,
    c.call_id,
    l.process_id,
    c.thread_id,
    c.correlation_id,
    l.first_start_ns,
    l.last_end_ns,
    l.op_count
FROM _api_rows AS c
INNER JOIN launched AS l
    ON l.report_id = c.report_id AND l.correlation_id = c.correlation_id AND l.process_id = c.process_id
