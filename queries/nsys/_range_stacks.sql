-- Levels and stacks of the ranges that hold others in a tree of NVTX ranges: the numbers of all ranges from the root to each.
--
-- Most ranges hold none; what is theirs follows from their parent.
--
-- @version 1
-- @kind    macro
-- @param   tree        TABLE   -     - Name of a relation with report_id, range_id, parent_id (NULL for a root).
-- @column  report_id   INTEGER id      Report, as in tree.
-- @column  range_id    BIGINT  id      Range that is the parent of another.
-- @column  level       INTEGER count   Ranges above it; 0 for none.
-- @column  range_stack VARCHAR text    Numbers of the ranges from the root to this one, each behind a colon.
WITH RECURSIVE holders AS MATERIALIZED (
    SELECT t.report_id, t.range_id, t.parent_id
    FROM query_table(tree) AS t
    SEMI JOIN (SELECT DISTINCT report_id, parent_id FROM query_table(tree)) AS p
        ON p.report_id = t.report_id AND p.parent_id = t.range_id
),

above AS (
    SELECT report_id, range_id, 0 AS level, ':' || range_id AS range_stack
    FROM holders
    WHERE parent_id IS NULL
    UNION ALL
    SELECT h.report_id, h.range_id, a.level + 1, a.range_stack || ':' || h.range_id
    FROM above AS a
    INNER JOIN holders AS h ON h.report_id = a.report_id AND h.parent_id = a.range_id
)

SELECT report_id, range_id, level, range_stack
FROM above
