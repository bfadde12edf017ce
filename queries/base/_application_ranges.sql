-- NVTX ranges of the application's own domains, with an end for those that were left open.
--
-- Ranges of library domains are not here, nor those that another thread closes: work belongs to neither.
--
-- @version 1
-- @grain   report_id, range_id
-- @column  report_id        INTEGER id   Report the row belongs to.
-- @column  range_id         BIGINT  id   Range.
-- @column  process_id       BIGINT  id   Process that opened it.
-- @column  thread_id        BIGINT  id   Thread that opened it.
-- @column  domain_id        BIGINT  id   Domain, unique only within the process.
-- @column  is_stacked       BOOLEAN bool Push/pop range.
-- @column  start_ns         BIGINT  ns   Start.
-- @column  end_ns           BIGINT  ns   End, or the latest end that an open one can have.
-- @column  family_parent_id BIGINT  id   Innermost range of its thread and domain that it lies in; NULL for none.
-- @column  is_twin          BOOLEAN bool That one has equal bounds.
-- @column  depth            INTEGER -    Ranges around it.
-- @column  is_open          BOOLEAN bool It was left open.
-- @column  name             VARCHAR text Name; NULL for none.
SELECT
    r.report_id, r.range_id, r.process_id, r.thread_id, r.domain_id, r.style = 'push_pop' AS is_stacked, r.start_ns,
    coalesce(r.end_ns, n.latest_end_ns) AS end_ns, n.family_parent_id, n.is_twin, n.depth,
    r.is_open, r.name
FROM _nvtx_rows AS r
INNER JOIN _nvtx_nesting AS n ON n.report_id = r.report_id AND n.range_id = r.range_id
ANTI JOIN (FROM nvtx_domains WHERE is_library) AS d
    ON d.report_id = r.report_id AND d.process_id = r.process_id AND d.domain_id = r.domain_id
WHERE NOT n.is_alone
