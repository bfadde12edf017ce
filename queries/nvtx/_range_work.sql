-- GPU work of each application range: the operations that have no application range further in.
--
-- @version 1
-- @grain   report_id, range_id
-- @column  report_id INTEGER id    Report the row belongs to.
-- @column  range_id  BIGINT  id    Range. One without such operations has no row.
-- @column  op_count  BIGINT  count Operations.
-- @column  op_dur_ns BIGINT  ns    Sum of their lengths.
SELECT
    r.report_id, r.application_range_id AS range_id, count(*) AS op_count, CAST(sum(g.dur_ns) AS BIGINT) AS op_dur_ns
FROM op_ranges AS r
INNER JOIN gpu_ops AS g ON g.report_id = r.report_id AND g.op_id = r.op_id
WHERE r.application_range_id IS NOT NULL
GROUP BY r.report_id, r.application_range_id
