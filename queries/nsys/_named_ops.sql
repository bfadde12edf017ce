-- Kernels, copies and memsets under the names and categories that NVIDIA's reports give them.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   any of kernels, memcpys, memsets
-- @param   name_form VARCHAR 'demangled' text Form of the kernels' names, as in _named_kernels.
-- @param   has_range BOOLEAN FALSE       bool Name the NVTX range of the launch before the kernel, as in _named_kernels.
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  op_id     BIGINT  id   Operation.
-- @column  category  VARCHAR text CUDA_KERNEL or MEMORY_OPER.
-- @column  name      VARCHAR text Kernel, [CUDA memcpy DIRECTION] or [CUDA memset].
-- @column  dur_ns    BIGINT  ns   Duration.
SELECT report_id, op_id, 'CUDA_KERNEL' AS category, name, dur_ns
FROM _named_kernels(name_form := name_form, has_range := has_range)
UNION ALL
SELECT report_id, op_id, 'MEMORY_OPER', operation, dur_ns
FROM _mem_ops
