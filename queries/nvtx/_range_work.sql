-- GPU work of each application range: the operations that have no application range further in.
--
-- @version 1
-- @grain   report_id, range_id
-- @column  report_id INTEGER id    Report the row belongs to.
-- @column  range_id  BIGINT  id    Range. One without such operations has no row.
-- @column  op_count  BIGINT  count Operations.
-- @column  op_dur_ns BIGINT  ns    Sum of their lengths.
SELECT
    report_id, application_range_id AS range_id, count(*) AS op_count, CAST(sum(dur_ns) AS BIGINT) AS op_dur_ns
FROM _op_owners
WHERE application_range_id IS NOT NULL
GROUP BY report_id, application_range_id
