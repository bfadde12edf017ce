-- The innermost of nested intervals from one edge to the next.
--
-- An interval holds from its start up to, not at, its end. Of edges at one time the last counts: ends before starts, inner
-- ends before outer ones, outer starts before inner ones. One number gives that order, as a sort by more columns takes
-- twice as long: the largest there is minus the length, negative at an end. Intervals with equal bounds have one pair of
-- edges.
--
-- @version 1
-- @kind    macro
-- @param   nested      TABLE   -  -   Name of a relation with track_id, interval_id, start_ns, end_ns (later than start_ns), parent_id (the shortest on the track that holds it, NULL for none), is_twin (whether that one has equal bounds).
-- @column  track_id    ANY     id     Track, as given.
-- @column  start_ns    BIGINT  ns     Edge.
-- @column  end_ns      BIGINT  ns     Next edge of the track.
-- @column  interval_id ANY     id     Innermost interval from one to the other. Times without any have no row.
-- @example WITH nested (track_id, interval_id, start_ns, end_ns, parent_id, is_twin) AS (
--              VALUES (1, 'a', 0, 100, NULL, FALSE), (1, 'b', 20, 50, 'a', FALSE))
--          SELECT start_ns, end_ns, interval_id FROM innermost_intervals('nested') ORDER BY start_ns
WITH twins AS (
    SELECT track_id, parent_id FROM query_table(nested) WHERE is_twin
),

edges AS (
    SELECT n.track_id, n.start_ns AS edge_ns, 9223372036854775807 - (n.end_ns - n.start_ns) AS place, n.interval_id
    FROM query_table(nested) AS n
    ANTI JOIN twins AS t ON t.track_id = n.track_id AND t.parent_id = n.interval_id
    UNION ALL
    SELECT track_id, end_ns, (end_ns - start_ns) - 9223372036854775807, parent_id
    FROM query_table(nested)
    WHERE NOT is_twin
),

spans AS (
    SELECT
        track_id, edge_ns, interval_id,
        lead(edge_ns) OVER (PARTITION BY track_id ORDER BY edge_ns, place) AS next_edge_ns
    FROM edges
)

SELECT track_id, edge_ns AS start_ns, next_edge_ns AS end_ns, interval_id
FROM spans
WHERE next_edge_ns > edge_ns AND interval_id IS NOT NULL
