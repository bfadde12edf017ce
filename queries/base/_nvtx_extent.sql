-- The last time at which anything of NVTX happened: where NVIDIA's reports end a range that has no end.
--
-- @version 1
-- @grain   report_id
-- @column  report_id     INTEGER id Report the row belongs to.
-- @column  last_event_ns BIGINT  ns Latest start or end of any row, marks and domains too.
-- @column  last_range_ns BIGINT  ns Latest start or end of a range; NULL without ranges.
SELECT
    report_id,
    max(greatest(start, coalesce("end", start))) AS last_event_ns,
    max(greatest(start, coalesce("end", start))) FILTER (eventType IN (59, 60, 70, 71)) AS last_range_ns
FROM raw.NVTX_EVENTS
GROUP BY report_id
