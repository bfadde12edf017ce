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
WITH ordered AS (
    SELECT
        report_id, track_id, start_ns,
        row_number() OVER (PARTITION BY report_id, track_id ORDER BY start_ns) AS place,
        max(greatest(end_ns, start_ns)) OVER (
            PARTITION BY report_id, track_id ORDER BY start_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered_until_ns,
        count(*) OVER (PARTITION BY report_id, track_id) AS last_place,
        max(greatest(end_ns, start_ns)) OVER (PARTITION BY report_id, track_id) AS last_end_ns
    FROM query_table(rows)
    WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL
)

-- Of the first intervals of the stretches, each ends what the one before it began.
SELECT
    report_id,
    track_id,
    start_ns,
    coalesce(lead(covered_until_ns) OVER track, last_end_ns) AS end_ns,
    coalesce(lead(place) OVER track, last_place + 1) - place AS interval_count
FROM ordered
WHERE coalesce(start_ns > covered_until_ns, TRUE)
WINDOW track AS (PARTITION BY report_id, track_id ORDER BY start_ns)
