-- Where intervals of one set meet those of another, if those of each set lie apart from each other.
--
-- One row for every stretch that an interval of a and one of b have in common; a long one meets many. A sweep over the
-- edges: the running sum of the numbers that begin and end is the number of the one that is open.
--
-- @version 1
-- @kind    macro
-- @param   rows_a   TABLE   -  -   Name of a relation with track_id, number (above 0), start_ns, end_ns; apart on a track, they may touch.
-- @param   rows_b   TABLE   -  -   Name of another one.
-- @column  track_id ANY     id     Track, as in both.
-- @column  number_a BIGINT  id     Interval of a.
-- @column  number_b BIGINT  id     Interval of b.
-- @column  start_ns BIGINT  ns     Start of the common stretch.
-- @column  end_ns   BIGINT  ns     End of the common stretch.
-- @example WITH a (track_id, number, start_ns, end_ns) AS (VALUES (1, 1, 0, 10), (1, 2, 10, 30)),
--          b (track_id, number, start_ns, end_ns) AS (VALUES (1, 1, 5, 20))
--          SELECT number_a, number_b, end_ns - start_ns AS dur_ns FROM interval_overlaps('a', 'b') ORDER BY start_ns
WITH edges AS (
    SELECT track_id, start_ns AS edge_ns, number AS change_a, 0 AS change_b FROM query_table(rows_a)
    UNION ALL
    SELECT track_id, end_ns, -number, 0 FROM query_table(rows_a)
    UNION ALL
    SELECT track_id, start_ns, 0, number FROM query_table(rows_b)
    UNION ALL
    SELECT track_id, end_ns, 0, -number FROM query_table(rows_b)
),

stretches AS (
    SELECT
        track_id,
        edge_ns AS start_ns,
        lead(edge_ns) OVER track AS end_ns,
        CAST(sum(change_a) OVER (track ROWS UNBOUNDED PRECEDING) AS BIGINT) AS number_a,
        CAST(sum(change_b) OVER (track ROWS UNBOUNDED PRECEDING) AS BIGINT) AS number_b
    FROM edges
    WINDOW track AS (PARTITION BY track_id ORDER BY edge_ns)
)

SELECT track_id, number_a, number_b, start_ns, end_ns
FROM stretches
WHERE number_a > 0 AND number_b > 0 AND end_ns > start_ns
