-- NVIDIA's rule gpu_gaps: times in which a process had nothing on a device.
--
-- Per process and CUDA device: the stretches between its first and its last operation that no kernel, copy or memset of
-- it covers, if they are longer than gap_ms. Launches of whole CUDA graphs are not looked at, nor are operations at time 0
-- or before. Three kinds of the profiler's own work (data flush, stop and overhead of CUDA profiling) count as busy if
-- they lie between the first and the last operation. The tool looks for the longest gaps only among the first ones by time
-- if there are more than it prints; with rows=-1 it sees all. gaps is per GPU, whatever the process, with lead-in and tail.
--
-- @version 1
-- @grain   report_id, pid, device_id, start_ns
-- @needs   any of kernels, memcpys, memsets
-- @param   gap_ms BIGINT 500 - Gaps longer than this many milliseconds.
-- @require gap_ms >= 0
-- @column  report_id  INTEGER id Report the row belongs to.
-- @column  dur_ns     BIGINT  ns Length of the gap.
-- @column  start_ns   BIGINT  ns Start of the gap.
-- @column  pid        INTEGER id Process id of the operating system.
-- @column  device_id  INTEGER id CUDA device number in that process.
-- @column  context_id BIGINT  id CUDA context of the operation that ended when it began, 0 for a migration; for the profiler's work that of the last operation.
-- @title   GPU Gaps
-- @print   # Row#; dur_ns Duration; start_ns Start; pid PID; device_id Device ID; context_id Context ID
-- @skip    work of a GPU
-- @arg     gap gap_ms
-- @rows    50
-- @advice  The GPU had nothing to run in these times, for longer than the limit. gap_causes tells for each what the CPU did
--     instead; without NVTX ranges or OS calls in the trace it can only say host_code, so record them.
-- @order   dur_ns DESC, start_ns
-- @assert  dur_ns > 500000000
-- @beware  SELECT report_id, format('{} launches of CUDA graphs are not looked at, so their time is in the gaps', count(*))
--          FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT pid, device_id, start_ns, dur_ns FROM gpu_gaps(gap_ms := 10) ORDER BY dur_ns DESC LIMIT 5
WITH busy AS MATERIALIZED (
    FROM _busy_ops
),

tracks AS MATERIALIZED (
    SELECT report_id, process_id, device_id, CAST(row_number() OVER () AS INTEGER) AS track_id
    FROM (SELECT DISTINCT report_id, process_id, device_id FROM busy)
),

rows AS (
    SELECT b.report_id, t.track_id, b.start_ns, b.end_ns
    FROM busy AS b
    INNER JOIN tracks AS t
        ON t.report_id = b.report_id AND t.process_id = b.process_id AND t.device_id IS NOT DISTINCT FROM b.device_id
),

idle AS MATERIALIZED (
    SELECT t.report_id, t.process_id, t.device_id, g.start_ns, g.end_ns
    FROM interval_gaps('rows') AS g
    INNER JOIN tracks AS t USING (track_id)
    WHERE g.end_ns - g.start_ns > gap_ms * 1000000
),

enders AS (
    SELECT b.report_id, b.process_id, b.device_id, b.end_ns, max(b.context_id) AS context_id
    FROM busy AS b
    SEMI JOIN idle AS i
        ON i.report_id = b.report_id AND i.process_id = b.process_id AND i.device_id IS NOT DISTINCT FROM b.device_id
        AND i.start_ns = b.end_ns
    GROUP BY ALL
)

SELECT
    i.report_id,
    i.end_ns - i.start_ns AS dur_ns,
    i.start_ns,
    CAST((i.process_id >> 24) & 16777215 AS INTEGER) AS pid,
    i.device_id,
    e.context_id
FROM idle AS i
LEFT JOIN enders AS e
    ON e.report_id = i.report_id AND e.process_id = i.process_id AND e.device_id IS NOT DISTINCT FROM i.device_id
    AND e.end_ns = i.start_ns
