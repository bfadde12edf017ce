-- NVTX ranges as NVIDIA's reports take them: under their printed names, each with an end.
--
-- A range that was left open ends with the capture, as recorded; where no end is recorded it ends with the last NVTX event of
-- the kind that the report looks at.
--
-- @version 1
-- @grain   report_id, range_id
-- @needs   nvtx_ranges
-- @param   like_nsys  VARCHAR '2023.4' text Release whose names to print: 2023.4 or 2025.3.
-- @param   last_of    VARCHAR 'event'  text What ends a range without an end: the last event, range or push_pop range.
-- @column  report_id  INTEGER id   Report the row belongs to.
-- @column  range_id   BIGINT  id   Range, unique within the report.
-- @column  thread_id  BIGINT  id   Thread that opened it.
-- @column  domain_id  BIGINT  id   Domain, unique only within the process.
-- @column  style      VARCHAR text PushPop or StartEnd.
-- @column  range_name VARCHAR text Name as printed; NULL if it has none.
-- @column  start_ns   BIGINT  ns   Start.
-- @column  end_ns     BIGINT  ns   End.
-- @column  dur_ns     BIGINT  ns   end_ns - start_ns.
SELECT
    r.report_id,
    r.range_id,
    r.thread_id,
    r.domain_id,
    CASE r.style WHEN 'push_pop' THEN 'PushPop' ELSE 'StartEnd' END AS style,
    _range_title(d.domain, r.name, like_nsys) AS range_name,
    r.start_ns,
    coalesce(r.recorded_end_ns, r.end_ns, x.end_ns) AS end_ns,
    coalesce(r.recorded_end_ns, r.end_ns, x.end_ns) - r.start_ns AS dur_ns
FROM _nvtx_rows AS r
LEFT JOIN nvtx_domains AS d
    ON d.report_id = r.report_id AND d.process_id = r.process_id AND d.domain_id = r.domain_id
LEFT JOIN _nvtx_extent AS x ON x.report_id = r.report_id AND x.what = last_of
