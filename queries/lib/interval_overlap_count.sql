-- How many intervals are open at a time: stretches with a constant number of open intervals, one after the other.
--
-- From the first start to the last end of a track, holes between intervals included with count 0. Intervals of
-- length 0 cover no time and are not seen.
--
-- @version 1
-- @kind    macro
-- @param   rows          TABLE   -  -    Name of a relation with report_id, track_id, start_ns, end_ns.
-- @column  report_id     INTEGER id      Report, as in rows.
-- @column  track_id      ANY     id      Track, as in rows: whatever the intervals lie on.
-- @column  start_ns      BIGINT  ns      Start of the stretch.
-- @column  end_ns        BIGINT  ns      End of the stretch.
-- @column  overlap_count BIGINT  count   Intervals open during the whole stretch.
-- @example WITH rows AS (SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM gpu_ops) SELECT overlap_count, sum(end_ns - start_ns) AS dur_ns FROM interval_overlap_count('rows') GROUP BY ALL
WITH given AS (
    SELECT report_id, track_id, start_ns, end_ns
    FROM query_table(rows)
    WHERE end_ns > start_ns
),

edges AS (
    SELECT report_id, track_id, edge_ns, sum(change) AS change
    FROM (
        SELECT report_id, track_id, start_ns AS edge_ns, 1 AS change FROM given
        UNION ALL
        SELECT report_id, track_id, end_ns, -1 FROM given
    )
    GROUP BY report_id, track_id, edge_ns
)

SELECT report_id, track_id, edge_ns AS start_ns, next_edge_ns AS end_ns, overlap_count
FROM (
    SELECT
        report_id, track_id, edge_ns,
        lead(edge_ns) OVER (PARTITION BY report_id, track_id ORDER BY edge_ns) AS next_edge_ns,
        CAST(sum(change) OVER (PARTITION BY report_id, track_id ORDER BY edge_ns ROWS UNBOUNDED PRECEDING) AS BIGINT)
            AS overlap_count
    FROM edges
)
WHERE next_edge_ns IS NOT NULL
