-- Which API call asked for which GPU operation; operations without a call and calls without an operation are rows too.
--
-- A call and its operations share process and correlation id. One row per operation, and one per call that has none, so
-- nothing is lost and nothing counted twice: where several calls bear one number (a runtime call and the driver call
-- inside it), the operations go to the outermost, of those the runtime's, then the first. One call may have many
-- operations, as the launch of a graph whose nodes were traced. match says what was found:
--   matched          an operation and its call
--   op_without_call  reason no_correlation_id: nobody called for it, a migration of unified memory for example
--                    reason call_not_recorded: no call bears its number
--   call_without_op  reason op_of_other_call: another call of the same number has the operations
--                    reason call_failed: a launch, copy or memset that returned an error
--                    reason op_missing: one that returned none: its operation was not recorded, lies outside of the
--                    capture, had nothing to do, was put into a graph instead of run, or cannot be placed (gpu_ops)
--                    reason launches_nothing: any other call, such as a wait, a query or an allocation
--
-- @version 1
-- @grain   report_id, op_id, call_id
-- @needs   api_calls
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  op_id          BIGINT  id(gpu_ops.op_id) Operation; NULL for a call without one.
-- @column  call_id        BIGINT  id(api_calls.call_id) Call; NULL for an operation without one.
-- @column  process_id     BIGINT  id    Process of both; 0 if not recorded.
-- @column  correlation_id BIGINT  id    Number that they share, unique only within the process; NULL for none.
-- @column  match          VARCHAR text  matched, op_without_call or call_without_op.
-- @column  reason         VARCHAR text  Why there is no other side; NULL if matched.
-- @column  op_number      BIGINT  -     Place among the operations of its call, counted from 1 by time; NULL if not matched.
-- @column  call_count     BIGINT  count Calls that bear the number: above 1 the call was chosen; NULL without a number.
-- @order   report_id, op_id, call_id
-- @assert  match IN ('matched', 'op_without_call', 'call_without_op')
-- @assert  (match = 'matched') = (op_id IS NOT NULL AND call_id IS NOT NULL)
-- @assert  (match = 'matched') = (reason IS NULL)
-- @assert  (match = 'matched') = (op_number IS NOT NULL)
-- @example SELECT match, reason, count(*) AS row_count FROM api_ops GROUP BY ALL ORDER BY ALL
WITH used AS (
    SELECT DISTINCT o.report_id, o.process_id, o.correlation_id, c.call_count
    FROM gpu_ops AS o
    LEFT JOIN _op_calls AS c USING (report_id, op_id)
    WHERE o.correlation_id IS NOT NULL
)

SELECT
    o.report_id,
    o.op_id,
    c.call_id,
    o.process_id,
    o.correlation_id,
    CASE WHEN c.call_id IS NULL THEN 'op_without_call' ELSE 'matched' END AS match,
    CASE
        WHEN o.correlation_id IS NULL THEN 'no_correlation_id'
        WHEN c.call_id IS NULL THEN 'call_not_recorded'
    END AS reason,
    CAST(c.op_number AS BIGINT) AS op_number,
    CASE WHEN o.correlation_id IS NOT NULL THEN CAST(coalesce(c.call_count, 0) AS BIGINT) END AS call_count
FROM gpu_ops AS o
LEFT JOIN _op_calls AS c USING (report_id, op_id)

UNION ALL

SELECT
    c.report_id,
    NULL,
    c.call_id,
    c.process_id,
    c.correlation_id,
    'call_without_op',
    CASE
        WHEN u.correlation_id IS NOT NULL THEN 'op_of_other_call'
        WHEN regexp_matches(c.name, '^cu(da)?(Launch|GraphLaunch|Memcpy|Memset)') AND c.name NOT LIKE '%HostFunc%'
            THEN CASE WHEN c.result <> 0 THEN 'call_failed' ELSE 'op_missing' END
        ELSE 'launches_nothing'
    END,
    NULL,
    CASE
        WHEN c.correlation_id IS NOT NULL
            THEN coalesce(u.call_count, count(*) OVER (PARTITION BY c.report_id, c.process_id, c.correlation_id))
    END
FROM api_calls AS c
ANTI JOIN _op_calls AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
LEFT JOIN used AS u ON u.report_id = c.report_id AND u.process_id = c.process_id AND u.correlation_id = c.correlation_id
