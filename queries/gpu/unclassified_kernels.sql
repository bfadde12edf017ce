-- Kernel names that no rule sorts into a family, those that take most time first: what own rules are worth writing for.
--
-- kernel_names without those that have a family; a rule in a file of your own, `nsysql ingest --families FILE`, sorts them.
--
-- @version 1
-- @grain   report_id, name
-- @needs   kernels
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  short_name   VARCHAR text  Name without namespaces, template and call arguments.
-- @column  kernel_count BIGINT  count Executions, on all GPUs.
-- @column  dur_ns       BIGINT  ns    Sum of the durations.
-- @column  dur_ratio    DOUBLE  ratio Share of the kernel time of the report, of all kernels.
-- @column  name         VARCHAR text  Full demangled name.
-- @order   dur_ns DESC
-- @assert  dur_ratio BETWEEN 0 AND 1
-- @example SELECT name, dur_ratio FROM unclassified_kernels ORDER BY dur_ns DESC LIMIT 5
SELECT report_id, short_name, kernel_count, dur_ns, dur_ratio, name
FROM kernel_names
WHERE family IS NULL
