-- Every full kernel name with its time, its family, and the rule that said so.
--
-- The first rule whose pattern matches the full name counts: those of the user (--families) in the order of their file, then
-- those that nsysql ships. Patterns are regular expressions of RE2, matched anywhere in the name, with regard to case.
--
-- @version 1
-- @grain   report_id, name
-- @needs   kernels
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  short_name   VARCHAR text  Name without namespaces, template and call arguments.
-- @column  kernel_count BIGINT  count Executions, on all GPUs.
-- @column  dur_ns       BIGINT  ns    Sum of the durations.
-- @column  dur_ratio    DOUBLE  ratio Share of the kernel time of the report.
-- @column  family       VARCHAR text  Family (kernel_families); NULL if no rule matches.
-- @column  operation    VARCHAR text  Kind of work within the family; NULL if the rule does not say.
-- @column  precision    VARCHAR text  Type of the factors of matrix products; NULL if the name does not tell.
-- @column  tensor_cores VARCHAR text  yes, no or unknown.
-- @column  rule_source  VARCHAR text  Whose rule it is, nsysql or own; NULL if no rule matches.
-- @column  rule_line    INTEGER -     Line of the rule in its file; NULL if no rule matches.
-- @column  rule         VARCHAR text  Pattern of the rule; NULL if no rule matches.
-- @column  name         VARCHAR text  Full demangled name.
-- @order   dur_ns DESC
-- @assert  dur_ratio BETWEEN 0 AND 1
-- @assert  (family IS NULL) = (rule IS NULL) AND (rule IS NULL) = (rule_source IS NULL)
-- @example SELECT short_name, family, rule, rule_line FROM kernel_names ORDER BY dur_ns DESC LIMIT 5
SELECT
    report_id,
    min(short_name) AS short_name,
    CAST(sum(kernel_count) AS BIGINT) AS kernel_count,
    CAST(sum(dur_ns) AS BIGINT) AS dur_ns,
    sum(dur_ns) / nullif(sum(sum(dur_ns)) OVER (PARTITION BY report_id), 0) AS dur_ratio,
    min(family) AS family,
    min(operation) AS operation,
    min(precision) AS precision,
    coalesce(min(tensor_cores), 'unknown') AS tensor_cores,
    min(rule_source) AS rule_source,
    min(rule_line) AS rule_line,
    min(rule) AS rule,
    name
FROM _kernel_times
GROUP BY report_id, name
