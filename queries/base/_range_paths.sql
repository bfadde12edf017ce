-- The path of every NVTX range: names from the outermost range to it, with slashes between.
--
-- @version 1
-- @grain   report_id, range_id
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  range_id  BIGINT  id   Range.
-- @column  path      VARCHAR text Names.
SELECT r.report_id, r.range_id, coalesce(n.parent_path, '') || coalesce(r.name, '') AS path
FROM _nvtx_rows AS r
INNER JOIN _nvtx_nesting AS n ON n.report_id = r.report_id AND n.range_id = r.range_id
