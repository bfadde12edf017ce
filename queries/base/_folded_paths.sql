-- The path of every NVTX range with the numbers in its names folded (step_*/forward), each path folded once.
--
-- @version 1
-- @grain   report_id, range_id
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  range_id    BIGINT  id   Range.
-- @column  folded_path VARCHAR text Names of it and of the ranges around it, with slashes, numbers as stars.
WITH paths AS MATERIALIZED (
    SELECT report_id, range_id, path FROM _range_paths
),

folded AS (
    SELECT path, folded_name(path) AS folded_path FROM (SELECT DISTINCT path FROM paths)
)

SELECT p.report_id, p.range_id, f.folded_path
FROM paths AS p
INNER JOIN folded AS f ON f.path = p.path
