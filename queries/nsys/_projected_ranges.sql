-- NVTX ranges that started work on the GPU, each with its projection: the envelope of that work.
--
-- An operation belongs to every range around the call that started it, on the caller's thread. Operations are counted by
-- call: a graph launch is one, and calls that share a number are one.
--
-- @version 1
-- @grain   report_id, range_id
-- @needs   nvtx_ranges
-- @param   like_nsys   VARCHAR '2023.4' text Release whose names to print: 2023.4 or 2025.3.
-- @column  report_id     INTEGER id    Report the row belongs to.
-- @column  range_id      BIGINT  id    Range.
-- @column  range_name    VARCHAR text  Name as printed; NULL if it has none.
-- @column  style         VARCHAR text  PushPop or StartEnd.
-- @column  thread_id     BIGINT  id    Thread that opened it.
-- @column  start_ns      BIGINT  ns    Start of the range.
-- @column  dur_ns        BIGINT  ns    Length of the range.
-- @column  proj_start_ns BIGINT  ns    Start of its first operation.
-- @column  proj_ns       BIGINT  ns    From there to the end of its last operation.
-- @column  op_count      BIGINT  count Calls that started its operations.
-- @column  level         INTEGER count Ranges that it lies in; 0 for none.
-- @column  parent_id     BIGINT  id    Shortest range that it lies in; NULL for none.
-- @column  child_count   BIGINT  count Ranges that it is the parent of and that started work.
WITH started AS (
    SELECT
        c.report_id, c.range_id, min(o.start_ns) AS first_start_ns, max(o.end_ns) AS last_end_ns,
        count(CASE WHEN o.is_first THEN 1 END) AS op_count
    FROM _op_callers AS o
    INNER JOIN _call_ranges AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
    WHERE o.is_only
    GROUP BY c.report_id, c.range_id
    UNION ALL
    SELECT c.report_id, c.range_id, min(o.start_ns), max(o.end_ns), count(DISTINCT o.correlation_id)
    FROM _op_callers AS o
    INNER JOIN _call_ranges AS c ON c.report_id = o.report_id AND c.call_id = o.call_id
    WHERE NOT o.is_only
    GROUP BY c.report_id, c.range_id
),

projected AS (
    SELECT
        a.report_id, a.ancestor_id AS range_id,
        min(s.first_start_ns) AS first_start_ns, max(s.last_end_ns) AS last_end_ns,
        CAST(sum(s.op_count) AS BIGINT) AS op_count
    FROM started AS s
    INNER JOIN _range_ancestors AS a ON a.report_id = s.report_id AND a.range_id = s.range_id
    GROUP BY a.report_id, a.ancestor_id
),

ranges AS (
    SELECT p.*, n.depth, coalesce(n.other_parent_id, n.family_parent_id) AS parent_id
    FROM projected AS p
    INNER JOIN _nvtx_nesting AS n ON n.report_id = p.report_id AND n.range_id = p.range_id
),

children AS (
    SELECT report_id, parent_id AS range_id, count(*) AS child_count
    FROM ranges
    WHERE parent_id IS NOT NULL
    GROUP BY report_id, parent_id
)

SELECT
    p.report_id,
    p.range_id,
    r.range_name,
    r.style,
    r.thread_id,
    r.start_ns,
    r.dur_ns,
    p.first_start_ns AS proj_start_ns,
    p.last_end_ns - p.first_start_ns AS proj_ns,
    p.op_count,
    p.depth AS level,
    p.parent_id,
    coalesce(c.child_count, 0) AS child_count
FROM ranges AS p
INNER JOIN _range_rows(like_nsys := like_nsys, last_of := 'range') AS r
    ON r.report_id = p.report_id AND r.range_id = p.range_id
LEFT JOIN children AS c ON c.report_id = p.report_id AND c.range_id = p.range_id
