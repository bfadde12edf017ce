-- The innermost push/pop range of a thread and domain from one edge of such a range to the next.
--
-- The row that holds at a time is the last one with edge_ns up to it; range_id is NULL where none is open. A range holds
-- from its start up to, not at, its end.
--
-- @version 1
-- @grain   report_id, thread_id, domain_id, edge_ns
-- @column  report_id INTEGER id Report the row belongs to.
-- @column  thread_id BIGINT  id Thread.
-- @column  domain_id BIGINT  id Domain, unique only within the process.
-- @column  edge_ns   BIGINT  ns Time from which the row holds.
-- @column  range_id  BIGINT  id Innermost range; NULL for none.
WITH ranges AS (
    SELECT
        r.report_id, r.thread_id, r.domain_id, r.range_id, r.start_ns, coalesce(r.end_ns, n.latest_end_ns) AS end_ns,
        n.family_parent_id
    FROM _nvtx_rows AS r
    INNER JOIN _nvtx_nesting AS n USING (report_id, range_id)
    WHERE r.style = 'push_pop' AND NOT n.is_alone AND coalesce(r.end_ns, n.latest_end_ns) > r.start_ns
),

edges AS (
    SELECT report_id, thread_id, domain_id, start_ns AS edge_ns, 1 AS is_start, -end_ns AS outer_first, range_id AS number, range_id
    FROM ranges
    UNION ALL
    SELECT report_id, thread_id, domain_id, end_ns, 0, -start_ns, -range_id, family_parent_id
    FROM ranges
)

-- Of edges at one time the last counts: starts after ends, inner starts after outer ones, outer ends after inner ones.
SELECT report_id, thread_id, domain_id, edge_ns, range_id
FROM edges
QUALIFY lead(edge_ns) OVER (
    PARTITION BY report_id, thread_id, domain_id ORDER BY edge_ns, is_start, outer_first, number) IS DISTINCT FROM edge_ns
