-- The capture of each report: the stretch of its time axis that is looked at, the whole recording or a window of it.
--
-- Apart from `reports`, which compares the starts of all of them.
--
-- @version 1
-- @grain   report_id
-- @column  report_id   INTEGER id   Report.
-- @column  duration_ns BIGINT  ns   Length of the capture; NULL if the report does not say.
-- @column  start_ns    BIGINT  ns   Start of the capture: 0, or that of the window.
-- @column  end_ns      BIGINT  ns   End of the capture; NULL if the report does not say.
-- @column  is_open     BOOLEAN bool The report does not say how long it recorded.
SELECT f.report_id, max(a.duration) AS duration_ns, 0::BIGINT AS start_ns, max(a.duration) AS end_ns, max(a.duration) IS NULL AS is_open
FROM nsysql_meta.report_files AS f
LEFT JOIN raw.ANALYSIS_DETAILS AS a ON a.report_id = f.report_id
GROUP BY f.report_id
