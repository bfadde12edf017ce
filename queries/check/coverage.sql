-- Can this report be trusted: what was traced, what is missing, what nsys complains of, what the profiler cost.
--
-- One row per finding, by topic:
--   traced       every kind of event: recorded, none (traced, nothing happened), not_traced or unknown; rows
--   not_loaded   tables of the export with rows that nsysql does not read; rows
--   gpu_work     operations by their call: matched, or the reason why there is none; operations. Those of the state
--                not_placed lack a start, an end or a device, and are in no view of GPU work
--   calls        launches, copies and memsets without an operation, by reason; calls
--   diagnostics  warnings and errors of nsys, dropped events among them; messages
--   overhead     time in which the profiler kept a thread of the process busy, by kind; time and share of the capture
-- An empty topic has no rows: nothing was found. Overheads may lie one in another: the row 'any' counts their time once.
--
-- @version 1
-- @grain   report_id, topic, item, state
-- @column  report_id   INTEGER id    Report the row belongs to.
-- @column  topic       VARCHAR text  traced, not_loaded, gpu_work, calls, diagnostics or overhead.
-- @column  item        VARCHAR text  What it is about: a base view, a table, a kind of operation, an API, a message, a kind of overhead.
-- @column  state       VARCHAR text  What was found.
-- @column  row_count   BIGINT  count Rows, operations, calls or messages.
-- @column  dur_ns      BIGINT  ns    Time it took; NULL where no time is meant.
-- @column  dur_ratio   DOUBLE  ratio dur_ns of the capture, summed over threads; NULL where no time is meant.
-- @column  advice      VARCHAR text  What to do for more; NULL for nothing.
-- @order   report_id, topic, row_count DESC
-- @assert  topic IN ('traced', 'not_loaded', 'gpu_work', 'calls', 'diagnostics', 'overhead')
-- @assert  row_count >= 0
-- @example SELECT topic, item, state, row_count FROM coverage WHERE topic <> 'traced'
WITH traced AS (
    SELECT
        report_id, 'traced' AS topic, source AS item, state, row_count, NULL::BIGINT AS dur_ns,
        CASE WHEN state IN ('not_traced', 'unknown') THEN 'nsys profile ' || trace_option END AS advice
    FROM trace_states
),

not_loaded AS (
    SELECT report_id, 'not_loaded', table_name, 'not_loaded', row_count, NULL, NULL
    FROM absent
    WHERE state = 'not_loaded' AND column_name IS NULL AND row_count > 0
),

gpu_work AS (
    SELECT o.report_id, 'gpu_work', g.kind, coalesce(o.reason, o.match), count(*), NULL, NULL
    FROM api_ops AS o
    INNER JOIN gpu_ops AS g USING (report_id, op_id)
    GROUP BY ALL
),

not_placed AS (
    SELECT report_id, 'gpu_work', kind, 'not_placed', op_count, NULL, NULL FROM _unplaced_ops
),

calls AS (
    SELECT o.report_id, 'calls', c.name, o.reason, count(*), NULL, NULL
    FROM api_ops AS o
    INNER JOIN api_calls AS c USING (report_id, call_id)
    WHERE o.reason IN ('op_missing', 'call_failed')
    GROUP BY ALL
),

messages AS (
    SELECT report_id, 'diagnostics', text, severity, count(*), NULL, NULL
    FROM diagnostics
    WHERE severity IN ('warning', 'error')
    GROUP BY ALL
),

costs AS (
    SELECT report_id, thread_id, kind, start_ns, end_ns
    FROM overheads
    WHERE is_profiler_cost
),

rows AS (
    SELECT report_id, {'thread_id': thread_id, 'kind': kind} AS track_id, start_ns, end_ns FROM costs
    UNION ALL
    SELECT report_id, {'thread_id': thread_id, 'kind': 'any'}, start_ns, end_ns FROM costs
),

overhead AS (
    SELECT report_id, 'overhead', track_id.kind, 'profiler_cost', CAST(sum(interval_count) AS BIGINT), CAST(sum(union_ns) AS BIGINT), NULL
    FROM interval_union_ns('rows')
    GROUP BY ALL
),

findings AS (
    FROM traced
    UNION ALL
    FROM not_loaded
    UNION ALL
    FROM gpu_work
    UNION ALL
    FROM not_placed
    UNION ALL
    FROM calls
    UNION ALL
    FROM messages
    UNION ALL
    FROM overhead
)

SELECT
    f.report_id,
    f.topic,
    f.item,
    f.state,
    f.row_count,
    f.dur_ns,
    f.dur_ns / nullif(r.duration_ns, 0) AS dur_ratio,
    f.advice
FROM findings AS f
INNER JOIN _captures AS r USING (report_id)
