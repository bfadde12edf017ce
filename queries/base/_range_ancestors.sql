-- Every NVTX range with itself and the ranges of its family that it lies in.
--
-- Over ranges, not over the far more numerous operations: what lies in a range lies in these.
--
-- @version 1
-- @grain   report_id, range_id, ancestor_id
-- @column  report_id   INTEGER id Report the row belongs to.
-- @column  range_id    BIGINT  id Range.
-- @column  ancestor_id BIGINT  id The range itself, or one around it.
WITH RECURSIVE holders AS MATERIALIZED (
    SELECT n.report_id, n.range_id, n.family_parent_id
    FROM _nvtx_nesting AS n
    SEMI JOIN (SELECT DISTINCT report_id, family_parent_id FROM _nvtx_nesting) AS p
        ON p.report_id = n.report_id AND p.family_parent_id = n.range_id
),

ancestors AS (
    SELECT report_id, range_id, range_id AS ancestor_id, family_parent_id AS next_id
    FROM _nvtx_nesting
    UNION ALL
    SELECT a.report_id, a.range_id, h.range_id, h.family_parent_id
    FROM ancestors AS a
    INNER JOIN holders AS h ON h.report_id = a.report_id AND h.range_id = a.next_id
)

SELECT report_id, range_id, ancestor_id
FROM ancestors
