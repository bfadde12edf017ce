-- Kernels on GPUs that communicate: which are communication, which compute.
--
-- Compute is every kernel that is no communication, and every launch of a graph that was traced as a whole, whatever it
-- holds.
--
-- @version 1
-- @grain   report_id, op_id
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  op_id     BIGINT  id   Kernel or graph launch.
-- @column  gpu_id    INTEGER id   GPU, one that ran a communication kernel.
-- @column  start_ns  BIGINT  ns   Start.
-- @column  end_ns    BIGINT  ns   End.
-- @column  is_comm   BOOLEAN bool Communication; else compute.
WITH comm AS (
    SELECT k.report_id, k.op_id, k.gpu_id
    FROM _kernel_ops AS k
    SEMI JOIN (FROM _kernel_families WHERE family = 'collective') AS n ON n.report_id = k.report_id AND n.name_id = k.name_id
),

gpus_with_comm AS (
    SELECT DISTINCT report_id, gpu_id FROM comm
)

SELECT o.report_id, o.op_id, o.gpu_id, o.start_ns, o.end_ns, c.op_id IS NOT NULL AS is_comm
FROM gpu_ops AS o
SEMI JOIN gpus_with_comm AS g ON g.report_id = o.report_id AND g.gpu_id = o.gpu_id
LEFT JOIN comm AS c ON c.report_id = o.report_id AND c.op_id = o.op_id
WHERE o.kind IN ('kernel', 'graph_launch')
