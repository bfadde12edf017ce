-- Every NVTX range with itself and the ranges of its family that it lies in.
--
-- Over ranges, not over the far more numerous operations: what lies in a range lies in these.
--
-- @version 1
-- @grain   report_id, range_id, ancestor_id
-- @column  report_id   INTEGER id Report the row belongs to.
-- @column  range_id    BIGINT  id Range.
-- @column  ancestor_id BIGINT  id The range itself, or one around it.
WITH RECURSIVE ancestors AS (
    SELECT report_id, range_id, range_id AS ancestor_id, family_parent_id AS next_id
    FROM _nvtx_nesting
    UNION ALL
    SELECT a.report_id, a.range_id, n.range_id, n.family_parent_id
    FROM ancestors AS a
    INNER JOIN _nvtx_nesting AS n ON n.report_id = a.report_id AND n.range_id = a.next_id
)

SELECT report_id, range_id, ancestor_id
FROM ancestors
