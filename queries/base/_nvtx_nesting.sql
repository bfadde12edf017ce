-- Which NVTX range lies in which: parent, depth and path of every range.
--
-- A range lies in another of its thread, of any domain and style, if its bounds do; of ranges with equal bounds the one
-- recorded later lies in the earlier. The parent is the shortest range that it lies in (then the one that started last,
-- then the one recorded last). Push/pop ranges of one domain on one thread, a family, nest properly, so a running count
-- gives their depth and the parent is the last range one level up; that is one lookup per family. Start/end ranges may
-- cross anything: those around a range are found among the few that are open. Ranges that another thread closes lie in
-- nothing and hold nothing. An open range ends with the closed one of its family that it was opened in, else never.
--
-- @version 1
-- @kind    table
-- @grain   report_id, range_id
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  range_id         BIGINT  id    Range.
-- @column  family_parent_id BIGINT  id    Innermost range of its own family that it lies in; NULL for none.
-- @column  parent_id        BIGINT  id    Innermost range that it lies in; NULL for none.
-- @column  depth            INTEGER count Ranges above it; 0 for none.
-- @column  latest_end_ns    BIGINT  ns    The latest end that an open range can have; NULL for a closed one.
-- @column  parent_path      VARCHAR text  Names from the outermost range to the parent, a slash behind each; NULL for none.
-- @column  is_alone         BOOLEAN bool  Closed by another thread: lies in nothing and holds nothing.
WITH RECURSIVE given AS (
    SELECT
        report_id, thread_id, domain_id, style, range_id, start_ns, is_open, end_ns AS closed_end_ns
    FROM _nvtx_rows
    WHERE NOT is_crossing_threads AND thread_id IS NOT NULL
),

abandoned AS (
    SELECT o.report_id, o.range_id, min(c.closed_end_ns) AS end_ns
    FROM given AS o
    INNER JOIN given AS c
        ON c.report_id = o.report_id AND c.thread_id = o.thread_id AND c.domain_id = o.domain_id
        AND c.start_ns <= o.start_ns AND c.closed_end_ns > o.start_ns
    WHERE o.is_open AND o.style = 'push_pop' AND c.style = 'push_pop'
    GROUP BY o.report_id, o.range_id
),

ranges AS (
    SELECT
        g.report_id, g.thread_id, g.domain_id, g.style, g.range_id, g.start_ns,
        coalesce(g.closed_end_ns, a.end_ns, 4611686018427387904) AS end_ns
    FROM given AS g
    LEFT JOIN abandoned AS a USING (report_id, range_id)
),

stacked AS (
    SELECT * FROM ranges WHERE style = 'push_pop' AND end_ns > start_ns
),

edges AS (
    SELECT report_id, thread_id, domain_id, range_id, start_ns AS edge_ns, end_ns, 1 AS is_start FROM stacked
    UNION ALL
    SELECT report_id, thread_id, domain_id, range_id, end_ns, end_ns, 0 FROM stacked
),

counted AS (
    SELECT
        report_id, thread_id, domain_id, range_id, edge_ns, end_ns, is_start,
        row_number() OVER family AS position,
        CAST(sum(2 * is_start - 1) OVER (family ROWS UNBOUNDED PRECEDING) - 1 AS INTEGER) AS depth
    FROM edges
    WINDOW family AS (
        PARTITION BY report_id, thread_id, domain_id ORDER BY edge_ns, is_start, end_ns DESC, range_id)
),

levels AS (
    SELECT report_id, thread_id, domain_id, range_id, end_ns, position, depth FROM counted WHERE is_start = 1
),

family_parents AS (
    SELECT
        l.report_id, l.thread_id, l.domain_id, l.range_id,
        CASE WHEN p.end_ns >= l.end_ns THEN p.range_id END AS parent_id
    FROM levels AS l
    ASOF LEFT JOIN levels AS p
        ON p.report_id = l.report_id AND p.thread_id = l.thread_id AND p.domain_id = l.domain_id
        AND p.depth = l.depth - 1 AND p.position < l.position
),

families AS (
    SELECT DISTINCT report_id, thread_id, domain_id FROM stacked
),

-- Ranges that may lie in a range of a family which is not their own, or that have none: short ones too.
strangers AS (
    SELECT r.report_id, r.thread_id, f.domain_id, r.range_id, r.start_ns, r.end_ns
    FROM ranges AS r
    INNER JOIN families AS f USING (report_id, thread_id)
    WHERE r.style = 'start_end' OR r.end_ns = r.start_ns OR r.domain_id <> f.domain_id
),

-- The innermost range of a family with strangers from one edge to the next; of edges at one time the last one counts.
tops AS (
    SELECT
        c.report_id, c.thread_id, c.domain_id, c.edge_ns,
        arg_max_null(CASE WHEN c.is_start = 1 THEN c.range_id ELSE p.parent_id END, c.position) AS range_id
    FROM counted AS c
    INNER JOIN (
        FROM family_parents SEMI JOIN strangers USING (report_id, thread_id, domain_id)
    ) AS p USING (report_id, range_id)
    GROUP BY c.report_id, c.thread_id, c.domain_id, c.edge_ns
),

-- A range of length 0 may also lie in one that ends at its time.
lookups AS (
    SELECT *, start_ns AS at_ns FROM strangers
    UNION ALL
    SELECT *, start_ns - 1 FROM strangers WHERE end_ns = start_ns
),

climbs AS (
    SELECT l.report_id, l.range_id, l.start_ns, l.end_ns, t.range_id AS candidate_id
    FROM lookups AS l
    ASOF JOIN tops AS t
        ON t.report_id = l.report_id AND t.thread_id = l.thread_id AND t.domain_id = l.domain_id
        AND t.edge_ns <= l.at_ns
    WHERE t.range_id IS NOT NULL
    UNION ALL
    SELECT c.report_id, c.range_id, c.start_ns, c.end_ns, p.parent_id
    FROM climbs AS c
    INNER JOIN ranges AS r ON r.report_id = c.report_id AND r.range_id = c.candidate_id
    INNER JOIN family_parents AS p ON p.report_id = c.report_id AND p.range_id = c.candidate_id
    WHERE p.parent_id IS NOT NULL
        AND (r.end_ns < c.end_ns OR (r.start_ns = c.start_ns AND r.end_ns = c.end_ns AND r.range_id > c.range_id))
),

held AS (
    SELECT report_id, thread_id AS track_id, range_id AS held_id, start_ns, end_ns FROM ranges
),

holders AS (
    SELECT report_id, thread_id AS track_id, range_id AS holder_id, start_ns, end_ns FROM ranges WHERE style = 'start_end'
),

twins AS (
    SELECT
        report_id, range_id,
        lag(range_id) OVER (PARTITION BY report_id, thread_id, start_ns ORDER BY range_id) AS candidate_id
    FROM ranges
    WHERE end_ns = start_ns
),

-- Most ranges have no other candidate than the one of their family.
others AS (
    SELECT report_id, range_id, candidate_id FROM climbs
    UNION ALL
    SELECT report_id, held_id, holder_id FROM interval_holders('held', 'holders')
    UNION ALL
    SELECT report_id, range_id, candidate_id FROM twins
),

candidates AS (
    FROM others
    UNION ALL
    SELECT f.report_id, f.range_id, f.parent_id
    FROM family_parents AS f
    SEMI JOIN others AS o ON o.report_id = f.report_id AND o.range_id = f.range_id
),

parents AS (
    SELECT
        r.report_id, r.range_id,
        arg_max(c.range_id, {'short': c.start_ns - c.end_ns, 'late': c.start_ns, 'number': c.range_id}) AS parent_id
    FROM candidates AS d
    INNER JOIN ranges AS r ON r.report_id = d.report_id AND r.range_id = d.range_id
    INNER JOIN ranges AS c ON c.report_id = d.report_id AND c.range_id = d.candidate_id
    WHERE c.start_ns <= r.start_ns AND c.end_ns >= r.end_ns
        AND (c.start_ns < r.start_ns OR c.end_ns > r.end_ns OR c.range_id < r.range_id)
    GROUP BY r.report_id, r.range_id
),

linked AS (
    SELECT
        n.report_id, n.range_id, coalesce(n.name, '') || '/' AS step, f.parent_id AS family_parent_id,
        coalesce(p.parent_id, f.parent_id) AS parent_id,
        CASE
            WHEN n.is_open AND NOT n.is_crossing_threads AND n.thread_id IS NOT NULL
            THEN coalesce(n.end_ns, a.end_ns, 4611686018427387904)
        END AS latest_end_ns,
        NOT coalesce(NOT n.is_crossing_threads AND n.thread_id IS NOT NULL, FALSE) AS is_alone
    FROM _nvtx_rows AS n
    LEFT JOIN abandoned AS a USING (report_id, range_id)
    LEFT JOIN family_parents AS f USING (report_id, range_id)
    LEFT JOIN parents AS p USING (report_id, range_id)
),

tree AS (
    SELECT
        report_id, range_id, family_parent_id, parent_id, latest_end_ns, is_alone, 0 AS depth,
        NULL::VARCHAR AS parent_path, step AS path
    FROM linked
    WHERE parent_id IS NULL
    UNION ALL
    SELECT
        l.report_id, l.range_id, l.family_parent_id, l.parent_id, l.latest_end_ns, l.is_alone, t.depth + 1,
        t.path, t.path || l.step
    FROM tree AS t
    INNER JOIN linked AS l ON l.report_id = t.report_id AND l.parent_id = t.range_id
)

SELECT report_id, range_id, family_parent_id, parent_id, depth, latest_end_ns, parent_path, is_alone
FROM tree
