-- Rows of the export that are NVTX ranges, with their texts, before they are nested.
--
-- Push/pop (59, imported 70) and start/end ranges (60, imported 71). The name is the registered string, else the text.
-- A range is open if it ends when the capture does: collectors from 2023.4 on write that time for ranges that were never
-- closed. They write no end at all for a range of length 0; older ones write none for an open range. Which of the two a
-- missing end means is told by the collector's version, or by a range that ends with the capture.
--
-- @version 1
-- @grain   report_id, range_id
-- @column  report_id       INTEGER id   Report the row belongs to.
-- @column  range_id        BIGINT  id   Range, unique within the report.
-- @column  process_id      BIGINT  id   Process that opened it.
-- @column  thread_id       BIGINT  id   Thread that opened it.
-- @column  end_thread_id   BIGINT  id   Thread that closed it.
-- @column  style           VARCHAR text push_pop or start_end.
-- @column  is_imported     BOOLEAN bool Imported from a text log.
-- @column  domain_id       BIGINT  id   Domain, unique only within the process; 0 is the default domain.
-- @column  category_id     BIGINT  id   Category.
-- @column  name            VARCHAR text Name.
-- @column  start_ns        BIGINT  ns   Start.
-- @column  end_ns          BIGINT  ns   End; NULL for an open range.
-- @column  recorded_end_ns BIGINT  ns   End as recorded: for an open range the end of the capture, or NULL.
-- @column  is_open         BOOLEAN bool Never closed while recording.
-- @column  is_crossing_threads BOOLEAN bool Closed by another thread than opened it.
-- @column  color           VARCHAR text Color, as #AARRGGBB; NULL for none.
-- @column  payload         DOUBLE  -    Number that the program attached; NULL for none.
WITH collectors AS (
    SELECT report_id, bool_or(string_split(value, '.')::INTEGER[] >= [2023, 4]) AS writes_stop_time
    FROM raw.TARGET_INFO_SYSTEM_ENV
    WHERE name = 'TargetInstallDir' AND value <> ''
    GROUP BY report_id
),

habits AS (
    SELECT n.report_id, any_value(c.duration_ns) AS duration_ns,
        bool_or(coalesce(k.writes_stop_time, FALSE) OR n.end >= c.duration_ns) AS writes_stop_time
    FROM raw.NVTX_EVENTS AS n
    LEFT JOIN _recordings AS c USING (report_id)
    LEFT JOIN collectors AS k USING (report_id)
    WHERE n.eventType IN (59, 60, 70, 71)
    GROUP BY n.report_id
)

SELECT
    n.report_id,
    n._rowid AS range_id,
    n.globalTid & (-16777216)::BIGINT AS process_id,
    n.globalTid AS thread_id,
    coalesce(n.endGlobalTid, n.globalTid) AS end_thread_id,
    CASE WHEN n.eventType IN (59, 70) THEN 'push_pop' ELSE 'start_end' END AS style,
    n.eventType IN (70, 71) AS is_imported,
    coalesce(n.domainId, 0) AS domain_id,
    n.category AS category_id,
    coalesce(s.value, n.text) AS name,
    n.start AS start_ns,
    CASE
        WHEN n.end IS NULL AND h.writes_stop_time THEN n.start
        WHEN n.end < coalesce(h.duration_ns, 9223372036854775807) THEN greatest(n.end, n.start)
    END AS end_ns,
    n.end AS recorded_end_ns,
    CASE WHEN n.end IS NULL THEN NOT coalesce(h.writes_stop_time, FALSE) ELSE coalesce(n.end >= h.duration_ns, FALSE) END
        AS is_open,
    coalesce(n.endGlobalTid <> n.globalTid, FALSE) AS is_crossing_threads,
    CASE WHEN n.color IS NOT NULL THEN format('#{:08X}', n.color & 4294967295) END AS color,
    coalesce(
        CASE WHEN n.uint64Value < 0 THEN n.uint64Value + 18446744073709551616.0 ELSE n.uint64Value END,
        n.int64Value, n.uint32Value, n.int32Value, n.doubleValue, n.floatValue) AS payload
FROM raw.NVTX_EVENTS AS n
LEFT JOIN raw.StringIds AS s ON s.report_id = n.report_id AND s.id = n.textId
LEFT JOIN habits AS h ON h.report_id = n.report_id
WHERE n.eventType IN (59, 60, 70, 71)
