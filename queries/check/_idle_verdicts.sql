-- Verdicts on why the GPUs idled, from idle_by_cause.
--
-- Gaps between operations only, against the time from the first operation of the GPU to its last (active): what a cause took less of
-- than its least share is not worth a word.
--
-- @version 1
-- @grain   report_id, verdict, sentence
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  verdict     VARCHAR text What was found.
-- @column  at_stake_ns BIGINT  ns   Idle time.
-- @column  whole_ns    BIGINT  ns   Active time of the GPU.
-- @column  sentence    VARCHAR text The finding.
-- @column  evidence    MAP(VARCHAR,DOUBLE) - Numbers behind it.
-- @column  action      VARCHAR text What to do.
-- @column  view_name   VARCHAR text View to look at.
WITH active AS (
    SELECT report_id, gpu_id, last_end_ns - first_start_ns AS active_ns FROM gpu_busy WHERE op_count > 0
),

kinds (cause, verdict, has_range, has_name, least_ratio, least_gaps, doing, action) AS (
    VALUES
    ('host_code', 'gpu_starved', TRUE, FALSE, 0.03, 1, 'the launching thread ran code of its own', 'Do that work ahead or elsewhere: prefetch in other threads or processes (DataLoader workers), keep data on the GPU, or give the GPU more work per launch.'),
    ('os_call', 'gpu_starved', TRUE, TRUE, 0.03, 1, 'the launching thread was blocked in', 'Take the blocking call off the launching thread: prefetch, read ahead, or wait in another thread.'),
    ('sync', 'sync_in_loop', TRUE, TRUE, 0.01, 5, 'the launching thread waited in', 'Wait less often: read results (item(), cpu(), print) every N steps, and let launches run ahead; sync_waits tells which waits are in vain.'),
    ('blocking_copy', 'blocking_copies', TRUE, TRUE, 0.01, 5, 'the launching thread waited in', 'Copy asynchronously from pinned memory: pin_memory=True with non_blocking=True, cudaMemcpyAsync on a stream of its own.'),
    ('alloc', 'allocation_in_loop', TRUE, TRUE, 0.01, 5, 'memory was allocated or freed by', 'Allocate once and reuse: a caching allocator, cudaMallocAsync with a pool, buffers outside of the loop.'),
    ('module_load', 'lazy_loading', FALSE, FALSE, 0.01, 1, 'code was loaded or compiled', 'Run every shape once before what counts (warm-up), or load at start: CUDA_MODULE_LOADING=EAGER; first_launches names the kernels.'),
    ('first_use', 'lazy_loading', FALSE, FALSE, 0.01, 1, 'code was loaded or compiled', 'Run every shape once before what counts (warm-up), or load at start: CUDA_MODULE_LOADING=EAGER; first_launches names the kernels.'),
    ('launch', 'launch_bound', FALSE, FALSE, 0.05, 100, 'launches were under way', 'Launch less: CUDA graphs (torch.compile(mode="reduce-overhead")), fused kernels, larger batches.'),
    ('gpu_dispatch', 'launch_bound', FALSE, FALSE, 0.05, 100, 'launches were under way', 'Launch less: CUDA graphs (torch.compile(mode="reduce-overhead")), fused kernels, larger batches.'),
    ('cuda', 'cuda_calls', TRUE, TRUE, 0.03, 5, 'the launching thread was in', 'Make such calls outside of the loop.'),
    ('dependency', 'gpu_dependency', FALSE, FALSE, 0.03, 1, 'the work was launched and waited for something else', 'Look at what its stream waited for: events, other streams, other processes on the GPU, peers.'),
    ('profiler_overhead', 'profiler_overhead', FALSE, FALSE, 0.01, 1, 'the profiler did work of its own on the launching thread', 'Do not count this time: trace less (--trace, --cuda-memory-usage=false, --sample=none), or a shorter part.'),
    ('unknown', 'launches_not_recorded', FALSE, FALSE, 0.03, 1, 'nothing tells who launched what came next', 'Record the launches too: start the capture earlier, trace the driver API as well, one report with all processes.')
),

found AS (
    SELECT
        i.report_id, i.gpu_id, k.verdict,
        CASE WHEN k.has_range THEN coalesce(i.nvtx_path, '') END AS nvtx_path,
        CASE WHEN k.has_name THEN i.name END AS name,
        k.doing, k.action,
        max(k.least_ratio) AS least_ratio, max(k.least_gaps) AS least_gaps,
        sum(i.idle_ns) AS idle_ns, sum(i.gap_count) AS gap_count, max(i.longest_ns) AS longest_ns
    FROM idle_by_cause AS i
    INNER JOIN kinds AS k ON k.cause = i.cause
    WHERE i.position = 'between'
    GROUP BY ALL
)

SELECT
    f.report_id,
    f.verdict,
    CAST(f.idle_ns AS BIGINT) AS at_stake_ns,
    a.active_ns AS whole_ns,
    format(
        'GPU {} idled {} ({:.1f} % of its active time) while {}{}{}.',
        f.gpu_id, _time_text(f.idle_ns), 100 * f.idle_ns / a.active_ns, f.doing, coalesce(' ' || f.name, ''),
        CASE WHEN f.nvtx_path = '' THEN ', outside of NVTX ranges' ELSE coalesce(', in ' || f.nvtx_path, '') END) AS sentence,
    MAP {
        'idle_ns': CAST(f.idle_ns AS DOUBLE), 'active_ns': CAST(a.active_ns AS DOUBLE), 'gap_count': CAST(f.gap_count AS DOUBLE),
        'longest_ns': CAST(f.longest_ns AS DOUBLE)} AS evidence,
    f.action,
    'idle_by_cause' AS view_name
FROM found AS f
INNER JOIN active AS a ON a.report_id = f.report_id AND a.gpu_id = f.gpu_id
WHERE f.idle_ns >= f.least_ratio * a.active_ns AND f.gap_count >= f.least_gaps
