-- The family of every kernel name of a report: what the first rule says that matches the full name.
--
-- Rules are those of kernel_families.csv, behind those that the user gave with --families.
--
-- @version 1
-- @grain   report_id, name_id
-- @column  report_id    INTEGER id   Report the row belongs to.
-- @column  name_id      BIGINT  id   Number of the name: kernels.name_id.
-- @column  family       VARCHAR text Family; NULL if no rule matches.
-- @column  operation    VARCHAR text Kind of work within the family; NULL if the rule does not say.
-- @column  precision    VARCHAR text Type of the factors of matrix products; NULL if the name does not tell.
-- @column  tensor_cores VARCHAR text yes, no or unknown.
-- @column  rule         VARCHAR text Pattern that matched; NULL if none does.
-- @column  rule_source  VARCHAR text nsysql or own; NULL if no rule matches.
-- @column  rule_line    INTEGER -    Line of the rule in its file; NULL if no rule matches.
SELECT
    report_id,
    name_id,
    family,
    operation,
    precision,
    coalesce(tensor_cores, 'unknown') AS tensor_cores,
    pattern AS rule,
    CASE WHEN is_own THEN 'own' WHEN NOT is_own THEN 'nsysql' END AS rule_source,
    line AS rule_line
FROM nsysql_meta.kernel_names
