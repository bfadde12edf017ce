-- Time in the application's own NVTX ranges by name: inclusive, exclusive, and which are mere wrappers.
--
-- Ranges of library domains (NCCL, CCCL, ...) are left out; what they do belongs to the application range around them.
-- Exclusive time is a range's own, without the application ranges in it, taken together where they overlap; over a thread
-- without crossing ranges it adds up to the time in any range. A wrapper is a name whose ranges hold others for nine
-- tenths of their time and more, such as step_12 around forward and backward: the time is not its own. Open ranges are
-- counted apart and have no length here.
--
-- @version 1
-- @grain   report_id, process_id, domain, style, name
-- @needs   nvtx_ranges
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  process_id     BIGINT  id    Process.
-- @column  domain         VARCHAR text  Domain; NULL for the default domain.
-- @column  style          VARCHAR text  push_pop or start_end.
-- @column  name           VARCHAR text  Name.
-- @column  range_count    BIGINT  count Closed ranges.
-- @column  open_count     BIGINT  count Ranges that were never closed.
-- @column  thread_count   BIGINT  count Threads that opened such ranges.
-- @column  inclusive_ns   BIGINT  ns    Sum of the lengths; nested ranges of one name count each.
-- @column  exclusive_ns   BIGINT  ns    Sum of the time outside the application ranges in them.
-- @column  is_wrapper     BOOLEAN bool  Hold other application ranges for at least nine tenths of their time.
-- @column  mean_ns        DOUBLE  ns    Mean length.
-- @column  median_ns      DOUBLE  ns    Median length; the mean of the middle two of an even number.
-- @column  min_ns         BIGINT  ns    Shortest.
-- @column  max_ns         BIGINT  ns    Longest.
-- @column  min_depth      INTEGER count Least depth.
-- @column  max_depth      INTEGER count Greatest depth.
-- @order   exclusive_ns DESC
-- @assert  exclusive_ns BETWEEN 0 AND inclusive_ns
-- @assert  range_count + open_count > 0
-- @example SELECT name, range_count, inclusive_ns, exclusive_ns FROM nvtx_range_sum WHERE NOT is_wrapper ORDER BY exclusive_ns DESC
WITH RECURSIVE ranges AS MATERIALIZED (
    SELECT
        report_id, range_id, parent_id, process_id, thread_id, domain, style, name, start_ns, end_ns, dur_ns, depth, is_library
    FROM nvtx_ranges
),

owners AS (
    SELECT report_id, range_id, start_ns, end_ns, parent_id
    FROM ranges
    WHERE NOT is_library AND parent_id IS NOT NULL
    UNION ALL
    SELECT o.report_id, o.range_id, o.start_ns, o.end_ns, p.parent_id
    FROM owners AS o
    INNER JOIN (FROM ranges WHERE is_library AND parent_id IS NOT NULL) AS p
        ON p.report_id = o.report_id AND p.range_id = o.parent_id
),

rows AS (
    SELECT o.report_id, o.parent_id AS track_id, o.start_ns, coalesce(o.end_ns, p.end_ns) AS end_ns
    FROM owners AS o
    INNER JOIN (FROM ranges WHERE NOT is_library) AS p ON p.report_id = o.report_id AND p.range_id = o.parent_id
),

inside AS (
    SELECT report_id, track_id AS range_id, union_ns AS inside_ns FROM interval_union_ns('rows')
)

SELECT
    r.report_id,
    r.process_id,
    r.domain,
    r.style,
    r.name,
    count(r.dur_ns) AS range_count,
    count(*) - count(r.dur_ns) AS open_count,
    count(DISTINCT r.thread_id) AS thread_count,
    CAST(coalesce(sum(r.dur_ns), 0) AS BIGINT) AS inclusive_ns,
    CAST(coalesce(sum(r.dur_ns - coalesce(i.inside_ns, 0)), 0) AS BIGINT) AS exclusive_ns,
    coalesce(sum(i.inside_ns) >= 0.9 * sum(r.dur_ns), FALSE) AS is_wrapper,
    avg(r.dur_ns) AS mean_ns,
    median(r.dur_ns) AS median_ns,
    min(r.dur_ns) AS min_ns,
    max(r.dur_ns) AS max_ns,
    min(r.depth) AS min_depth,
    max(r.depth) AS max_depth
FROM ranges AS r
LEFT JOIN inside AS i USING (report_id, range_id)
WHERE NOT r.is_library
GROUP BY r.report_id, r.process_id, r.domain, r.style, r.name
