-- Every memory copy: which memory decides how it is done, the call that asked for it, and how much of it kernels hid.
--
-- The concepts stand in copies, which adds the NVTX range.
--
-- @version 1
-- @grain   report_id, op_id
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  op_id       BIGINT  id   Copy.
-- @column  memory_kind VARCHAR text pageable, pinned, managed, device or array; NULL if not recorded.
-- @column  hidden_ns   BIGINT  ns   Time of the copy in which a kernel ran on its GPU; NULL for a copy without start or end.
-- @column  call_id     BIGINT  id   Call that asked for it; NULL for none.
-- @column  op_number   INTEGER -    Place among the operations of the call.
-- @column  thread_id   BIGINT  id   Thread that called.
-- @column  api_name    VARCHAR text Function that it called.
-- @column  call_ns     BIGINT  ns   Length of the call.
-- @column  is_async    BOOLEAN bool The function need not wait, by its name.
-- @column  is_waited   BOOLEAN bool The call returned only after the copy had ended.
-- @column  waited_ns   BIGINT  ns   Time of the copy in which the call still ran.
WITH rows AS (
    SELECT report_id, gpu_id AS track_id, op_id AS interval_id, start_ns, end_ns
    FROM memcpys
    WHERE gpu_id IS NOT NULL
),

covers AS (
    SELECT report_id, gpu_id AS track_id, start_ns, end_ns
    FROM gpu_ops
    WHERE kind IN ('kernel', 'graph_launch')
),

sides AS (
    SELECT
        report_id, op_id, start_ns, end_ns, dur_ns,
        CASE
            WHEN is_migration THEN 'managed'
            WHEN direction IN ('DtoH', 'AtoH') OR (direction = 'HtoH' AND dst_kind = 'pageable') THEN dst_kind
            ELSE src_kind
        END AS recorded_kind
    FROM memcpys
)

SELECT
    m.report_id,
    m.op_id,
    nullif(replace(m.recorded_kind, '_static', ''), 'unknown') AS memory_kind,
    h.covered_ns AS hidden_ns,
    c.call_id,
    o.op_number,
    c.thread_id,
    c.name AS api_name,
    c.dur_ns AS call_ns,
    regexp_matches(c.name, 'Async$|GraphLaunch$') AS is_async,
    c.end_ns >= m.end_ns AS is_waited,
    CASE
        WHEN c.dur_ns IS NOT NULL AND m.dur_ns IS NOT NULL
            THEN greatest(least(c.end_ns, m.end_ns) - greatest(c.start_ns, m.start_ns), 0)
    END AS waited_ns
FROM sides AS m
LEFT JOIN _op_calls AS o ON o.report_id = m.report_id AND o.op_id = m.op_id
LEFT JOIN api_calls AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
LEFT JOIN interval_cover('rows', 'covers') AS h ON h.report_id = m.report_id AND h.interval_id = m.op_id
