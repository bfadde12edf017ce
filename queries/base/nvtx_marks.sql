-- NVTX marks: points in time that the program, or a library in it, named.
--
-- @version 1
-- @grain   report_id, mark_id
-- @source  NVTX_EVENTS
-- @trace   CAPTURE_EVENT_TYPE=NvtxEvents --trace=nvtx
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  mark_id     BIGINT  id   Mark, unique within the report.
-- @column  process_id  BIGINT  id   Process that set it.
-- @column  thread_id   BIGINT  id   Thread that set it.
-- @column  domain      VARCHAR text Domain; NULL for the default domain.
-- @column  name        VARCHAR text Text; NULL if none was given.
-- @column  start_ns    BIGINT  ns   When it was set.
-- @column  category_id BIGINT  id   Category, unique within the domain; NULL for none.
-- @column  is_imported BOOLEAN bool Imported from a text log.
-- @order   report_id, start_ns, mark_id
-- @example SELECT name, start_ns FROM nvtx_marks
SELECT
    n.report_id,
    n._rowid AS mark_id,
    n.globalTid & (-16777216)::BIGINT AS process_id,
    n.globalTid AS thread_id,
    d.domain,
    coalesce(s.value, n.text) AS name,
    n.start AS start_ns,
    n.category AS category_id,
    n.eventType = 65 AS is_imported
FROM raw.NVTX_EVENTS AS n
LEFT JOIN raw.StringIds AS s ON s.report_id = n.report_id AND s.id = n.textId
LEFT JOIN nvtx_domains AS d
    ON d.report_id = n.report_id AND d.process_id = n.globalTid & (-16777216)::BIGINT
    AND d.domain_id = coalesce(n.domainId, 0)
WHERE n.eventType IN (34, 65)
