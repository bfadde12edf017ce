-- Rows of kernels as they are recorded, with the numbers of their names: quicker to group by than the names.
--
-- @version 1
-- @grain   report_id, op_id
-- @column  report_id       INTEGER id Report the row belongs to.
-- @column  op_id           BIGINT  id Kernel, the same number as in kernels.
-- @column  process_id      BIGINT  id Process that launched it; 0 if not recorded.
-- @column  correlation_id  BIGINT  id Number shared with the API call, unique only within the process; NULL for none.
-- @column  start_ns        BIGINT  ns Start on the report's time axis.
-- @column  end_ns          BIGINT  ns End on the report's time axis.
-- @column  dur_ns          BIGINT  ns end_ns - start_ns.
-- @column  full_name_id    BIGINT  id(strings.string_id) Full demangled name.
-- @column  short_name_id   BIGINT  id(strings.string_id) Name without namespaces, template and call arguments.
-- @column  mangled_name_id BIGINT  id(strings.string_id) Mangled name; NULL if not recorded.
SELECT
    report_id,
    _rowid * 8 AS op_id,
    coalesce(globalPid, 0) AS process_id,
    nullif(correlationId, 0) AS correlation_id,
    start AS start_ns,
    "end" AS end_ns,
    "end" - start AS dur_ns,
    demangledName AS full_name_id,
    shortName AS short_name_id,
    mangledName AS mangled_name_id
FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
