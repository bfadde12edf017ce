-- Verdicts on what the GPUs did, and on how far ahead the CPU was.
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
WITH busy AS (
    SELECT report_id, gpu_id, busy_ns, active_ratio, last_end_ns - first_start_ns AS active_ns
    FROM query_table(busy_gpus)
    WHERE op_count > 0
),

active AS (
    SELECT report_id, sum(active_ns) AS active_ns FROM busy GROUP BY report_id
),

gpu_saturated AS (
    SELECT
        report_id, 'gpu_saturated' AS verdict, busy_ns AS at_stake_ns, active_ns AS whole_ns,
        format(
            'GPU {} was busy for {:.1f} % of its active time: the CPU keeps up, what counts are the kernels.', gpu_id,
            100 * active_ratio) AS sentence,
        MAP {'busy_ns': CAST(busy_ns AS DOUBLE), 'active_ns': CAST(active_ns AS DOUBLE)} AS evidence,
        'Look at the kernels that take the time, and whether they use tensor cores.' AS action,
        'kernel_sum' AS view_name
    FROM busy
    WHERE active_ratio >= 0.95 AND busy_ns >= 1000000
),

matrix_work AS (
    SELECT report_id, gpu_id, sum(dur_ns) AS dur_ns, sum(kernel_count) AS kernel_count
    FROM kernel_families
    WHERE family = 'gemm' AND precision = 'fp32' AND tensor_cores = 'no'
    GROUP BY report_id, gpu_id
),

fp32_matrix_work AS (
    SELECT
        m.report_id, 'fp32_gemm_off_tensor_cores', CAST(m.dur_ns AS BIGINT), b.active_ns,
        format(
            '{} of matrix products on GPU {} ({:.1f} % of its kernel time) are FP32 without tensor cores.', _time_text(m.dur_ns),
            m.gpu_id, 100 * m.dur_ns / k.dur_ns),
        MAP {
            'gemm_ns': CAST(m.dur_ns AS DOUBLE), 'kernel_ns': CAST(k.dur_ns AS DOUBLE),
            'kernel_count': CAST(m.kernel_count AS DOUBLE)},
        'If the precision suffices: TF32 on Ampere and later (torch.set_float32_matmul_precision("high"), cublasSetMathMode), or '
        'BF16 or FP16 (torch.autocast).',
        'tensor_core_use'
    FROM matrix_work AS m
    INNER JOIN (SELECT report_id, gpu_id, sum(dur_ns) AS dur_ns FROM kernel_families GROUP BY ALL) AS k
        ON k.report_id = m.report_id AND k.gpu_id = m.gpu_id
    INNER JOIN busy AS b ON b.report_id = m.report_id AND b.gpu_id = m.gpu_id
    WHERE m.dur_ns >= 0.05 * k.dur_ns
),

-- A call may make several copies.
pageable_by_call AS (
    SELECT
        m.report_id, m.direction, count(*) AS copy_count, sum(m.size_bytes) AS size_bytes, sum(m.dur_ns) AS copy_ns,
        any_value(c.dur_ns) AS call_ns
    FROM memcpys AS m
    LEFT JOIN _op_calls AS o ON o.report_id = m.report_id AND o.op_id = m.op_id
    LEFT JOIN _api_rows AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
    WHERE CASE m.direction WHEN 'HtoD' THEN m.src_kind WHEN 'DtoH' THEN m.dst_kind END = 'pageable'
    GROUP BY m.report_id, m.direction, o.call_id
),

pageable AS (
    SELECT
        report_id, direction, CAST(sum(copy_count) AS BIGINT) AS copy_count, sum(size_bytes) AS size_bytes,
        sum(copy_ns) AS copy_ns, sum(call_ns) AS call_ns
    FROM pageable_by_call
    GROUP BY report_id, direction
),

pageable_copies AS (
    SELECT
        p.report_id, 'pageable_copies', CAST(greatest(p.call_ns, p.copy_ns) AS BIGINT), CAST(a.active_ns AS BIGINT),
        format(
            '{} {} pageable host memory ({}): {} on the GPU, {}.', _counted(p.copy_count, 'copy', 'copies'),
            CASE p.direction WHEN 'HtoD' THEN 'from' ELSE 'to' END, _size_text(p.size_bytes),
            _time_text(p.copy_ns),
            coalesce(_time_text(p.call_ns) || ' in the calls, with what they waited for', 'the calls were not recorded')),
        MAP {
            'copy_count': CAST(p.copy_count AS DOUBLE), 'size_bytes': CAST(p.size_bytes AS DOUBLE),
            'copy_ns': CAST(p.copy_ns AS DOUBLE), 'call_ns': CAST(coalesce(p.call_ns, 0) AS DOUBLE)},
        CASE
            WHEN p.size_bytes < 65536 * p.copy_count
                THEN 'They are small: copy them together or less often; pinned memory (cudaHostAlloc, pin_memory=True) helps them little.'
            ELSE 'Pin the host memory: DataLoader(pin_memory=True) with non_blocking=True, cudaHostAlloc, cudaHostRegister.'
        END,
        'copies'
    FROM pageable AS p
    INNER JOIN active AS a USING (report_id)
    WHERE p.copy_count >= 10 AND greatest(p.call_ns, p.copy_ns) >= 0.002 * a.active_ns
),

exposed AS (
    SELECT
        c.report_id, 'exposed_communication', c.exposed_ns, b.active_ns,
        format(
            'GPU {} communicated for {} with no compute beside it ({:.1f} % of its active time, {:.0f} % of its communication).',
            c.gpu_id, _time_text(c.exposed_ns), 100 * c.exposed_ns / b.active_ns, 100 * c.exposed_ratio),
        MAP {
            'exposed_ns': CAST(c.exposed_ns AS DOUBLE), 'comm_ns': CAST(c.comm_ns AS DOUBLE),
            'compute_ns': CAST(c.compute_ns AS DOUBLE)},
        'See whether a rank comes late, as a collective waits for the last one, before tuning the network; then overlap: smaller buckets '
        '(bucket_cap_mb of DDP), communication on a stream of its own.',
        'comm_overlap'
    FROM comm_overlap AS c
    INNER JOIN busy AS b ON b.report_id = c.report_id AND b.gpu_id = c.gpu_id
    WHERE c.exposed_ns >= 0.01 * b.active_ns
),

-- Only such calls may be queue_full.
long_launches AS (
    FROM api_calls WHERE dur_ns >= 100000 AND _api_kind(name) = 'launch'
),

queue_full AS (
    SELECT
        report_id, 'queue_full', wait_ns, NULL::BIGINT,
        format(
            '{} took {}, as the queue of a busy GPU was full: good news, the CPU is far enough ahead.',
            _counted(launch_count, 'launch', 'launches'), _time_text(wait_ns)),
        MAP {'launch_count': CAST(launch_count AS DOUBLE), 'wait_ns': CAST(wait_ns AS DOUBLE)},
        'Nothing: a long launch is no cost here.',
        'api_hw_overlap'
    FROM (
        SELECT report_id, count(*) AS launch_count, CAST(sum(dur_ns) AS BIGINT) AS wait_ns
        FROM _busy_in_calls('long_launches')
        WHERE class = 'queue_full' AND NOT is_nested
        GROUP BY report_id
    )
    WHERE wait_ns >= 1000000
)

FROM gpu_saturated
UNION ALL
FROM fp32_matrix_work
UNION ALL
FROM pageable_copies
UNION ALL
FROM exposed
UNION ALL
FROM queue_full
