-- Every wait of a CPU thread for the GPU, and whether the GPU was busy meanwhile: was it for work, or for nothing.
--
-- What counts as a wait (kind):
--   sync  a call that waits for a stream, an event, a context or a device
--   copy  a copy that its own work held up: it returned after that work had ended, or the work had begun while the GPUs
--         of the process were busy for at least half of the call, as in a large upload from pageable memory. An
--         asynchronous copy between pinned and device memory never waits; a memset does not either.
--   poll  a loop that asks a stream or an event whether it is done (cudaStreamQuery, cudaEventQuery and the driver's): two
--         or more such calls of a thread, where all but the last were answered "not ready" and each followed within
--         100 us of the one before, with no other CUDA call between than such as ask for something too
--         (cudaGetLastError). It waits from the start of the first to the end of the last. A question that was asked once
--         is no wait; nor is a loop that sleeps longer between its questions, as the watchdog of a library does.
-- A wait inside another one of its thread, as the driver's in the runtime's, is the same wait and has no row: the waits of a
-- thread can be added up; those of several threads cannot (sync_wall). Rows of syncs are these calls once more, and every
-- question one by one: count them here or there.
--
-- The GPU was busy if any GPU that the process uses was, whoever's work it was: then the CPU was ahead of it, or needed a
-- result. A GPU that was idle meanwhile is waste. The range is the innermost application range that was open on the waiting
-- thread when the wait began. Not known: waits for a flag in memory that the GPU writes.
--
-- @version 1
-- @grain   report_id, call_id
-- @needs   api_calls
-- @column  report_id    INTEGER id                    Report the row belongs to.
-- @column  call_id      BIGINT  id(api_calls.call_id) Call that waited; the first one of a poll.
-- @column  call_count   BIGINT  count                 Calls of the wait; 1 unless it is a poll.
-- @column  process_id   BIGINT  id                    Process that waited.
-- @column  thread_id    BIGINT  id(threads.thread_id) Thread that waited.
-- @column  api          VARCHAR text                  runtime, driver or other.
-- @column  name         VARCHAR text                  Function.
-- @column  kind         VARCHAR text                  sync, copy or poll.
-- @column  class        VARCHAR text                  ok_waiting if the GPU was busy for at least half of the wait, else idle_wait; NULL for length 0 and without known GPUs.
-- @column  start_ns     BIGINT  ns                    Start.
-- @column  end_ns       BIGINT  ns                    End.
-- @column  dur_ns       BIGINT  ns                    end_ns - start_ns.
-- @column  gpu_busy_ns  BIGINT  ns                    Time in it in which a GPU of the process was busy; NULL without known GPUs.
-- @column  gpu_idle_ns  BIGINT  ns                    dur_ns - gpu_busy_ns.
-- @column  range_id     BIGINT  id(nvtx_ranges.range_id) Innermost application range around its start; NULL for none.
-- @column  nvtx_name    VARCHAR text                  Its name; NULL if it has none.
-- @column  nvtx_path    VARCHAR text                  Names of the ranges from the outermost to it, with slashes.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  kind IN ('sync', 'copy', 'poll')
-- @assert  (call_count > 1) = (kind = 'poll')
-- @assert  gpu_busy_ns BETWEEN 0 AND dur_ns
-- @assert  (range_id IS NULL) = (nvtx_path IS NULL)
-- @beware  SELECT report_id, format('{} questions whose answer was not recorded cannot be told from polling and are left out',
--          count(*)) FROM api_calls WHERE result IS NULL AND regexp_matches(name, '(Stream|Event)Query$') GROUP BY report_id
-- @beware  SELECT c.report_id, format('{} copies that may have waited are left out: their work was not recorded', count(*))
--          FROM api_calls AS c ANTI JOIN _op_calls AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
--          WHERE NOT c.is_nested AND c.result = 0 AND regexp_matches(c.name, '^cu(da)?Memcpy')
--          AND NOT ends_with(c.name, 'Async') GROUP BY c.report_id
-- @example SELECT kind, class, count(*) AS wait_count, sum(dur_ns) AS dur_ns FROM waits GROUP BY ALL
WITH syncs_and_copies AS (
    SELECT c.report_id, c.call_id, c.start_ns, c.end_ns, f.kind, c.name
    FROM api_calls AS c
    INNER JOIN _api_functions AS f ON f.report_id = c.report_id AND f.name = c.name
    WHERE f.kind IN ('sync', 'copy')
),

-- A copy whose work had begun, but not ended, is one if the GPU turns out to have been busy.
candidates AS MATERIALIZED (
    SELECT report_id, call_id, end_ns, 'sync' AS kind, 1 AS call_count, TRUE AS is_certain
    FROM syncs_and_copies
    WHERE kind = 'sync'
    UNION ALL
    SELECT c.report_id, c.call_id, any_value(c.end_ns), 'copy', 1, max(m.end_ns) <= any_value(c.end_ns)
    FROM syncs_and_copies AS c
    INNER JOIN _op_calls AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
    INNER JOIN memcpys AS m ON m.report_id = o.report_id AND m.op_id = o.op_id
    WHERE c.kind = 'copy' AND m.start_ns < c.end_ns AND m.end_ns IS NOT NULL AND NOT coalesce(
        ends_with(c.name, 'Async') AND nullif(m.src_kind, 'unknown') <> 'pageable'
        AND nullif(m.dst_kind, 'unknown') <> 'pageable', FALSE)
    GROUP BY c.report_id, c.call_id
    UNION ALL
    SELECT report_id, call_id, end_ns, 'poll', call_count, TRUE
    FROM _polls
),

spans AS MATERIALIZED (
    SELECT
        w.report_id, w.call_id AS span_id, c.process_id, c.thread_id, c.api, c.name, c.start_ns, w.end_ns, w.kind,
        w.call_count, w.is_certain
    FROM candidates AS w
    INNER JOIN api_calls AS c ON c.report_id = w.report_id AND c.call_id = w.call_id
),

measured AS (
    SELECT s.*, b.busy_ns
    FROM spans AS s
    LEFT JOIN _process_busy('spans') AS b ON b.report_id = s.report_id AND b.span_id = s.span_id
    WHERE s.is_certain OR 2 * b.busy_ns >= s.end_ns - s.start_ns
),

outermost AS (
    SELECT *
    FROM (
        SELECT
            *,
            max(end_ns) OVER (
                PARTITION BY report_id, thread_id
                ORDER BY start_ns, end_ns > start_ns, end_ns DESC, api <> 'runtime', span_id
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered_until_ns
        FROM measured
    )
    WHERE coalesce(start_ns >= covered_until_ns OR end_ns > covered_until_ns, TRUE)
),

located AS (
    SELECT w.*, CASE WHEN w.start_ns < r.end_ns THEN r.range_id END AS range_id
    FROM outermost AS w
    ASOF LEFT JOIN _range_stretches AS r
        ON r.report_id = w.report_id AND r.thread_id = w.thread_id AND r.start_ns <= w.start_ns
)

SELECT
    w.report_id,
    w.span_id AS call_id,
    w.call_count,
    w.process_id,
    w.thread_id,
    w.api,
    w.name,
    w.kind,
    CASE WHEN w.end_ns > w.start_ns
        THEN CASE WHEN 2 * w.busy_ns >= w.end_ns - w.start_ns THEN 'ok_waiting' WHEN w.busy_ns >= 0 THEN 'idle_wait' END
    END AS class,
    w.start_ns,
    w.end_ns,
    w.end_ns - w.start_ns AS dur_ns,
    w.busy_ns AS gpu_busy_ns,
    w.end_ns - w.start_ns - w.busy_ns AS gpu_idle_ns,
    w.range_id,
    n.name AS nvtx_name,
    n.path AS nvtx_path
FROM located AS w
LEFT JOIN nvtx_ranges AS n ON n.report_id = w.report_id AND n.range_id = w.range_id
