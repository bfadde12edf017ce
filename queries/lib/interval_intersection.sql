-- Intersection of two sets of intervals: the stretches covered by both.
--
-- Each set counts as its union, so a stretch is given once however many intervals cover it. Stretches that only touch
-- do not intersect. For questions of your own: which copies ran beside which kernels, say.
--
-- @version 1
-- @kind    macro
-- @param   rows_a    TABLE   -  -   Name of a relation with report_id, track_id, start_ns, end_ns.
-- @param   rows_b    TABLE   -  -   Name of another one.
-- @column  report_id INTEGER id     Report, as in both.
-- @column  track_id  ANY     id     Track, as in both.
-- @column  start_ns  BIGINT  ns     Start of the common stretch.
-- @column  end_ns    BIGINT  ns     End of the common stretch.
-- @example WITH a AS (SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM kernels), b AS (SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM memcpys) SELECT track_id, sum(end_ns - start_ns) AS overlap_ns FROM interval_intersection('a', 'b') GROUP BY ALL
WITH given AS (
    SELECT report_id, track_id, start_ns, end_ns, 1 AS in_a, 0 AS in_b
    FROM query_table(rows_a)
    WHERE end_ns > start_ns
    UNION ALL
    SELECT report_id, track_id, start_ns, end_ns, 0, 1
    FROM query_table(rows_b)
    WHERE end_ns > start_ns
),

edges AS (
    SELECT report_id, track_id, edge_ns, sum(change_a) AS change_a, sum(change_b) AS change_b
    FROM (
        SELECT report_id, track_id, start_ns AS edge_ns, in_a AS change_a, in_b AS change_b FROM given
        UNION ALL
        SELECT report_id, track_id, end_ns, -in_a, -in_b FROM given
    )
    GROUP BY report_id, track_id, edge_ns
),

stretches AS (
    SELECT
        report_id, track_id, edge_ns AS start_ns,
        lead(edge_ns) OVER edges_of_track AS end_ns,
        sum(change_a) OVER (edges_of_track ROWS UNBOUNDED PRECEDING) > 0
        AND sum(change_b) OVER (edges_of_track ROWS UNBOUNDED PRECEDING) > 0 AS is_common
    FROM edges
    WINDOW edges_of_track AS (PARTITION BY report_id, track_id ORDER BY edge_ns)
),

grouped AS (
    SELECT
        report_id, track_id, start_ns, end_ns, is_common,
        sum(CASE WHEN is_common THEN 0 ELSE 1 END) OVER (
            PARTITION BY report_id, track_id ORDER BY start_ns ROWS UNBOUNDED PRECEDING) AS stretch
    FROM stretches
)

SELECT report_id, track_id, min(start_ns) AS start_ns, max(end_ns) AS end_ns
FROM grouped
WHERE is_common
GROUP BY report_id, track_id, stretch
