-- Verdicts on why the GPUs idled, from idle_by_cause.
--
-- Gaps between operations only, against the time from the first operation of the GPU to its last (active): what a cause took less of
-- than its least share, or in fewer parts of gaps than its least number, is not worth a word.
--
-- @version 1
-- @kind    macro
-- @param   busy_gpus   TABLE   -    - Name of a relation with the columns of gpu_busy.
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  verdict     VARCHAR text What was found.
-- @column  at_stake_ns BIGINT  ns   Idle time.
-- @column  whole_ns    BIGINT  ns   Active time of the GPU.
-- @column  sentence    VARCHAR text The finding.
-- @column  evidence    MAP(VARCHAR,DOUBLE) - Numbers behind it.
-- @column  action      VARCHAR text What to do.
-- @column  view_name   VARCHAR text View to look at.
WITH active AS (
    SELECT report_id, gpu_id, last_end_ns - first_start_ns AS active_ns FROM query_table(busy_gpus) WHERE op_count > 0
),

os_calls AS (
    SELECT report_id, state IN ('recorded', 'none') AS is_traced FROM trace_states WHERE source = 'osrt_calls'
),

kinds (cause, verdict, has_range, has_name, least_ratio, least_parts, doing, view_name, action) AS (
    VALUES
    ('host_code', 'gpu_starved', TRUE, FALSE, 0.03, 1, NULL, 'idle_by_cause', NULL),
    ('os_call', 'gpu_starved', TRUE, TRUE, 0.03, 1, 'the launching thread was blocked in', 'idle_by_cause', 'Take the blocking call off the launching thread: prefetch, read ahead, or wait in another thread.'),
    ('sync', 'sync_in_loop', TRUE, TRUE, 0.01, 5, 'the launching thread waited in', 'sync_waits', 'Wait less often: read results (item(), cpu(), print) every N steps, and let launches run ahead; sync_waits tells which waits are in vain.'),
    ('blocking_copy', 'blocking_copies', TRUE, TRUE, 0.01, 5, 'the launching thread waited in', 'idle_by_cause', 'Copy and set without waiting: cudaMemcpyAsync, cudaMemsetAsync; host memory must be pinned (pin_memory=True with non_blocking=True).'),
    ('alloc', 'allocation_in_loop', TRUE, TRUE, 0.01, 5, 'memory was allocated or freed by', 'idle_by_cause', 'Allocate once and reuse: a caching allocator, cudaMallocAsync with a pool, buffers outside of the loop.'),
    ('module_load', 'lazy_loading', FALSE, FALSE, 0.01, 1, 'code was loaded, compiled or launched for the first time', 'first_launches', 'Run every shape once before what counts (warm-up), or load at start: CUDA_MODULE_LOADING=EAGER; first_launches names the kernels.'),
    ('first_use', 'lazy_loading', FALSE, FALSE, 0.01, 1, 'code was loaded, compiled or launched for the first time', 'first_launches', 'Run every shape once before what counts (warm-up), or load at start: CUDA_MODULE_LOADING=EAGER; first_launches names the kernels.'),
    ('launch', 'launch_bound', FALSE, FALSE, 0.05, 100, 'launches were on their way', 'idle_by_cause', 'Launch less: CUDA graphs (torch.compile(mode="reduce-overhead")), fused kernels, larger batches.'),
    ('gpu_dispatch', 'launch_bound', FALSE, FALSE, 0.05, 100, 'launches were on their way', 'idle_by_cause', 'Launch less: CUDA graphs (torch.compile(mode="reduce-overhead")), fused kernels, larger batches.'),
    ('cuda', 'cuda_calls', TRUE, TRUE, 0.03, 5, 'the launching thread was in', 'idle_by_cause', 'Make such calls outside of the loop.'),
    ('dependency', 'gpu_dependency', FALSE, FALSE, 0.03, 1, 'the next operation was launched already and waited for something else', 'gap_causes', 'Look at what its stream waited for: events, other streams, other processes on the GPU, peers.'),
    ('profiler_overhead', 'profiler_overhead', FALSE, FALSE, 0.01, 1, 'the profiler did work of its own on the launching thread', 'overheads', 'Do not count this time: trace less (--trace, --cuda-memory-usage=false, --sample=none --cpuctxsw=none), or a shorter part.'),
    ('unknown', 'launches_not_recorded', FALSE, FALSE, 0.03, 1, 'it is not known what the CPU did: what came next has no call in the trace', 'api_ops', 'api_ops tells why: migrations of unified memory have no call; if calls are missing, start the capture earlier and record all processes in one report.')
),

found AS (
    SELECT
        i.report_id, i.gpu_id, k.verdict, i.cause = 'host_code' AS is_host_code,
        CASE WHEN k.has_range THEN coalesce(i.nvtx_path, '') END AS nvtx_path,
        CASE WHEN k.has_name THEN i.name END AS name,
        k.doing, k.view_name, k.action,
        max(k.least_ratio) AS least_ratio, max(k.least_parts) AS least_parts,
        sum(i.idle_ns) AS idle_ns, sum(i.gap_count) AS part_count, max(i.longest_ns) AS longest_ns
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
        'GPU {} idled {} ({:.1f} % of its active time{}) while {}{}{}.',
        f.gpu_id, _time_text(f.idle_ns), 100 * f.idle_ns / a.active_ns,
        CASE
            WHEN f.longest_ns = f.idle_ns THEN ', all in one gap'
            WHEN f.longest_ns >= 0.99 * f.idle_ns THEN ', nearly all in one gap'
            WHEN 2 * f.longest_ns >= f.idle_ns THEN format(', {} of it in one gap', _time_text(f.longest_ns))
            ELSE ''
        END,
        CASE
            WHEN NOT f.is_host_code THEN f.doing
            WHEN o.is_traced THEN 'the launching thread ran code of its own'
            ELSE 'the launching thread was in no CUDA call'
        END,
        coalesce(' ' || f.name, ''),
        CASE WHEN f.nvtx_path = '' THEN ', outside of NVTX ranges' ELSE coalesce(', in ' || f.nvtx_path, '') END) AS sentence,
    MAP {
        'idle_ns': CAST(f.idle_ns AS DOUBLE), 'active_ns': CAST(a.active_ns AS DOUBLE),
        'part_count': CAST(f.part_count AS DOUBLE), 'longest_ns': CAST(f.longest_ns AS DOUBLE)} AS evidence,
    CASE
        WHEN NOT f.is_host_code THEN f.action
        ELSE
            CASE
                WHEN 2 * f.longest_ns >= f.idle_ns
                    THEN 'If that gap is set-up or compilation, start the capture after it; else do that work ahead or in another thread.'
                ELSE 'Do that work ahead or elsewhere: prefetch in other threads or processes (DataLoader workers), keep data on the GPU, '
                    'or give the GPU more work per launch.'
            END || CASE WHEN o.is_traced THEN '' ELSE ' --trace=osrt would tell whether the thread computed or was blocked.' END
    END AS action,
    f.view_name
FROM found AS f
INNER JOIN active AS a ON a.report_id = f.report_id AND a.gpu_id = f.gpu_id
LEFT JOIN os_calls AS o ON o.report_id = f.report_id
WHERE f.idle_ns >= f.least_ratio * a.active_ns AND f.part_count >= f.least_parts
