-- What an export lacks of the tables and columns that nsysql reads, and what it has that is not loaded.
--
-- State: absent (the export does not have it; a view shows NULL or no rows), not_loaded (nsysql does not know it), private
-- (never read, for what it may tell about people and machines). An absent table has no rows for its columns. That a table
-- is absent mostly means that nothing happened (trace_states).
--
-- @version 1
-- @grain   report_id, table_name, column_name
-- @column  report_id   INTEGER id    Report the row belongs to.
-- @column  table_name  VARCHAR text  Table of the export.
-- @column  column_name VARCHAR text  Column; NULL if the whole table is meant.
-- @column  state       VARCHAR text  absent, not_loaded or private.
-- @column  row_count   BIGINT  count Rows of the table in the export.
-- @order   report_id, row_count DESC, table_name, column_name
-- @assert  state IN ('absent', 'not_loaded', 'private')
-- @example SELECT table_name, row_count FROM absent WHERE state = 'not_loaded' AND row_count > 0
SELECT report_id, table_name, NULL AS column_name, state, row_count
FROM nsysql_meta.source_tables
WHERE state <> 'loaded'
UNION ALL
SELECT c.report_id, c.table_name, c.column_name, c.state, CAST(sum(t.row_count) AS BIGINT)
FROM (SELECT DISTINCT report_id, table_name, column_name, state FROM nsysql_meta.source_columns WHERE state <> 'present') AS c
INNER JOIN nsysql_meta.source_tables AS t USING (report_id, table_name)
GROUP BY ALL
