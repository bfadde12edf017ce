-- Rows of the table of the profiler's own work as they are recorded.
--
-- For the views that equal NVIDIA's reports.
--
-- @version 1
-- @grain   report_id, overhead_id
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  overhead_id BIGINT  id   Row, unique within the report.
-- @column  process_id  BIGINT  id   Process in which the profiler worked; 0 if not recorded.
-- @column  name        VARCHAR text What the profiler did, in its own words.
-- @column  start_ns    BIGINT  ns   Start on the report's time axis.
-- @column  end_ns      BIGINT  ns   End on the report's time axis.
SELECT
    o.report_id,
    o._rowid AS overhead_id,
    coalesce(o.globalTid & (-16777216)::BIGINT, 0) AS process_id,
    n.value AS name,
    o.start AS start_ns,
    o.end AS end_ns
FROM raw.PROFILER_OVERHEAD AS o
LEFT JOIN raw.StringIds AS n ON n.report_id = o.report_id AND n.id = o.nameId
