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
WITH RECURSIVE calls AS (
    SELECT c.report_id, c.call_id, c.thread_id, c.start_ns, greatest(c.start_ns, c.end_ns) AS end_ns
    FROM _api_rows AS c
    SEMI JOIN _op_rows AS o
        ON o.report_id = c.report_id AND o.correlation_id = c.correlation_id AND o.process_id = c.process_id
),

ranges AS (
    SELECT
        r.report_id, r.thread_id, r.domain_id, r.range_id, r.style = 'push_pop' AS is_stacked, r.start_ns,
        coalesce(r.end_ns, n.latest_end_ns) AS end_ns, n.family_parent_id, n.is_twin
    FROM _nvtx_rows AS r
    INNER JOIN _nvtx_nesting AS n USING (report_id, range_id)
    WHERE NOT n.is_alone
),

stacked AS (
    SELECT * FROM ranges WHERE is_stacked AND end_ns > start_ns
),

holders AS (
    SELECT report_id, thread_id AS track_id, range_id AS holder_id, start_ns, end_ns FROM ranges WHERE NOT is_stacked
),

-- is_only: its thread has no ranges of another family.
families AS (
    SELECT
        f.report_id, f.thread_id, f.domain_id,
        CAST(row_number() OVER (ORDER BY f.report_id, f.thread_id, f.domain_id) AS INTEGER) AS family_id,
        h.track_id IS NULL AND count(*) OVER (PARTITION BY f.report_id, f.thread_id) = 1 AS is_only
    FROM (SELECT DISTINCT report_id, thread_id, domain_id FROM stacked) AS f
    LEFT JOIN (SELECT DISTINCT report_id, track_id FROM holders) AS h
        ON h.report_id = f.report_id AND h.track_id = f.thread_id
),

members AS (
    SELECT
        f.family_id AS track_id, s.range_id AS interval_id, s.start_ns, s.end_ns, s.family_parent_id AS parent_id, s.is_twin
    FROM stacked AS s
    INNER JOIN families AS f USING (report_id, thread_id, domain_id)
),

-- A call of length 0 may also lie in a range that ends at its time.
lookups AS (
    SELECT family_id, call_id, start_ns AS at_ns, end_ns, end_ns > start_ns AS has_length
    FROM calls
    INNER JOIN families USING (report_id, thread_id)
    UNION ALL
    SELECT family_id, call_id, start_ns - 1, end_ns, FALSE
    FROM calls
    INNER JOIN families USING (report_id, thread_id)
    WHERE end_ns = start_ns
),

-- What begins and ends between two edges of the only family lies in the range there and no shorter one.
found AS (
    SELECT
        l.family_id, l.call_id, l.end_ns, i.interval_id AS range_id,
        f.is_only AND l.has_length AND l.end_ns <= i.end_ns AS is_settled
    FROM lookups AS l
    ASOF JOIN innermost_intervals('members') AS i ON i.track_id = l.family_id AND i.start_ns <= l.at_ns
    INNER JOIN families AS f ON f.family_id = l.family_id
    WHERE l.at_ns < i.end_ns
),

unsettled AS MATERIALIZED (
    SELECT f.report_id, f.thread_id, u.call_id, u.end_ns, u.range_id
    FROM found AS u
    INNER JOIN families AS f USING (family_id)
    WHERE NOT u.is_settled
),

near AS MATERIALIZED (
    FROM ranges SEMI JOIN unsettled USING (report_id, thread_id)
),

climbs AS (
    SELECT report_id, call_id, end_ns, range_id
    FROM unsettled
    UNION ALL
    SELECT c.report_id, c.call_id, c.end_ns, r.family_parent_id
    FROM climbs AS c
    INNER JOIN near AS r ON r.report_id = c.report_id AND r.range_id = c.range_id
    WHERE r.end_ns < c.end_ns AND r.family_parent_id IS NOT NULL
),

held AS (
    SELECT report_id, thread_id AS track_id, call_id AS held_id, start_ns, end_ns FROM calls
),

around AS (
    SELECT c.report_id, c.call_id, c.range_id, r.start_ns, r.end_ns
    FROM climbs AS c
    INNER JOIN near AS r ON r.report_id = c.report_id AND r.range_id = c.range_id
    WHERE r.end_ns >= c.end_ns
    UNION
    SELECT p.report_id, p.held_id, p.holder_id, h.start_ns, h.end_ns
    FROM interval_holders('held', 'holders') AS p
    INNER JOIN holders AS h ON h.report_id = p.report_id AND h.holder_id = p.holder_id
)

SELECT f.report_id, s.call_id, s.range_id, TRUE AS is_innermost
FROM found AS s
INNER JOIN families AS f USING (family_id)
WHERE s.is_settled
UNION ALL
SELECT
    report_id,
    call_id,
    range_id,
    row_number() OVER (
        PARTITION BY report_id, call_id ORDER BY end_ns - start_ns, start_ns DESC, range_id DESC) = 1 AS is_innermost
FROM around
