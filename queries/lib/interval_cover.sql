-- How much of each interval is covered by others: the time in it in which at least one of them lasts.
--
-- The others count as their union on the track, in parts where they reach beyond the interval. Intervals that share an id on
-- their track are added up. An end before the start counts as the start; without a start or an end there is no interval.
-- What was covered until a time is the union of the others that had begun by then, less what the last of them to end still
-- has to go; an interval takes that at its end less that at its start. So the whole is one sweep over all bounds
-- of the intervals and of the others that meet any of them.
--
-- @version 1
-- @kind    macro
-- @param   rows        TABLE   -  -   Name of a relation with report_id, track_id, interval_id, start_ns, end_ns.
-- @param   covers      TABLE   -  -   Name of a relation with report_id, track_id, start_ns, end_ns.
-- @column  report_id   INTEGER id     Report, as in rows.
-- @column  track_id    ANY     id     Track, as in rows: whatever the intervals lie on.
-- @column  interval_id ANY     id     Interval, as in rows.
-- @column  covered_ns  BIGINT  ns     Time in it that others cover.
-- @example WITH rows AS (SELECT report_id, gpu_id AS track_id, op_id AS interval_id, start_ns, end_ns FROM memcpys),
--          covers AS (SELECT report_id, gpu_id AS track_id, start_ns, end_ns FROM kernels)
--          SELECT track_id, sum(covered_ns) AS hidden_ns FROM interval_cover('rows', 'covers') GROUP BY ALL
WITH reaches AS (
    SELECT
        report_id, track_id, start_ns,
        max(end_ns) OVER (PARTITION BY report_id, track_id ORDER BY start_ns RANGE UNBOUNDED PRECEDING) AS reached_ns
    FROM query_table(rows)
    WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL
),

met AS (
    SELECT c.report_id, c.track_id, c.start_ns, c.end_ns
    FROM query_table(covers) AS c
    ASOF JOIN reaches AS r ON r.report_id = c.report_id AND r.track_id = c.track_id AND r.start_ns < c.end_ns
    WHERE r.reached_ns > c.start_ns
),

-- change: what a bound does to the time of its interval; NULL for a cover.
bounds AS (
    SELECT report_id, track_id, interval_id, start_ns AS edge_ns, NULL AS cover_end_ns, -1 AS change
    FROM query_table(rows)
    WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL
    UNION ALL
    SELECT report_id, track_id, interval_id, greatest(end_ns, start_ns), NULL, 1
    FROM query_table(rows)
    WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL
    UNION ALL
    SELECT report_id, track_id, NULL, start_ns, end_ns, NULL
    FROM met
),

-- reached_ns: how far the covers go that began before, at least to the bound.
reached AS (
    SELECT
        report_id, track_id, interval_id, edge_ns, cover_end_ns, change,
        greatest(edge_ns, max(cover_end_ns) OVER (
            PARTITION BY report_id, track_id ORDER BY edge_ns, cover_end_ns NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS reached_ns
    FROM bounds
),

swept AS (
    SELECT
        report_id, track_id, interval_id, edge_ns, change, reached_ns,
        sum(greatest(cover_end_ns, reached_ns) - reached_ns) OVER (
            PARTITION BY report_id, track_id ORDER BY edge_ns, cover_end_ns NULLS LAST ROWS UNBOUNDED PRECEDING) AS begun_ns
    FROM reached
)

SELECT
    report_id,
    track_id,
    interval_id,
    CAST(sum(change * (begun_ns - (reached_ns - edge_ns))) AS BIGINT) AS covered_ns
FROM swept
WHERE change IS NOT NULL
GROUP BY report_id, track_id, interval_id
