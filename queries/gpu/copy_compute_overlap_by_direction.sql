-- How much of the copying was hidden behind kernels, by direction, per GPU and process.
--
-- As copy_compute_overlap, for the copies of one process in one direction, migrations of unified memory among them: their
-- union, and the part of it in which a kernel of any process ran on the same GPU. Copies in two directions may run at once,
-- so the rows of a GPU do not add up to its copy time. Copies between GPUs (PtoP) stand here by the GPU that copied.
--
-- @version 1
-- @grain   report_id, gpu_id, process_id, direction
-- @needs   memcpys
-- @column  report_id     INTEGER id    Report the row belongs to.
-- @column  gpu_id        INTEGER id(gpus.gpu_id) GPU that copied.
-- @column  process_id    BIGINT  id    Process that asked for it; 0 if not recorded.
-- @column  direction     VARCHAR text  HtoD, DtoH, DtoD, PtoP, ... as in memcpys.
-- @column  copy_op_count BIGINT  count Copies; a batch is one.
-- @column  copy_ns       BIGINT  ns    Time with at least one of them.
-- @column  overlapped_ns BIGINT  ns    Time of it with at least one kernel.
-- @column  exposed_ns    BIGINT  ns    The rest: copies and no kernel.
-- @column  exposed_ratio DOUBLE  ratio exposed_ns of copy_ns; NULL if no time passed.
-- @order   exposed_ns DESC
-- @assert  copy_ns = overlapped_ns + exposed_ns
-- @assert  overlapped_ns >= 0 AND exposed_ns >= 0
-- @assert  exposed_ratio BETWEEN 0 AND 1
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @beware  SELECT report_id, format('{} launches of CUDA graphs were traced as a whole: copies inside them are not known, and they count as kernels',
--          count(*)) FROM graph_launches WHERE NOT is_expanded GROUP BY report_id
-- @example SELECT gpu_id, direction, copy_ns, exposed_ns FROM copy_compute_overlap_by_direction
WITH copies_by_direction AS (
    SELECT
        report_id, {'gpu_id': gpu_id, 'process_id': process_id, 'direction': direction} AS track_id, start_ns, end_ns
    FROM memcpys
    WHERE gpu_id IS NOT NULL
),

stretches AS (
    SELECT report_id, track_id.gpu_id AS track_id, track_id AS interval_id, start_ns, end_ns, interval_count
    FROM interval_union('copies_by_direction')
),

kernels_of_gpu AS (
    SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM gpu_ops WHERE kind IN ('kernel', 'graph_launch')
),

copy_times AS (
    SELECT
        report_id, interval_id,
        CAST(sum(interval_count) AS BIGINT) AS op_count,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS copy_ns
    FROM stretches
    GROUP BY report_id, interval_id
)

SELECT
    report_id,
    interval_id.gpu_id AS gpu_id,
    interval_id.process_id AS process_id,
    interval_id.direction AS direction,
    c.op_count AS copy_op_count,
    c.copy_ns,
    b.covered_ns AS overlapped_ns,
    c.copy_ns - b.covered_ns AS exposed_ns,
    (c.copy_ns - b.covered_ns) / nullif(c.copy_ns, 0) AS exposed_ratio
FROM copy_times AS c
INNER JOIN interval_cover('stretches', 'kernels_of_gpu') AS b USING (report_id, interval_id)
