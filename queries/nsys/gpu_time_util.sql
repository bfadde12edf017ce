-- NVIDIA's rule gpu_time_util: stretches in which a process used a device for little of the time.
--
-- Per process and CUDA device: the time from the start of its first operation to the end of its last one is cut into
-- chunk_count chunks of equal length, and neighbouring chunks in use for less than threshold_percent of their time are one
-- row. The use is the sum of the operations' time in a chunk: what runs side by side counts in full each, so that it can be
-- above 100 and hide idle time. What counts as an operation: see gpu_gaps. gpu_utilization counts every moment once, for
-- each GPU over the whole capture. If there are more rows than it prints, NVIDIA's tool finds the least used only among the
-- first ones by time.
--
-- @version 1
-- @grain   report_id, pid, device_id, start_ns
-- @needs   any of kernels, memcpys, memsets
-- @param   threshold_percent BIGINT 50 percent Chunks in use for less than this are here.
-- @param   chunk_count       BIGINT 30 count   Chunks that the time is cut into, 1 to 1000.
-- @require chunk_count BETWEEN 1 AND 1000
-- @column  report_id      INTEGER id      Report the row belongs to.
-- @column  in_use_percent DOUBLE  percent Time of the operations in the stretch, of its length, rounded to one decimal.
-- @column  dur_ns         BIGINT  ns      Length of the stretch.
-- @column  start_ns       BIGINT  ns      Start of the stretch.
-- @column  pid            INTEGER id      Process id of the operating system.
-- @column  device_id      INTEGER id      CUDA device number in that process.
-- @column  context_id     BIGINT  id      CUDA context of the operation that ended last of all, 0 for a migration.
-- @title   GPU Time Utilization
-- @print   # Row#; in_use_percent In-Use; dur_ns Duration; start_ns Start; pid PID; device_id Device ID; context_id Context ID
-- @skip    work of a GPU
-- @arg     threshold threshold_percent
-- @arg     chunks chunk_count
-- @rows    50
-- @advice  The GPU was idle for most of these stretches. gap_causes tells what the CPU did meanwhile, gpu_utilization shows the
--     whole capture with every moment counted once.
-- @order   in_use_percent, dur_ns, start_ns
-- @assert  in_use_percent <= 50
-- @assert  dur_ns > 0
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not looked at, so their time counts as idle', count(*))
--          FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT pid, device_id, start_ns, dur_ns, in_use_percent FROM gpu_time_util ORDER BY dur_ns DESC LIMIT 5
WITH tracks AS (
    SELECT
        report_id, process_id, device_id,
        min(start_ns) AS first_ns,
        max(end_ns) AS last_ns,
        arg_max(context_id, end_ns) AS context_id
    FROM _busy_ops
    GROUP BY ALL
),

spans AS (
    SELECT *, (last_ns - first_ns + chunk_count - 1) // chunk_count AS chunk_ns
    FROM tracks
    WHERE last_ns > first_ns
),

placed AS (
    SELECT
        report_id, process_id, device_id, s.chunk_ns,
        o.start_ns - s.first_ns AS start_ns,
        o.end_ns - s.first_ns AS end_ns,
        (o.start_ns - s.first_ns) // s.chunk_ns AS first_chunk,
        (o.end_ns - s.first_ns) // s.chunk_ns AS last_chunk
    FROM _busy_ops AS o
    INNER JOIN spans AS s USING (report_id, process_id, device_id)
),

-- Parts of operations: in their first and last chunk, and from where to where they cover whole chunks.
parts AS (
    SELECT
        report_id, process_id, device_id, first_chunk AS chunk,
        least(end_ns, (first_chunk + 1) * chunk_ns) - start_ns AS busy_ns, 0 AS covering
    FROM placed
    UNION ALL
    SELECT report_id, process_id, device_id, last_chunk, end_ns - last_chunk * chunk_ns, -1
    FROM placed
    WHERE last_chunk > first_chunk
    UNION ALL
    SELECT report_id, process_id, device_id, first_chunk + 1, 0, 1
    FROM placed
    WHERE last_chunk > first_chunk
),

used AS (
    SELECT
        report_id, process_id, device_id, chunk,
        CAST(sum(busy_ns) AS BIGINT) AS busy_ns,
        CAST(sum(covering) AS BIGINT) AS covering
    FROM parts
    GROUP BY ALL
),

grid AS (
    SELECT report_id, process_id, device_id, first_ns, last_ns, chunk_ns, context_id, unnest(range(0, chunk_count)) AS chunk
    FROM spans
),

chunks AS (
    SELECT
        report_id, process_id, device_id, chunk, g.context_id,
        g.first_ns + chunk * g.chunk_ns AS start_ns,
        least(g.first_ns + (chunk + 1) * g.chunk_ns, g.last_ns) AS end_ns,
        coalesce(u.busy_ns, 0)
        + g.chunk_ns * sum(coalesce(u.covering, 0)) OVER (PARTITION BY report_id, process_id, device_id ORDER BY chunk) AS busy_ns
    FROM grid AS g
    LEFT JOIN used AS u USING (report_id, process_id, device_id, chunk)
),

low AS (
    SELECT *, chunk - row_number() OVER (PARTITION BY report_id, process_id, device_id ORDER BY chunk) AS stretch
    FROM chunks
    WHERE end_ns > start_ns AND 100 * busy_ns < threshold_percent * (end_ns - start_ns)
)

SELECT
    l.report_id,
    _one_digit(100 * sum(l.busy_ns) / sum(l.end_ns - l.start_ns)) AS in_use_percent,
    CAST(sum(l.end_ns - l.start_ns) AS BIGINT) AS dur_ns,
    min(l.start_ns) AS start_ns,
    CAST((l.process_id >> 24) & 16777215 AS INTEGER) AS pid,
    l.device_id,
    any_value(l.context_id) AS context_id
FROM low AS l
GROUP BY l.report_id, l.process_id, l.device_id, l.stretch
