-- Which intervals hold which others: every pair in which one has both bounds of the other, ends included.
--
-- The holders may cross each other in any way. They are found by size: a holder of up to 2^n ns begins in the bucket of 2^n ns
-- in which what it holds begins, or in the one before. That is one lookup per size, whatever the number of holders; the
-- number of pairs is what it costs.
--
-- @version 1
-- @kind    macro
-- @param   held      TABLE   -  -   Name of a relation with report_id, track_id, held_id, start_ns, end_ns.
-- @param   holders   TABLE   -  -   Name of a relation with report_id, track_id, holder_id, start_ns, end_ns.
-- @column  report_id INTEGER id     Report, as in both.
-- @column  held_id   ANY     id     The interval that is held.
-- @column  holder_id ANY     id     One that holds it; itself too, if it is in both.
-- @example WITH held AS (SELECT report_id, thread_id AS track_id, range_id AS held_id, start_ns, end_ns FROM nvtx_ranges),
--          holders AS (SELECT report_id, track_id, held_id AS holder_id, start_ns, end_ns FROM held)
--          SELECT held_id, count(*) AS holder_count FROM interval_holders('held', 'holders') GROUP BY ALL
WITH sized AS (
    SELECT
        report_id, track_id, holder_id, start_ns, end_ns,
        CAST(ceil(log2(end_ns - start_ns + 1)) AS INTEGER) AS size
    FROM query_table(holders)
    WHERE end_ns >= start_ns
),

sizes AS (
    SELECT DISTINCT report_id, track_id, size FROM sized
),

buckets AS (
    SELECT *, start_ns >> size AS bucket FROM sized
    UNION ALL
    SELECT *, (start_ns >> size) + 1 FROM sized
)

SELECT h.report_id, h.held_id, b.holder_id
FROM query_table(held) AS h
INNER JOIN sizes AS s ON s.report_id = h.report_id AND s.track_id = h.track_id
INNER JOIN buckets AS b
    ON b.report_id = h.report_id AND b.track_id = h.track_id AND b.size = s.size AND b.bucket = h.start_ns >> s.size
WHERE b.start_ns <= h.start_ns AND b.end_ns >= h.end_ns
