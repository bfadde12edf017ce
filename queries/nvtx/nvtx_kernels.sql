-- Which kernels run in which NVTX range: time and count by path and kernel.
--
-- A kernel belongs to the innermost range around its launch (op_ranges), so that every kernel is in one row and the rows add
-- up to the kernels of gpu_ops. Numbers in the names of ranges are folded (step_*/forward); a path of NULL is work outside of
-- all ranges.
--
-- @version 1
-- @grain   report_id, process_id, gpu_id, nvtx_path, name
-- @needs   kernels
-- @column  report_id       INTEGER id              Report the row belongs to.
-- @column  process_id      BIGINT  id              Process that launched.
-- @column  gpu_id          INTEGER id(gpus.gpu_id) GPU.
-- @column  nvtx_path       VARCHAR text            Names of the ranges from the outermost to the innermost, with slashes, numbers as stars; NULL for none.
-- @column  short_name      VARCHAR text            Kernel without namespaces and arguments.
-- @column  kernel_count    BIGINT  count           Kernels.
-- @column  dur_ns          BIGINT  ns              Sum of their lengths.
-- @column  path_ratio      DOUBLE  ratio           dur_ns of the kernel time of the path.
-- @column  gpu_ratio       DOUBLE  ratio           dur_ns of the kernel time of the process on the GPU.
-- @column  mean_ns         DOUBLE  ns              Mean length.
-- @column  min_ns          BIGINT  ns              Shortest.
-- @column  max_ns          BIGINT  ns              Longest.
-- @column  process_op_count BIGINT count           Of them launched by another thread than opened the range.
-- @column  name            VARCHAR text            Full demangled name.
-- @order   dur_ns DESC
-- @assert  process_op_count <= kernel_count
-- @assert  path_ratio BETWEEN 0 AND 1
-- @assert  min_ns <= mean_ns AND mean_ns <= max_ns
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT nvtx_path, short_name, kernel_count, dur_ns FROM nvtx_kernels ORDER BY dur_ns DESC LIMIT 10
WITH by_path AS (
    SELECT
        k.report_id, k.process_id, k.gpu_id, p.folded_path, k.name_id,
        count(*) AS kernel_count, sum(k.dur_ns) AS dur_ns, min(k.dur_ns) AS min_ns, max(k.dur_ns) AS max_ns,
        count(CASE WHEN r.via = 'process' THEN 1 END) AS process_op_count, min(k.op_id) AS op_id
    FROM _kernel_ops AS k
    INNER JOIN op_ranges AS r ON r.report_id = k.report_id AND r.op_id = k.op_id
    LEFT JOIN _folded_paths AS p ON p.report_id = r.report_id AND p.range_id = r.range_id
    GROUP BY k.report_id, k.process_id, k.gpu_id, p.folded_path, k.name_id
)

SELECT
    b.report_id,
    b.process_id,
    b.gpu_id,
    b.folded_path AS nvtx_path,
    k.short_name,
    b.kernel_count,
    CAST(b.dur_ns AS BIGINT) AS dur_ns,
    b.dur_ns / nullif(sum(b.dur_ns) OVER (PARTITION BY b.report_id, b.process_id, b.gpu_id, b.folded_path), 0) AS path_ratio,
    b.dur_ns / nullif(sum(b.dur_ns) OVER (PARTITION BY b.report_id, b.process_id, b.gpu_id), 0) AS gpu_ratio,
    b.dur_ns / b.kernel_count AS mean_ns,
    b.min_ns,
    b.max_ns,
    b.process_op_count,
    k.name
FROM by_path AS b
INNER JOIN kernels AS k ON k.report_id = b.report_id AND k.op_id = b.op_id
