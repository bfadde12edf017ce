-- Union of intervals: the stretches covered by at least one of them.
--
-- Touching intervals merge, an interval of length 0 counts. Intervals of different reports or tracks never meet. An end
-- before the start counts as the start.
--
-- @version 1
-- @kind    macro
-- @param   rows           TABLE   -  -     Name of a relation with report_id, track_id, start_ns, end_ns.
-- @column  report_id      INTEGER id       Report, as in rows.
-- @column  track_id       ANY     id       Track, as in rows: whatever the intervals lie on.
-- @column  start_ns       BIGINT  ns       Start of the covered stretch.
-- @column  end_ns         BIGINT  ns       End of the covered stretch.
-- @column  interval_count BIGINT  count    Intervals in it.
-- @example WITH rows AS (SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM gpu_ops) SELECT track_id, sum(end_ns - start_ns) AS busy_ns FROM interval_union('rows') GROUP BY ALL
SELECT
    report_id,
    track_id,
    min(start_ns) AS start_ns,
    max(greatest(end_ns, start_ns)) AS end_ns,
    count(*) AS interval_count
FROM (
    SELECT
        report_id, track_id, start_ns, end_ns,
        sum(CASE WHEN is_first THEN 1 ELSE 0 END) OVER (
            PARTITION BY report_id, track_id ORDER BY start_ns, end_ns ROWS UNBOUNDED PRECEDING) AS stretch
    FROM (
        SELECT
            report_id, track_id, start_ns, end_ns,
            start_ns > max(greatest(end_ns, start_ns)) OVER (
                PARTITION BY report_id, track_id ORDER BY start_ns, end_ns
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS is_first
        FROM query_table(rows)
        WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL
    )
)
GROUP BY report_id, track_id, stretch
