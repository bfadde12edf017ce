-- How long each report recorded, also where a window of it is looked at: whether something went on to the end is told by it.
--
-- @version 1
-- @grain   report_id
-- @column  report_id   INTEGER id Report.
-- @column  duration_ns BIGINT  ns Length of the recording; NULL if the report does not say.
SELECT f.report_id, max(a.duration) AS duration_ns
FROM nsysql_meta.report_files AS f
LEFT JOIN raw.ANALYSIS_DETAILS AS a ON a.report_id = f.report_id
GROUP BY f.report_id
