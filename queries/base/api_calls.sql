-- Calls of the CUDA API on the CPU.
--
-- A call lies inside another one (is_nested) if it runs on the same thread and begins and ends while that one runs, as
-- driver calls do inside the runtime call that needs them. Its time is part of the outer call's: sums over calls take
-- WHERE NOT is_nested. Of two calls with the same bounds the driver's is the inner one, then the later row. A call of
-- length 0 is inside only if the other began before and ends after it: some clocks stand still for several calls. A call
-- that outlasts the one it began in is not inside it.
--
-- Rows that hold nothing but the backtrace of a call beside them are no calls: they are not here and count nowhere.
--
-- @version 1
-- @grain   report_id, call_id
-- @source  CUPTI_ACTIVITY_KIND_RUNTIME
-- @trace   CAPTURE_EVENT_TYPE=Cuda --trace=cuda
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  call_id        BIGINT  id    Call, unique within the report.
-- @column  process_id     BIGINT  id    Process that called; 0 if not recorded.
-- @column  thread_id      BIGINT  id(threads.thread_id) Thread that called; NULL if not recorded.
-- @column  api            VARCHAR text  runtime, driver, egl or other.
-- @column  name           VARCHAR text  Function, without the suffixes of its version (_v3020, _v2) and of its default stream (_ptsz, _ptds).
-- @column  raw_name       VARCHAR text  Function as recorded.
-- @column  start_ns       BIGINT  ns    Start on the report's time axis.
-- @column  end_ns         BIGINT  ns    End on the report's time axis.
-- @column  dur_ns         BIGINT  ns    end_ns - start_ns.
-- @column  correlation_id BIGINT  id    Number shared with the GPU operations of the call, unique only within the process; NULL for none.
-- @column  result         BIGINT  -     What the call returned: 0 is success.
-- @column  depth          INTEGER -     Calls around it: 0 for an outermost one.
-- @column  parent_call_id BIGINT  id    Innermost call around it; NULL for an outermost one.
-- @column  is_nested      BOOLEAN bool  The call lies inside another one.
-- @order   report_id, start_ns, call_id
-- @assert  is_nested = (depth > 0)
-- @assert  is_nested = (parent_call_id IS NOT NULL)
-- @assert  api IN ('runtime', 'driver', 'egl', 'other')
-- @example SELECT name, count(*) AS call_count, sum(dur_ns) AS dur_ns FROM api_calls WHERE NOT is_nested GROUP BY ALL
WITH RECURSIVE inside AS (
    SELECT report_id, call_id, thread_id, api, start_ns, end_ns, outer_call_id AS parent_call_id, 1 AS depth
    FROM _nested_calls
    WHERE NOT is_crossing
    UNION ALL
    SELECT report_id, call_id, thread_id, api, start_ns, end_ns, nearer_call_id, depth + 1
    FROM (
        SELECT
            report_id, call_id, thread_id, api, start_ns, end_ns, depth,
            max(end_ns) OVER earlier AS covered_until_ns,
            arg_max(call_id, end_ns) OVER earlier AS nearer_call_id
        FROM inside
        WINDOW earlier AS (
            PARTITION BY report_id, thread_id
            ORDER BY start_ns, end_ns > start_ns, end_ns DESC, api <> 'runtime', call_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    WHERE start_ns < covered_until_ns AND end_ns <= covered_until_ns
),

nesting AS (
    SELECT report_id, call_id, max(depth) AS depth, arg_max(parent_call_id, depth) AS parent_call_id
    FROM inside
    GROUP BY report_id, call_id
)

SELECT
    c.report_id, c.call_id, c.process_id, c.thread_id, c.api, c.name, c.raw_name, c.start_ns, c.end_ns, c.dur_ns,
    c.correlation_id, c.result,
    coalesce(n.depth, 0) AS depth,
    n.parent_call_id,
    n.call_id IS NOT NULL AS is_nested
FROM _api_rows AS c
LEFT JOIN nesting AS n USING (report_id, call_id)
WHERE c.api <> 'backtrace'
