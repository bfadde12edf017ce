-- Gaps between intervals: the stretches between the first start and the last end that none of them covers.
--
-- Touching intervals leave no gap. What lies before the first and after the last interval is no gap here.
--
-- @version 1
-- @kind    macro
-- @param   rows      TABLE   -  -   Name of a relation with report_id, track_id, start_ns, end_ns.
-- @column  report_id INTEGER id     Report, as in rows.
-- @column  track_id  ANY     id     Track, as in rows: whatever the intervals lie on.
-- @column  start_ns  BIGINT  ns     Start of the gap.
-- @column  end_ns    BIGINT  ns     End of the gap.
-- @example WITH rows AS (SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM gpu_ops) SELECT track_id, max(end_ns - start_ns) AS longest_ns FROM interval_gaps('rows') GROUP BY ALL
SELECT report_id, track_id, covered_until_ns AS start_ns, start_ns AS end_ns
FROM (
    SELECT
        report_id, track_id, start_ns,
        max(greatest(end_ns, start_ns)) OVER (
            PARTITION BY report_id, track_id ORDER BY start_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered_until_ns
    FROM query_table(rows)
    WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL
)
WHERE start_ns > covered_until_ns
