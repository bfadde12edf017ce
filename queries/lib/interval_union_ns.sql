-- Length of the union of intervals: the time in which at least one of them lasts, one row per track.
--
-- What interval_union gives summed up, without the stretches: each interval adds what lies behind the latest end so far. An
-- end before the start counts as the start; without a start or an end there is no interval.
--
-- @version 1
-- @kind    macro
-- @param   rows           TABLE   -  -     Name of a relation with report_id, track_id, start_ns, end_ns.
-- @column  report_id      INTEGER id       Report, as in rows.
-- @column  track_id       ANY     id       Track, as in rows: whatever the intervals lie on.
-- @column  interval_count BIGINT  count    Intervals.
-- @column  union_ns       BIGINT  ns       Time in which at least one lasts.
-- @example WITH rows AS (SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM gpu_ops) SELECT track_id, union_ns AS busy_ns FROM interval_union_ns('rows')
WITH ordered AS (
    SELECT
        report_id, track_id, start_ns, end_ns,
        max(greatest(end_ns, start_ns)) OVER (
            PARTITION BY report_id, track_id ORDER BY start_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered_until_ns
    FROM query_table(rows)
    WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL
)

SELECT
    report_id,
    track_id,
    count(*) AS interval_count,
    CAST(sum(greatest(end_ns - greatest(start_ns, covered_until_ns), 0)) AS BIGINT) AS union_ns
FROM ordered
GROUP BY report_id, track_id
