-- Verdicts on the trace itself: what it holds too much of, and what it lacks.
--
-- @version 1
-- @kind    macro
-- @param   busy_gpus   TABLE   -    - Name of a relation with the columns of gpu_busy.
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  verdict     VARCHAR text What was found.
-- @column  at_stake_ns BIGINT  ns   Time that it is about.
-- @column  whole_ns    BIGINT  ns   Time that this is a part of.
-- @column  sentence    VARCHAR text The finding.
-- @column  evidence    MAP(VARCHAR,DOUBLE) - Numbers behind it.
-- @column  action      VARCHAR text What to do.
-- @column  view_name   VARCHAR text View to look at.
WITH active AS (
    SELECT
        report_id, min(lead_in_ns) AS lead_in_ns, min(tail_ns) AS tail_ns, any_value(capture_ns) AS capture_ns,
        any_value(capture_ns) - min(lead_in_ns) - min(tail_ns) AS active_ns, sum(op_dur_ns) AS op_dur_ns
    FROM query_table(busy_gpus)
    WHERE op_count > 0
    GROUP BY report_id
),

capture_window AS (
    SELECT
        report_id, 'capture_window' AS verdict, lead_in_ns + tail_ns AS at_stake_ns, capture_ns AS whole_ns,
        format(
            'GPU work spans {} of the {} that were recorded: {} passed before the first operation, {} after the last.',
            _time_text(active_ns), _time_text(capture_ns), _time_text(lead_in_ns), _time_text(tail_ns)) AS sentence,
        MAP {
            'lead_in_ns': CAST(lead_in_ns AS DOUBLE), 'active_ns': CAST(active_ns AS DOUBLE), 'tail_ns': CAST(tail_ns AS DOUBLE),
            'capture_ns': CAST(capture_ns AS DOUBLE)} AS evidence,
        format(
            'Record the part that counts: --capture-range=cudaProfilerApi --capture-range-end=stop, with cudaProfilerStart() and '
            'cudaProfilerStop() around it (torch.cuda.profiler.start() and stop()); or by the clock: {}--duration={:.0f} --kill=none.',
            CASE WHEN lead_in_ns >= 1000000000 THEN format('--delay={:.0f} ', floor(lead_in_ns / 1e9)) ELSE '' END,
            ceil((lead_in_ns + active_ns) / 1e9) - floor(lead_in_ns / 1e9)) AS action,
        'phases' AS view_name
    FROM active
    WHERE lead_in_ns + tail_ns >= greatest(0.25 * capture_ns, 1000000000)
),

bare AS (
    SELECT g.report_id, count(*) AS op_count, sum(g.dur_ns) AS op_dur_ns
    FROM gpu_ops AS g
    ANTI JOIN (SELECT DISTINCT report_id, process_id FROM _application_ranges) AS a
        ON a.report_id = g.report_id AND a.process_id = g.process_id
    GROUP BY g.report_id
),

no_nvtx AS (
    SELECT
        b.report_id, 'no_nvtx', CAST(b.op_dur_ns AS BIGINT), CAST(a.op_dur_ns AS BIGINT),
        format(
            '{} ({} of work) in processes without NVTX ranges of their own{}: nothing tells which part of the program launched what.',
            _counted(b.op_count, 'GPU operation', 'GPU operations'), _time_text(b.op_dur_ns),
            CASE s.state WHEN 'not_traced' THEN ', as NVTX was not traced' ELSE '' END),
        MAP {'op_count': CAST(b.op_count AS DOUBLE), 'op_dur_ns': CAST(b.op_dur_ns AS DOUBLE)},
        'Annotate the program: torch.cuda.nvtx.range(), nvtx.annotate(), nvtxRangePush(); or, with an nsys that has it, leave it as it is '
        'and record with --pytorch=autograd-nvtx.'
            || CASE s.state WHEN 'recorded' THEN '' WHEN 'none' THEN '' ELSE ' Trace NVTX: --trace=cuda,nvtx.' END,
        'nvtx_coverage'
    FROM bare AS b
    INNER JOIN active AS a ON a.report_id = b.report_id
    LEFT JOIN trace_states AS s ON s.report_id = b.report_id AND s.source = 'nvtx_ranges'
),

launches AS (
    SELECT c.report_id, c.call_id, c.thread_id, c.start_ns
    FROM api_calls AS c
    INNER JOIN _api_functions AS f ON f.report_id = c.report_id AND f.name = c.name
    WHERE f.is_kernel_launch AND NOT c.is_nested AND c.result = 0
),

captures AS (
    SELECT report_id, thread_id, start_ns, contains(name, 'Begin') AS is_begin
    FROM api_calls
    WHERE name IN ('cudaStreamBeginCapture', 'cudaStreamEndCapture', 'cuStreamBeginCapture', 'cuStreamEndCapture') AND NOT is_nested
),

-- A launch into a graph that is being captured runs nothing.
missing AS (
    SELECT l.report_id, count(*) AS missing_count
    FROM (FROM launches ANTI JOIN _op_calls USING (report_id, call_id)) AS l
    ASOF LEFT JOIN captures AS c
        ON c.report_id = l.report_id AND c.thread_id = l.thread_id AND c.start_ns <= l.start_ns
    WHERE c.is_begin IS NOT TRUE
    GROUP BY l.report_id
),

trace_incomplete AS (
    SELECT
        m.report_id, 'trace_incomplete', r.duration_ns, r.duration_ns,
        format(
            '{:,} of {} without a kernel in the trace{}: GPU times are of what is left.',
            m.missing_count, _counted(n.launch_count, 'kernel launch', 'kernel launches'),
            coalesce(
                format(
                    ' (driver for CUDA {}.{}, {})', r.cuda_driver_version // 1000, r.cuda_driver_version % 1000 // 10,
                    coalesce('recorded by nsys ' || r.capture_version, 'exported by nsys ' || r.export_version, 'nsys unknown')),
                '')),
        MAP {'missing_count': CAST(m.missing_count AS DOUBLE), 'launch_count': CAST(n.launch_count AS DOUBLE)},
        'Record again with an nsys as new as the driver: an older one does not get the kernels from it. If the capture began or '
        'ended in the middle of the work, that is the reason.',
        'coverage'
    FROM missing AS m
    INNER JOIN (SELECT report_id, count(*) AS launch_count FROM launches GROUP BY report_id) AS n USING (report_id)
    INNER JOIN reports AS r USING (report_id)
    WHERE m.missing_count >= greatest(0.05 * n.launch_count, 10)
),

nsys_complains AS (
    SELECT
        report_id, 'nsys_complains', NULL::BIGINT, NULL::BIGINT,
        format(
            'nsys gave {} about this capture; the first: {}',
            concat_ws(
                ' and ',
                CASE WHEN count_if(severity = 'error') > 0 THEN _counted(count_if(severity = 'error'), 'error', 'errors') END,
                CASE WHEN count_if(severity = 'warning') > 0 THEN _counted(count_if(severity = 'warning'), 'warning', 'warnings') END),
            _shortened(arg_min(text, diagnostic_id), 200)),
        MAP {
            'warning_count': CAST(count_if(severity = 'warning') AS DOUBLE),
            'error_count': CAST(count_if(severity = 'error') AS DOUBLE)},
        'Read them before any number of this report.',
        'diagnostics'
    FROM diagnostics
    WHERE severity IN ('warning', 'error')
    GROUP BY report_id
),

graphs_as_one AS (
    SELECT
        g.report_id, 'graph_mode', g.graph_ns, CAST(a.op_dur_ns AS BIGINT),
        format(
            '{} ({} of GPU time) traced as one operation each: the kernels inside have no rows, no names and no families.',
            _counted(g.launch_count, 'launch of a CUDA graph', 'launches of CUDA graphs'), _time_text(g.graph_ns)),
        MAP {'graph_launch_count': CAST(g.launch_count AS DOUBLE), 'graph_ns': CAST(g.graph_ns AS DOUBLE)},
        'Record with --cuda-graph-trace=node to see the kernels inside; it slows the graphs down, so take times from this trace.',
        'graph_launches'
    FROM (
        SELECT report_id, count(*) AS launch_count, CAST(sum(dur_ns) AS BIGINT) AS graph_ns
        FROM graph_launches
        WHERE NOT is_expanded AND start_ns IS NOT NULL
        GROUP BY report_id
    ) AS g
    INNER JOIN active AS a USING (report_id)
),

thin_samples AS (
    SELECT
        s.report_id, 'cpu_samples_thin', NULL::BIGINT, r.duration_ns,
        format(
            '{:,} CPU samples in {}, of all threads together: a part shorter than {} has on average fewer than 30 of them, too few '
            'to say where the time went.', s.sample_count, _time_text(s.span_ns), _time_text(30.0 * s.span_ns / s.sample_count)),
        MAP {'sample_count': CAST(s.sample_count AS DOUBLE), 'span_ns': CAST(s.span_ns AS DOUBLE)},
        'Sample more often for a shorter time: a smaller --sampling-period (Linux on x86 and Arm servers) or a higher '
        '--sampling-frequency (Windows, Jetson), with --duration; nsys profile --help gives the bounds.',
        'cpu_samples'
    FROM (
        SELECT report_id, count(*) AS sample_count, max(time_ns) - min(time_ns) AS span_ns
        FROM cpu_samples
        WHERE is_sample
        GROUP BY report_id
    ) AS s
    INNER JOIN reports AS r USING (report_id)
    WHERE s.sample_count >= 2 AND s.sample_count < s.span_ns / 1000000.0
),

-- If the usual length, as often as there are ranges, fills half of the time from the first to the last, they are a loop; others that repeat are not.
loops AS (
    SELECT
        report_id, folded, count(*) AS step_count, count_if(is_warmup) AS warmup_count, any_value(median_ns) AS median_ns,
        sum(CASE WHEN is_warmup THEN wall_ns - median_ns ELSE 0 END) AS extra_ns, arg_max(name, iteration) FILTER (is_warmup) AS name
    FROM _steps('')
    GROUP BY report_id, thread_id, domain_id, folded
    HAVING
        count_if(is_warmup) > 0
        AND count_if(NOT is_warmup) * any_value(median_ns)
            >= 0.5 * (max(end_ns) FILTER (NOT is_warmup) - min(start_ns) FILTER (NOT is_warmup))
),

warmups AS (
    SELECT
        l.report_id, 'warmup_in_window', CAST(l.extra_ns AS BIGINT), a.active_ns,
        format(
            'The first {}of the {:,} ranges {} took {} more than the usual {}{}: warm-up.',
            CASE l.warmup_count WHEN 1 THEN '' ELSE format('{:,} ', l.warmup_count) END, l.step_count, l.folded,
            _time_text(l.extra_ns), _time_text(l.median_ns), CASE l.warmup_count WHEN 1 THEN '' ELSE ' each' END),
        MAP {
            'warmup_count': CAST(l.warmup_count AS DOUBLE), 'step_count': CAST(l.step_count AS DOUBLE),
            'extra_ns': CAST(l.extra_ns AS DOUBLE), 'median_ns': CAST(l.median_ns AS DOUBLE)},
        format(
            'Leave {0} out of every mean, or start the capture after {1}: cudaProfilerStart() there, with '
            '--capture-range=cudaProfilerApi.', CASE l.warmup_count WHEN 1 THEN 'it' ELSE 'them' END,
            CASE WHEN l.name <> l.folded THEN l.name WHEN l.warmup_count = 1 THEN 'it' ELSE 'them' END),
        'iterations'
    FROM loops AS l
    LEFT JOIN active AS a USING (report_id)
    WHERE l.extra_ns >= 1000000
)

FROM capture_window
UNION ALL
FROM no_nvtx
UNION ALL
FROM trace_incomplete
UNION ALL
FROM nsys_complains
UNION ALL
FROM graphs_as_one
UNION ALL
FROM thin_samples
UNION ALL
FROM warmups
