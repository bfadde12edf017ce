-- Time in kernels by name, per GPU, with the family of the name.
--
-- @version 1
-- @grain   report_id, gpu_id, name_id
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  gpu_id       INTEGER id(gpus.gpu_id) GPU.
-- @column  name_id      BIGINT  id    Number of the full name; NULL for kernels without one.
-- @column  name         VARCHAR text  Full demangled name.
-- @column  short_name   VARCHAR text  Name without namespaces, template and call arguments.
-- @column  kernel_count BIGINT  count Executions.
-- @column  dur_ns       BIGINT  ns    Sum of the durations.
-- @column  family       VARCHAR text  Family; NULL if no rule matches.
-- @column  operation    VARCHAR text  Kind of work within the family; NULL if the rule does not say.
-- @column  precision    VARCHAR text  Type of the factors of matrix products; NULL if the name does not tell.
-- @column  tensor_cores VARCHAR text  yes, no or unknown.
-- @column  rule         VARCHAR text  Pattern that matched; NULL if none does.
-- @column  rule_source  VARCHAR text  nsysql or own; NULL if no rule matches.
-- @column  rule_line    INTEGER -     Line of the rule in its file; NULL if no rule matches.
WITH times AS (
    SELECT
        report_id,
        gpu_id,
        name_id,
        min(name) AS name,
        min(short_name) AS short_name,
        count(*) AS kernel_count,
        CAST(sum(dur_ns) AS BIGINT) AS dur_ns
    FROM kernels
    GROUP BY report_id, gpu_id, name_id
)

SELECT
    t.*,
    f.family,
    f.operation,
    f.precision,
    coalesce(f.tensor_cores, 'unknown') AS tensor_cores,
    f.rule,
    f.rule_source,
    f.rule_line
FROM times AS t
LEFT JOIN _kernel_families AS f ON f.report_id = t.report_id AND f.name_id = t.name_id
