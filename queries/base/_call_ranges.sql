-- NVTX ranges around each API call that started GPU work.
--
-- A range is around a call if its bounds hold the call's, both ends included, on the call's thread. Given are, for each
-- call, the innermost push/pop range of every domain, whose family parents are around the call too, and every start/end
-- range. Computed once per report: all attribution of GPU work to ranges starts here.
--
-- @version 1
-- @kind    table
-- @grain   report_id, call_id, range_id
-- @column  report_id    INTEGER id   Report the row belongs to.
-- @column  call_id      BIGINT  id   API call, unique within the report.
-- @column  range_id     BIGINT  id   Range around it.
-- @column  is_innermost BOOLEAN bool Shortest of them (of equal ones the one that started last, then the one recorded last).
WITH RECURSIVE correlations AS (
    SELECT report_id, globalPid, correlationId FROM raw.CUPTI_ACTIVITY_KIND_KERNEL WHERE correlationId <> 0
    UNION ALL
    SELECT report_id, globalPid, correlationId FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY WHERE correlationId <> 0
    UNION ALL
    SELECT report_id, globalPid, correlationId FROM raw.CUPTI_ACTIVITY_KIND_MEMSET WHERE correlationId <> 0
    UNION ALL
    SELECT report_id, globalPid, correlationId FROM raw.CUPTI_ACTIVITY_KIND_GRAPH_TRACE WHERE correlationId <> 0
),

calls AS (
    SELECT r.report_id, r._rowid AS call_id, r.globalTid AS thread_id, r.start AS start_ns, greatest(r.start, r.end) AS end_ns
    FROM raw.CUPTI_ACTIVITY_KIND_RUNTIME AS r
    SEMI JOIN correlations AS c
        ON c.report_id = r.report_id AND c.correlationId = r.correlationId
        AND c.globalPid = r.globalTid & (-16777216)::BIGINT
),

ranges AS (
    SELECT
        r.report_id, r.thread_id, r.domain_id, r.range_id, r.style, r.start_ns, coalesce(r.end_ns, n.latest_end_ns) AS end_ns,
        n.family_parent_id
    FROM _nvtx_rows AS r
    INNER JOIN _nvtx_nesting AS n USING (report_id, range_id)
    WHERE NOT n.is_alone
),

families AS (
    SELECT DISTINCT report_id, thread_id, domain_id FROM ranges WHERE style = 'push_pop' AND end_ns > start_ns
),

-- Threads with ranges of one domain and none that may cross: there a range is the innermost if it is around at all.
plain_threads AS (
    SELECT report_id, thread_id
    FROM families
    ANTI JOIN (SELECT * FROM ranges WHERE style = 'start_end') AS s USING (report_id, thread_id)
    GROUP BY report_id, thread_id
    HAVING count(*) = 1
),

-- A call of length 0 may also lie in a range that ends at its time.
lookups AS (
    SELECT report_id, call_id, thread_id, domain_id, start_ns, end_ns, start_ns AS at_ns
    FROM calls
    INNER JOIN families USING (report_id, thread_id)
    UNION ALL
    SELECT report_id, call_id, thread_id, domain_id, start_ns, end_ns, start_ns - 1
    FROM calls
    INNER JOIN families USING (report_id, thread_id)
    WHERE end_ns = start_ns
),

climbs AS (
    SELECT l.report_id, l.call_id, l.thread_id, l.start_ns, l.end_ns, t.range_id
    FROM lookups AS l
    ASOF JOIN _nvtx_tops AS t
        ON t.report_id = l.report_id AND t.thread_id = l.thread_id AND t.domain_id = l.domain_id
        AND t.edge_ns <= l.at_ns
    WHERE t.range_id IS NOT NULL
    UNION ALL
    SELECT c.report_id, c.call_id, c.thread_id, c.start_ns, c.end_ns, r.family_parent_id
    FROM climbs AS c
    INNER JOIN ranges AS r ON r.report_id = c.report_id AND r.range_id = c.range_id
    WHERE r.end_ns < c.end_ns AND r.family_parent_id IS NOT NULL
),

held AS (
    SELECT report_id, thread_id AS track_id, call_id AS held_id, start_ns, end_ns FROM calls
),

holders AS (
    SELECT report_id, thread_id AS track_id, range_id AS holder_id, start_ns, end_ns FROM ranges WHERE style = 'start_end'
),

crossing AS (
    SELECT h.report_id, h.held_id AS call_id, r.thread_id, r.start_ns, r.end_ns, h.holder_id AS range_id
    FROM interval_holders('held', 'holders') AS h
    INNER JOIN ranges AS r ON r.report_id = h.report_id AND r.range_id = h.holder_id
),

around AS (
    SELECT c.report_id, c.call_id, c.thread_id, c.range_id, r.start_ns, r.end_ns, c.end_ns > c.start_ns AS has_length
    FROM climbs AS c
    INNER JOIN ranges AS r ON r.report_id = c.report_id AND r.range_id = c.range_id
    WHERE r.start_ns <= c.start_ns AND r.end_ns >= c.end_ns
    UNION ALL
    SELECT report_id, call_id, thread_id, range_id, start_ns, end_ns, FALSE FROM crossing
),

plain AS (
    SELECT a.report_id, a.call_id, a.range_id
    FROM around AS a
    SEMI JOIN plain_threads AS p ON p.report_id = a.report_id AND p.thread_id = a.thread_id
    WHERE a.has_length
),

contested AS (
    SELECT DISTINCT a.report_id, a.call_id, a.range_id, a.start_ns, a.end_ns
    FROM around AS a
    LEFT JOIN plain_threads AS p ON p.report_id = a.report_id AND p.thread_id = a.thread_id
    WHERE p.thread_id IS NULL OR NOT a.has_length
)

SELECT report_id, call_id, range_id, TRUE AS is_innermost
FROM plain
UNION ALL
SELECT
    report_id,
    call_id,
    range_id,
    row_number() OVER (
        PARTITION BY report_id, call_id ORDER BY end_ns - start_ns, start_ns DESC, range_id DESC) = 1 AS is_innermost
FROM contested
