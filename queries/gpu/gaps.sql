-- Intervals in which a GPU had nothing to run.
--
-- A GPU is busy while any operation of any process runs on it: kernels, copies, memsets, graph launches; waits are no
-- work. Its gaps and its busy time fill the capture without a rest:
--   lead_in   before the first operation: start-up, imports, CUDA initialisation
--   between   between two operations
--   tail      after the last operation, to the end of the capture
-- NVIDIA's rule gpu_gaps, here as the view of that name, looks at every process alone and at no CUDA graph.
-- What the program was doing meanwhile, by its NVTX ranges, is nvtx_path: on the thread that launched the work that ended the
-- gap, or on the one thread of its process that opens application ranges if that does not. Why it idled is in gap_causes.
-- Not known: work of processes that were not traced. A report that does not say how long it recorded has no tail
-- (is_tail_known); a GPU without any operation has no gaps at all (gpu_busy tells).
--
-- @version 1
-- @grain   report_id, gap_id
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gap_id         BIGINT  id    Gap, unique within the report, in the order of GPU and time (with holes).
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU that was idle.
-- @column  position       VARCHAR text  lead_in, between or tail.
-- @column  start_ns       BIGINT  ns    Start of the gap.
-- @column  end_ns         BIGINT  ns    End of the gap.
-- @column  dur_ns         BIGINT  ns    Length of the gap.
-- @column  previous_op_id BIGINT  id(gpu_ops.op_id) Operation that ended when it began (of several the last by number); NULL for lead_in.
-- @column  previous_op    VARCHAR text  Name of that operation.
-- @column  next_op_id     BIGINT  id(gpu_ops.op_id) Operation that ended it (of several the first by number); NULL for tail.
-- @column  next_op        VARCHAR text  Name of that operation.
-- @column  is_tail_known  BOOLEAN bool  The report says how long it recorded, so the GPU's tail can be known.
-- @column  range_id       BIGINT  id(nvtx_ranges.range_id) Innermost application range with the largest share of the gap, on the thread that launched what ended it (for a tail what ended before); NULL for none.
-- @column  nvtx_path      VARCHAR text  Names of the ranges from the outermost to that one, with slashes.
-- @column  launch_range_id BIGINT id(nvtx_ranges.range_id) Range that the operation which ended it belongs to (op_ranges); NULL for none.
-- @column  launch_nvtx_path VARCHAR text Names of the ranges from the outermost to that one, with slashes.
-- @order   dur_ns DESC
-- @assert  dur_ns > 0
-- @assert  end_ns = start_ns + dur_ns
-- @assert  position IN ('lead_in', 'between', 'tail')
-- @beware  SELECT report_id, 'the report does not say how long it recorded, so there are no tail gaps' FROM reports
--          WHERE duration_ns IS NULL
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT gpu_id, position, count(*) AS gap_count, sum(dur_ns) AS idle_ns FROM gaps GROUP BY ALL
WITH elsewhere AS (
    SELECT p.report_id, p.range_id, p.path
    FROM _range_paths AS p
    SEMI JOIN (FROM _gap_ranges WHERE launch_range_id IS NOT NULL) AS g
        ON g.report_id = p.report_id AND g.launch_range_id = p.range_id
)

SELECT
    g.report_id,
    g.gap_id,
    g.gpu_id,
    g.position,
    g.start_ns,
    g.end_ns,
    g.dur_ns,
    coalesce(e.last_op_id, g.op_before_id) AS previous_op_id,
    CASE WHEN e.last_op_id IS NULL THEN g.op_before ELSE e.last_op END AS previous_op,
    g.next_op_id,
    g.next_op,
    g.is_tail_known,
    r.range_id,
    p.path AS nvtx_path,
    CASE WHEN r.is_launched_there THEN r.range_id ELSE r.launch_range_id END AS launch_range_id,
    CASE WHEN r.is_launched_there THEN p.path ELSE l.path END AS launch_nvtx_path
FROM _gaps AS g
LEFT JOIN _island_ends AS e ON e.report_id = g.report_id AND e.gpu_id = g.gpu_id AND e.island = g.island_before
LEFT JOIN _gap_ranges AS r ON r.report_id = g.report_id AND r.gap_id = g.gap_id
LEFT JOIN _range_paths AS p ON p.report_id = r.report_id AND p.range_id = r.range_id
LEFT JOIN elsewhere AS l ON l.report_id = r.report_id AND l.range_id = r.launch_range_id
