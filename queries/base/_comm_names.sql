-- Names of kernels that communicate between GPUs: collectives, and send and receive.
--
-- By the function's own name, whatever its namespaces: NCCL and RCCL, NVSHMEM, dispatch and combine of DeepEP, the custom
-- all-reduces of inference servers (cross_device_reduce, one-shot and two-shot, fused with a norm), multimem kernels, and
-- the user buffers of Transformer Engine. What merely has such a word among its arguments, or prepares an exchange, is none.
--
-- @version 1
-- @grain   report_id, name_id
-- @column  report_id INTEGER id Report the row belongs to.
-- @column  name_id   BIGINT  id Number of the full name (kernels.name_id).
SELECT k.report_id, k.name_id
FROM (
    SELECT DISTINCT report_id, coalesce(demangledName, shortName) AS name_id
    FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
) AS k
INNER JOIN raw.StringIds AS s ON s.report_id = k.report_id AND s.id = k.name_id
WHERE regexp_matches(
    s.value,
    '^(?:void )?(?:(?:\w+|\(anonymous namespace\)|<unnamed>)::)*'
    || '(?:nccl\w*Kernel|mscclKernel|nvshmem|cross_device_reduce|k?userbuffers_|multimem_|'
    || '(?i:\w*(?:one|two)_?shot_?all_?reduce|\w*all_?reduce_fusion|hybridCubeMeshAllReduce))'
    || '|^(?:void )?deep_ep::\w+::(?:cached_)?(?:notify_)?(?:dispatch|combine)')
