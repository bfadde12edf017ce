-- What nsys itself says about the capture: warnings, errors, numbers of collected events.
--
-- Read the warnings and errors before any other result: they tell of events that were lost or never traced. Recorded by
-- nsys from 2024 on. File names in the texts are cut to base names.
--
-- @version 1
-- @grain   report_id, diagnostic_id
-- @window  whole
-- @column  report_id     INTEGER id   Report the row belongs to.
-- @column  diagnostic_id BIGINT  id   Message, unique within the report.
-- @column  severity      VARCHAR text error, warning, info, verbose or unknown.
-- @column  source        VARCHAR text Part of nsys that says it: injection, daemon, analysis or unknown.
-- @column  process_id    BIGINT  id   Process it is about; NULL for the whole capture.
-- @column  time_ns       BIGINT  ns   When it was said, on the report's time axis; NULL if said by the importing host on its own clock.
-- @column  text          VARCHAR text The message.
-- @order   CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, report_id, diagnostic_id
-- @assert  severity IN ('error', 'warning', 'info', 'verbose', 'unknown')
-- @example SELECT severity, text FROM diagnostics WHERE severity IN ('error', 'warning')
SELECT
    report_id,
    _rowid AS diagnostic_id,
    CASE severity WHEN 1 THEN 'info' WHEN 2 THEN 'warning' WHEN 3 THEN 'error' WHEN 4 THEN 'verbose' ELSE 'unknown' END
        AS severity,
    CASE source WHEN 1 THEN 'injection' WHEN 2 THEN 'daemon' WHEN 3 THEN 'analysis' ELSE 'unknown' END AS source,
    CASE WHEN (globalPid >> 24) & 16777215 <> 0 THEN globalPid END AS process_id,
    CASE WHEN timestampType = 1 THEN timestamp END AS time_ns,
    text
FROM raw.DIAGNOSTIC_EVENT
