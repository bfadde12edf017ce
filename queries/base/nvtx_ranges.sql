-- NVTX ranges: what the program, or a library in it, said it was doing.
--
-- Push/pop ranges nest on their thread; start/end ranges may cross others and may be closed by another thread
-- (is_crossing_threads: such a range lies in nothing and holds nothing). A range lies in another if its bounds do, on the
-- same thread, in any domain and style; its parent is the shortest such range (of equal ones the one that started last,
-- of equal bounds the one recorded first). A range that was never closed has no end and no length, but a lower bound: it
-- lasted at least to the end of the capture, or to the end of the range that it was left open in.
--
-- @version 1
-- @grain   report_id, range_id
-- @source  NVTX_EVENTS
-- @trace   CAPTURE_EVENT_TYPE=NvtxEvents --trace=nvtx
-- @column  report_id         INTEGER id    Report the row belongs to.
-- @column  range_id          BIGINT  id    Range, unique within the report.
-- @column  process_id        BIGINT  id    Process that opened it.
-- @column  thread_id         BIGINT  id    Thread that opened it.
-- @column  style             VARCHAR text  push_pop or start_end.
-- @column  domain            VARCHAR text  Domain; NULL for the default domain.
-- @column  name              VARCHAR text  Name; NULL if none was given.
-- @column  start_ns          BIGINT  ns    Start.
-- @column  end_ns            BIGINT  ns    End; NULL for an open range.
-- @column  dur_ns            BIGINT  ns    Length; NULL for an open range.
-- @column  is_open           BOOLEAN bool  Never closed while recording.
-- @column  open_at_least_ns  BIGINT  ns    For an open range: from its start to the end of the capture; NULL if not recorded.
-- @column  depth             INTEGER count Ranges that it lies in, along the parents; 0 for an outermost one.
-- @column  parent_id         BIGINT  id(nvtx_ranges.range_id) Shortest range that it lies in; NULL for none.
-- @column  path              VARCHAR text  Names from the outermost range to this one, with slashes between.
-- @column  is_library        BOOLEAN bool  Opened in a library's domain (nvtx_domains).
-- @column  is_crossing_threads BOOLEAN bool Closed by another thread than opened it.
-- @column  end_thread_id     BIGINT  id    Thread that closed it.
-- @column  category_id       BIGINT  id    Category, unique within the domain; NULL for none.
-- @column  category          VARCHAR text  Name of the category; NULL if it has none.
-- @column  color             VARCHAR text  Color as #AARRGGBB; NULL for none.
-- @column  payload           DOUBLE  -     Payload as a number; NULL for none or one that is no number.
-- @column  domain_id         BIGINT  id    Domain, unique only within the process; 0 is the default one.
-- @column  is_imported       BOOLEAN bool  Imported from a text log.
-- @column  recorded_end_ns   BIGINT  ns    End as recorded: for an open range the end of the capture, or NULL.
-- @order   report_id, start_ns, range_id
-- @assert  end_ns = start_ns + dur_ns
-- @assert  dur_ns >= 0
-- @assert  is_open = (dur_ns IS NULL)
-- @assert  (parent_id IS NULL) = (depth = 0)
-- @example SELECT name, count(*) AS range_count, sum(dur_ns) AS dur_ns FROM nvtx_ranges GROUP BY ALL ORDER BY dur_ns DESC
WITH categories AS (
    SELECT
        n.report_id,
        n.globalTid & (-16777216)::BIGINT AS process_id,
        coalesce(n.domainId, 0) AS domain_id,
        n.category AS category_id,
        arg_max(coalesce(s.value, n.text), {'at': n.start, 'number': n._rowid}) AS category
    FROM raw.NVTX_EVENTS AS n
    LEFT JOIN raw.StringIds AS s ON s.report_id = n.report_id AND s.id = n.textId
    WHERE n.eventType = 33
    GROUP BY ALL
)

SELECT
    r.report_id,
    r.range_id,
    r.process_id,
    r.thread_id,
    r.style,
    d.domain,
    r.name,
    r.start_ns,
    r.end_ns,
    r.end_ns - r.start_ns AS dur_ns,
    r.is_open,
    CASE WHEN r.is_open THEN c.end_ns - r.start_ns END AS open_at_least_ns,
    n.depth,
    coalesce(n.other_parent_id, n.family_parent_id) AS parent_id,
    coalesce(n.parent_path, '') || coalesce(r.name, '') AS path,
    coalesce(d.is_library, FALSE) AS is_library,
    r.is_crossing_threads,
    r.end_thread_id,
    r.category_id,
    k.category,
    r.color,
    r.payload,
    r.domain_id,
    r.is_imported,
    r.recorded_end_ns
FROM _nvtx_rows AS r
INNER JOIN _nvtx_nesting AS n ON n.report_id = r.report_id AND n.range_id = r.range_id
LEFT JOIN nvtx_domains AS d
    ON d.report_id = r.report_id AND d.process_id = r.process_id AND d.domain_id = r.domain_id
LEFT JOIN categories AS k
    ON k.report_id = r.report_id AND k.process_id = r.process_id AND k.domain_id = r.domain_id
    AND k.category_id = r.category_id
LEFT JOIN _captures AS c ON c.report_id = r.report_id
