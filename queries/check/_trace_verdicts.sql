-- Verdicts on the trace itself: what it holds too much of, and what it lacks.
--
-- @version 1
-- @grain   report_id, verdict, sentence
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
    FROM gpu_busy
    WHERE op_count > 0
    GROUP BY report_id
),

capture_window AS (
    SELECT
        report_id, 'capture_window' AS verdict, lead_in_ns + tail_ns AS at_stake_ns, capture_ns AS whole_ns,
        format(
            'The GPUs worked in {} of the {} that were recorded: {} passed before the first operation, {} after the last.',
            _time_text(active_ns), _time_text(capture_ns), _time_text(lead_in_ns), _time_text(tail_ns)) AS sentence,
        MAP {
            'lead_in_ns': CAST(lead_in_ns AS DOUBLE), 'active_ns': CAST(active_ns AS DOUBLE), 'tail_ns': CAST(tail_ns AS DOUBLE),
            'capture_ns': CAST(capture_ns AS DOUBLE)} AS evidence,
        format(
            'Record the part that counts: --capture-range=cudaProfilerApi --capture-range-end=stop --kill=none with cudaProfilerStart() '
            'and cudaProfilerStop() around it (torch.cuda.profiler.start()), or --delay={:.0f} --duration={:.0f}.',
            floor(lead_in_ns / 1e9), ceil(active_ns / 1e9)) AS action,
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
            '{:,} GPU operations ({} of work) belong to processes without NVTX ranges of their own{}: nothing tells which part of the '
            'program they are.', b.op_count, _time_text(b.op_dur_ns),
            CASE s.state WHEN 'not_traced' THEN ', as NVTX was not traced' ELSE '' END),
        MAP {'op_count': CAST(b.op_count AS DOUBLE), 'op_dur_ns': CAST(b.op_dur_ns AS DOUBLE)},
        'Annotate the program: torch.cuda.nvtx.range(), nvtx.annotate(), nvtxRangePush(); or without a change --pytorch=autograd-nvtx '
        '(nsys 2024.5 and later). Trace them: --trace=cuda,nvtx.',
        'nvtx_coverage'
    FROM bare AS b
    INNER JOIN active AS a ON a.report_id = b.report_id
    LEFT JOIN trace_states AS s ON s.report_id = b.report_id AND s.source = 'nvtx_ranges'
),

launches AS (
    SELECT c.report_id, c.call_id, c.thread_id, c.start_ns, o.call_id IS NOT NULL AS has_op
    FROM api_calls AS c
    LEFT JOIN (SELECT DISTINCT report_id, call_id FROM _op_calls) AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
    WHERE NOT c.is_nested AND c.result = 0 AND regexp_matches(c.name, '^cu(da)?Launch(Cooperative)?Kernel')
),

captures AS (
    SELECT report_id, thread_id, start_ns, contains(name, 'Begin') AS is_begin
    FROM api_calls
    WHERE name IN ('cudaStreamBeginCapture', 'cudaStreamEndCapture', 'cuStreamBeginCapture', 'cuStreamEndCapture') AND NOT is_nested
),

-- A launch into a graph that is being captured runs nothing.
missing AS (
    SELECT l.report_id, count(*) AS missing_count
    FROM (FROM launches WHERE NOT has_op) AS l
    ASOF LEFT JOIN captures AS c
        ON c.report_id = l.report_id AND c.thread_id = l.thread_id AND c.start_ns <= l.start_ns
    WHERE c.is_begin IS NOT TRUE
    GROUP BY l.report_id
),

trace_incomplete AS (
    SELECT
        m.report_id, 'trace_incomplete', r.duration_ns, r.duration_ns,
        format(
            '{:,} of {:,} kernel launches have no kernel in the trace: GPU times are of what is left{}.',
            m.missing_count, n.launch_count,
            CASE WHEN r.cuda_driver_version IS NOT NULL
                THEN format(
                    ' (driver for CUDA {}.{}, exported by nsys {})', r.cuda_driver_version // 1000,
                    r.cuda_driver_version % 1000 // 10, coalesce(r.export_version, 'unknown'))
                ELSE '' END),
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
        format('nsys gave {} warnings and errors about this capture; the first: {}', count(*), left(arg_min(text, diagnostic_id), 200)),
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
        report_id, 'graph_mode', CAST(sum(dur_ns) AS BIGINT), any_value(a.op_dur_ns)::BIGINT,
        format(
            '{:,} launches of CUDA graphs ({} of GPU time) were traced as one operation each: the kernels in them have no rows, no '
            'names and no families.', count(*), _time_text(sum(dur_ns))),
        MAP {'graph_launch_count': CAST(count(*) AS DOUBLE), 'graph_ns': CAST(sum(dur_ns) AS DOUBLE)},
        'Record with --cuda-graph-trace=node to see the kernels inside; it slows the graphs down, so take times from this trace.',
        'graph_launches'
    FROM graph_launches
    INNER JOIN active AS a USING (report_id)
    WHERE NOT is_expanded AND start_ns IS NOT NULL
    GROUP BY report_id
),

thin_samples AS (
    SELECT
        s.report_id, 'cpu_samples_thin', NULL::BIGINT, r.duration_ns,
        format(
            '{:,} CPU samples in {} of recording: of a part shorter than {} they tell nothing.', s.sample_count,
            _time_text(s.span_ns), _time_text(30.0 * s.span_ns / s.sample_count)),
        MAP {'sample_count': CAST(s.sample_count AS DOUBLE), 'span_ns': CAST(s.span_ns AS DOUBLE)},
        'Sample more often for a shorter time: --sampling-frequency=8000 (or --sampling-period), with --duration.',
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

warmups AS (
    SELECT
        report_id, 'warmup_in_window', CAST(sum(wall_ns - median_ns) AS BIGINT), NULL::BIGINT,
        format(
            'The first {} of the iterations {} are warm-up: they took {} more than usual ({} each).', count(*), folded,
            _time_text(sum(wall_ns - median_ns)), _time_text(any_value(median_ns))),
        MAP {
            'warmup_count': CAST(count(*) AS DOUBLE), 'extra_ns': CAST(sum(wall_ns - median_ns) AS DOUBLE),
            'median_ns': CAST(any_value(median_ns) AS DOUBLE)},
        format('Leave them out of every mean, or start the capture after {}: cudaProfilerStart() there with --capture-range=cudaProfilerApi.',
            arg_max(name, iteration)),
        'iterations'
    FROM _steps('')
    WHERE is_warmup
    GROUP BY report_id, thread_id, domain_id, folded
    HAVING sum(wall_ns - median_ns) >= 1000000
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
