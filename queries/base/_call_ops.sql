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
WITH ops AS (
    SELECT report_id, globalPid, correlationId, start, "end" FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
    UNION ALL
    SELECT report_id, globalPid, correlationId, start, "end" FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY
    UNION ALL
    SELECT report_id, globalPid, correlationId, start, "end" FROM raw.CUPTI_ACTIVITY_KIND_MEMSET
),

launched AS (
    SELECT
        report_id, globalPid, correlationId,
        min(start) AS first_start_ns, max("end") AS last_end_ns, count(*) AS op_count
    FROM ops
    WHERE correlationId <> 0
    GROUP BY ALL
)

SELECT
    r.report_id,
    r._rowid AS call_id,
    l.globalPid AS process_id,
    r.globalTid AS thread_id,
    r.correlationId AS correlation_id,
    l.first_start_ns,
    l.last_end_ns,
    l.op_count
FROM raw.CUPTI_ACTIVITY_KIND_RUNTIME AS r
INNER JOIN launched AS l
    ON l.report_id = r.report_id AND l.correlationId = r.correlationId
    AND l.globalPid = r.globalTid & (-16777216)::BIGINT
