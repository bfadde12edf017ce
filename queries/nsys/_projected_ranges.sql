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
WITH innermost AS (
    SELECT
        c.report_id, c.range_id, o.correlation_id,
        min(o.first_start_ns) AS first_start_ns, max(o.last_end_ns) AS last_end_ns
    FROM _call_ranges AS c
    INNER JOIN _call_ops AS o USING (report_id, call_id)
    GROUP BY ALL
),

started AS (
    SELECT
        report_id, range_id,
        min(first_start_ns) AS first_start_ns, max(last_end_ns) AS last_end_ns, count(*) AS op_count
    FROM innermost
    GROUP BY ALL
),

projected AS (
    SELECT
        a.report_id, a.ancestor_id AS range_id,
        min(s.first_start_ns) AS first_start_ns, max(s.last_end_ns) AS last_end_ns,
        CAST(sum(s.op_count) AS BIGINT) AS op_count
    FROM started AS s
    INNER JOIN _range_ancestors AS a USING (report_id, range_id)
    GROUP BY ALL
),

ranges AS (
    SELECT p.*, n.depth, coalesce(n.other_parent_id, n.family_parent_id) AS parent_id
    FROM projected AS p
    INNER JOIN _nvtx_nesting AS n USING (report_id, range_id)
),

children AS (
    SELECT report_id, parent_id AS range_id, count(*) AS child_count
    FROM ranges
    WHERE parent_id IS NOT NULL
    GROUP BY ALL
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
INNER JOIN _range_rows(like_nsys := like_nsys, last_of := 'range') AS r USING (report_id, range_id)
LEFT JOIN children AS c USING (report_id, range_id)
