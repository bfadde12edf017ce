-- The stretch of time in which anything of NVTX happened; its end is where NVIDIA's reports end a range that has no end.
--
-- @version 1
-- @grain   report_id, what
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  what      VARCHAR text event: of any row, marks and domains too; range: of ranges alone; push_pop: of push/pop ranges alone.
-- @column  start_ns  BIGINT  ns   Earliest start.
-- @column  end_ns    BIGINT  ns   Latest start or end.
SELECT report_id, 'event' AS what, min(start) AS start_ns, max(greatest(start, coalesce("end", start))) AS end_ns
FROM raw.NVTX_EVENTS
GROUP BY report_id
UNION ALL
SELECT report_id, 'range', min(start), max(greatest(start, coalesce("end", start)))
FROM raw.NVTX_EVENTS
WHERE eventType IN (59, 60, 70, 71)
GROUP BY report_id
UNION ALL
SELECT report_id, 'push_pop', min(start), max(greatest(start, coalesce("end", start)))
FROM raw.NVTX_EVENTS
WHERE eventType IN (59, 70)
GROUP BY report_id
