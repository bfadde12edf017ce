-- Idle time of each GPU by cause, process and NVTX range: where to look first.
--
-- The sum of gap_causes. Numbers in the names of ranges are folded, so that step_1/forward and step_2/forward are one line
-- (step_*/forward). Without a WHERE the rows of a GPU add up to its idle time: lead-in and tail are among them.
--
-- @version 1
-- @grain   report_id, gpu_id, process_id, position, nvtx_path, cause, name
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id   INTEGER id              Report the row belongs to.
-- @column  gpu_id      INTEGER id(gpus.gpu_id) GPU that was idle.
-- @column  process_id  BIGINT  id              Process whose work ended the gaps.
-- @column  position    VARCHAR text            lead_in, between or tail.
-- @column  nvtx_path   VARCHAR text            Names of the ranges that were open, with slashes, numbers as stars; NULL for none.
-- @column  cause       VARCHAR text            Cause, as in gap_causes.
-- @column  name        VARCHAR text            Function of a CUDA or OS call; NULL for other causes.
-- @column  gap_count   BIGINT  count           Gaps with a part in it.
-- @column  idle_ns     BIGINT  ns              Idle time.
-- @column  idle_ratio  DOUBLE  ratio           idle_ns of all idle time of the GPU.
-- @column  longest_ns  BIGINT  ns              Largest part of one gap.
-- @order   idle_ns DESC
-- @assert  idle_ns > 0
-- @assert  idle_ratio BETWEEN 0 AND 1
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT nvtx_path, cause, name, idle_ns FROM idle_by_cause WHERE position = 'between' ORDER BY idle_ns DESC LIMIT 10
SELECT
    report_id,
    gpu_id,
    process_id,
    position,
    nvtx_path,
    cause,
    name,
    gap_count,
    idle_ns,
    idle_ns / sum(idle_ns) OVER (PARTITION BY report_id, gpu_id) AS idle_ratio,
    longest_ns
FROM _idle_by_cause
