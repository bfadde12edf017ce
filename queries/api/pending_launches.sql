-- How many operations a process has asked a GPU for that have not begun, and how many run: the depth of the queue over time.
--
-- An operation is queued from the start of its API call to its own start, and runs from there to its end. All operations
-- of a call are queued from its start, those of a CUDA graph too. One row per stretch of time with constant counts, from
-- the first call of the process for the GPU to the end of its last operation; queue_depth is the same in bins. A GPU that
-- is idle while nothing is queued waits for the CPU; one that always has something queued has a CPU that is ahead. Left
-- out are operations whose call is not known. An operation that began before its call, as clocks may have it, is never
-- queued.
--
-- @version 1
-- @grain   report_id, process_id, gpu_id, start_ns
-- @needs   api_calls
-- @column  report_id     INTEGER id              Report the row belongs to.
-- @column  process_id    BIGINT  id              Process that called.
-- @column  gpu_id        INTEGER id(gpus.gpu_id) GPU that the operations run on.
-- @column  start_ns      BIGINT  ns              Start of the stretch.
-- @column  end_ns        BIGINT  ns              End of the stretch.
-- @column  dur_ns        BIGINT  ns              end_ns - start_ns.
-- @column  queued_count  BIGINT  count           Operations called for that had not begun.
-- @column  running_count BIGINT  count           Operations that ran; more than one on several streams.
-- @order   report_id, process_id, gpu_id, start_ns
-- @assert  dur_ns > 0
-- @assert  end_ns = start_ns + dur_ns
-- @assert  queued_count >= 0
-- @assert  running_count >= 0
-- @beware  SELECT o.report_id, format('{} operations without a known API call are left out', count(*))
--          FROM gpu_ops AS o ANTI JOIN _op_calls AS c ON c.report_id = o.report_id AND c.op_id = o.op_id GROUP BY o.report_id
-- @example SELECT queued_count, sum(dur_ns) AS dur_ns FROM pending_launches GROUP BY ALL ORDER BY queued_count DESC LIMIT 5
WITH ops AS MATERIALIZED (
    SELECT
        o.report_id, o.process_id, o.gpu_id, least(c.start_ns, o.start_ns) AS call_ns, o.start_ns, o.end_ns
    FROM _op_calls AS a
    INNER JOIN gpu_ops AS o ON o.report_id = a.report_id AND o.op_id = a.op_id
    INNER JOIN api_calls AS c ON c.report_id = a.report_id AND c.call_id = a.call_id
),

-- One number for process and GPU: DuckDB sorts keys of more than 24 bytes half as fast.
tracks AS MATERIALIZED (
    SELECT report_id, process_id, gpu_id, CAST(row_number() OVER () AS INTEGER) AS track_id
    FROM (SELECT DISTINCT report_id, process_id, gpu_id FROM ops)
),

tracked AS MATERIALIZED (
    SELECT t.track_id, o.call_ns, o.start_ns, o.end_ns
    FROM ops AS o
    INNER JOIN tracks AS t ON t.report_id = o.report_id AND t.process_id = o.process_id AND t.gpu_id = o.gpu_id
),

-- Both counts are one number: running operations in its upper half, queued ones in its lower.
edges AS (
    SELECT track_id, call_ns AS edge_ns, 1 AS change FROM tracked WHERE call_ns < start_ns
    UNION ALL
    SELECT track_id, start_ns, (1::BIGINT << 32) - CASE WHEN call_ns < start_ns THEN 1 ELSE 0 END FROM tracked
    UNION ALL
    SELECT track_id, end_ns, -(1::BIGINT << 32) FROM tracked
),

stretches AS (
    SELECT
        track_id, edge_ns AS start_ns,
        lead(edge_ns) OVER track AS end_ns,
        CAST(sum(change) OVER (track ROWS UNBOUNDED PRECEDING) AS BIGINT) AS counts
    FROM edges
    WINDOW track AS (PARTITION BY track_id ORDER BY edge_ns)
)

-- Of several edges at one time, the last bears the count after all of them.
SELECT
    t.report_id, t.process_id, t.gpu_id, s.start_ns, s.end_ns, s.end_ns - s.start_ns AS dur_ns,
    s.counts & 4294967295 AS queued_count, s.counts >> 32 AS running_count
FROM stretches AS s
INNER JOIN tracks AS t ON t.track_id = s.track_id
WHERE s.end_ns > s.start_ns
