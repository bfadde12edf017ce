-- Copies and memsets under the names that NVIDIA's reports give them.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   any of memcpys, memsets
-- @column  report_id  INTEGER id    Report the row belongs to.
-- @column  op_id      BIGINT  id    Operation.
-- @column  operation  VARCHAR text  [CUDA memcpy DIRECTION] or [CUDA memset].
-- @column  dur_ns     BIGINT  ns    Duration.
-- @column  size_bytes BIGINT  bytes Bytes copied or filled.
SELECT report_id, op_id, '[CUDA memcpy ' || label || ']' AS operation, dur_ns, size_bytes
FROM memcpys
WHERE label IS NOT NULL
UNION ALL
SELECT report_id, op_id, '[CUDA memset]', dur_ns, size_bytes
FROM memsets
