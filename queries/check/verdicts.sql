-- What stands out in a report, in sentences: what it cost, what to do about it, where to look.
--
-- Ordered by the time at stake. severity is high for a fifth and more of the time that the finding is a part of (the active time
-- of a GPU, the capture), medium for a twentieth, else low; good is good news. Silent where the data cannot say: a finding needs
-- the events that it is drawn from. Times at stake are not additive: one wait may be in several.
--   trace  capture_window, no_nvtx, trace_incomplete, nsys_complains, graph_mode, cpu_samples_thin, warmup_in_window
--   idle   gpu_starved, sync_in_loop, blocking_copies, allocation_in_loop, lazy_loading, launch_bound, cuda_calls,
--          gpu_dependency, profiler_overhead, launches_not_recorded
--   work   gpu_saturated, fp32_gemm_off_tensor_cores, pageable_copies, exposed_communication, queue_full
--
-- @version 1
-- @grain   report_id, place
-- @needs   any of kernels, memcpys, memsets, graph_launches, api_calls
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  place       BIGINT  -    Place within the report, counted from 1 by time at stake.
-- @column  topic       VARCHAR text trace, idle or work.
-- @column  verdict     VARCHAR text What was found, one of the words above.
-- @column  severity    VARCHAR text high, medium, low or good.
-- @column  sentence    VARCHAR text The finding with its numbers.
-- @column  action      VARCHAR text The option or the change of code that helps.
-- @column  view_name   VARCHAR text View to look at.
-- @column  at_stake_ns BIGINT  ns   Time that it is about; NULL if that is no time.
-- @column  whole_ns    BIGINT  ns   Time that this is a part of; NULL if there is none.
-- @column  evidence    MAP(VARCHAR,DOUBLE) - Numbers behind it, by name with unit.
-- @order   report_id, place
-- @assert  severity IN ('high', 'medium', 'low', 'good')
-- @assert  at_stake_ns >= 0
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT severity, sentence FROM verdicts
WITH busy_gpus AS MATERIALIZED (
    FROM gpu_busy
),

found AS (
    SELECT 'trace' AS topic, * FROM _trace_verdicts('busy_gpus')
    UNION ALL
    SELECT 'idle', * FROM _idle_verdicts('busy_gpus')
    UNION ALL
    SELECT 'work', * FROM _work_verdicts('busy_gpus')
)

SELECT
    report_id,
    row_number() OVER (PARTITION BY report_id ORDER BY at_stake_ns DESC NULLS LAST, verdict, sentence) AS place,
    topic,
    verdict,
    CASE
        WHEN verdict IN ('queue_full', 'gpu_saturated') THEN 'good'
        WHEN verdict = 'trace_incomplete' OR at_stake_ns >= 0.2 * whole_ns THEN 'high'
        WHEN verdict = 'nsys_complains' OR at_stake_ns >= 0.05 * whole_ns THEN 'medium'
        ELSE 'low'
    END AS severity,
    sentence,
    action,
    view_name,
    at_stake_ns,
    whole_ns,
    evidence
FROM found
