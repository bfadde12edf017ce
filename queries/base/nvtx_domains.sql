-- NVTX domains of each process, one row each however many threads created them.
--
-- Domain 0 is the default domain; it exists without being created and has no name. is_library marks domains of libraries
-- (NCCL, CCCL, cuBLAS, ...), as opposed to the application's own.
--
-- @version 1
-- @grain   report_id, process_id, domain_id
-- @source  NVTX_EVENTS
-- @trace   CAPTURE_EVENT_TYPE=NvtxEvents --trace=nvtx
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  process_id   BIGINT  id    Process that created it.
-- @column  domain_id    BIGINT  id    Domain, unique only within the process.
-- @column  domain       VARCHAR text  Name as first given.
-- @column  is_library   BOOLEAN bool  Domain of a library, by name.
-- @column  created_ns   BIGINT  ns    When it was first created.
-- @column  create_count BIGINT  count How often it was created.
-- @order   report_id, process_id, domain_id
-- @assert  create_count >= 1
-- @example SELECT domain_id, domain, is_library FROM nvtx_domains
WITH created AS (
    SELECT
        n.report_id,
        n.globalTid & (-16777216)::BIGINT AS process_id,
        n.domainId AS domain_id,
        arg_min(coalesce(s.value, n.text), {'at': n.start, 'number': n._rowid}) AS domain,
        min(n.start) AS created_ns,
        count(*) AS create_count
    FROM raw.NVTX_EVENTS AS n
    LEFT JOIN raw.StringIds AS s ON s.report_id = n.report_id AND s.id = n.textId
    WHERE n.eventType = 75 AND n.domainId <> 0
    GROUP BY ALL
)

SELECT
    c.report_id,
    c.process_id,
    c.domain_id,
    c.domain,
    l.domain IS NOT NULL AS is_library,
    c.created_ns,
    c.create_count
FROM created AS c
LEFT JOIN _library_domains AS l ON l.domain = lower(c.domain)
