-- Idle time of each GPU by cause, process and NVTX range, as it is stored.
--
-- The concept stands in idle_by_cause. Computed once per report: it is few rows from all calls and all gaps.
--
-- @version 1
-- @kind    table
-- @grain   report_id, gpu_id, process_id, position, nvtx_path, cause, name
-- @column  report_id   INTEGER id              Report the row belongs to.
-- @column  gpu_id      INTEGER id(gpus.gpu_id) GPU that was idle.
-- @column  process_id  BIGINT  id              Process whose work ended the gaps.
-- @column  position    VARCHAR text            lead_in, between or tail.
-- @column  nvtx_path   VARCHAR text            Names of the ranges that were open, with slashes, numbers as stars; NULL for none.
-- @column  cause       VARCHAR text            Cause, as in gap_causes.
-- @column  name        VARCHAR text            Function of a CUDA or OS call; NULL for other causes.
-- @column  gap_count   BIGINT  count           Gaps with a part in it.
-- @column  idle_ns     BIGINT  ns              Idle time.
-- @column  longest_ns  BIGINT  ns              Largest part of one gap.
SELECT
    g.report_id,
    g.gpu_id,
    g.process_id,
    g.position,
    p.folded_path AS nvtx_path,
    g.cause,
    g.name,
    count(*) AS gap_count,
    CAST(sum(g.dur_ns) AS BIGINT) AS idle_ns,
    max(g.dur_ns) AS longest_ns
FROM _gap_parts AS g
LEFT JOIN _folded_paths AS p ON p.report_id = g.report_id AND p.range_id = g.range_id
GROUP BY g.report_id, g.gpu_id, g.process_id, g.position, p.folded_path, g.cause, g.name
