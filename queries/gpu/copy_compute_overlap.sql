-- How much of each GPU's copying was hidden behind kernels, one row per GPU.
--
-- Copy time and kernel time are unions over all processes, so that copies beside copies and kernels beside kernels count
-- once. Where both ran at once the copy is hidden, the rest of the copy time is exposed: nothing but copies and memsets kept
-- the GPU busy in it. Launches of graphs that were traced as a whole count as kernels; copies inside them are not known. A
-- GPU without any of these has no row. A migration of unified memory that a kernel waits for is hidden in this sense, though
-- it holds the kernel up. copies tells the same of every single copy.
--
-- @version 1
-- @grain   report_id, gpu_id
-- @needs   any of kernels, memcpys, graph_launches
-- @column  report_id       INTEGER id    Report the row belongs to.
-- @column  gpu_id          INTEGER id(gpus.gpu_id) GPU.
-- @column  copy_op_count   BIGINT  count Copies; a batch is one.
-- @column  copy_ns         BIGINT  ns    Time with at least one copy.
-- @column  overlapped_ns   BIGINT  ns    Time of it with at least one kernel.
-- @column  exposed_ns      BIGINT  ns    The rest: copies and no kernel.
-- @column  exposed_ratio   DOUBLE  ratio exposed_ns of copy_ns; NULL without copies.
-- @column  kernel_count    BIGINT  count Kernels, and launches of graphs that were traced as a whole.
-- @column  kernel_ns       BIGINT  ns    Time with at least one of them.
-- @column  kernel_alone_ns BIGINT  ns    Time of it without a copy.
-- @order   exposed_ns DESC
-- @assert  copy_ns = overlapped_ns + exposed_ns
-- @assert  kernel_ns = overlapped_ns + kernel_alone_ns
-- @assert  overlapped_ns >= 0 AND exposed_ns >= 0 AND kernel_alone_ns >= 0
-- @assert  exposed_ratio BETWEEN 0 AND 1
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @beware  SELECT report_id, format('{} launches of CUDA graphs were traced as a whole: copies inside them are not known, and they count as kernels',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT gpu_id, copy_ns, exposed_ns, exposed_ratio FROM copy_compute_overlap
WITH copies_of_gpu AS (
    SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM memcpys WHERE gpu_id IS NOT NULL
),

kernels_of_gpu AS (
    SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM gpu_ops WHERE kind IN ('kernel', 'graph_launch')
),

copy_stretches AS (
    SELECT report_id, track_id, track_id AS interval_id, start_ns, end_ns, interval_count
    FROM interval_union('copies_of_gpu')
),

copy_times AS (
    SELECT report_id, track_id, sum(interval_count) AS op_count, sum(end_ns - start_ns) AS dur_ns
    FROM copy_stretches
    GROUP BY report_id, track_id
),

kernel_times AS (
    SELECT report_id, track_id, interval_count AS op_count, union_ns AS dur_ns FROM interval_union_ns('kernels_of_gpu')
),

measured AS (
    SELECT
        report_id,
        track_id AS gpu_id,
        CAST(coalesce(c.op_count, 0) AS BIGINT) AS copy_op_count,
        CAST(coalesce(c.dur_ns, 0) AS BIGINT) AS copy_ns,
        CAST(coalesce(b.covered_ns, 0) AS BIGINT) AS overlapped_ns,
        CAST(coalesce(k.op_count, 0) AS BIGINT) AS kernel_count,
        CAST(coalesce(k.dur_ns, 0) AS BIGINT) AS kernel_ns
    FROM kernel_times AS k
    FULL JOIN copy_times AS c USING (report_id, track_id)
    LEFT JOIN interval_cover('copy_stretches', 'kernels_of_gpu') AS b USING (report_id, track_id)
)

SELECT
    report_id,
    gpu_id,
    copy_op_count,
    copy_ns,
    overlapped_ns,
    copy_ns - overlapped_ns AS exposed_ns,
    (copy_ns - overlapped_ns) / nullif(copy_ns, 0) AS exposed_ratio,
    kernel_count,
    kernel_ns,
    kernel_ns - overlapped_ns AS kernel_alone_ns
FROM measured
