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
        report_id, thread_id, domain_id, style = 'push_pop' AS is_stacked, range_id, start_ns, is_open, end_ns AS closed_end_ns
    FROM _nvtx_rows
    WHERE NOT is_crossing_threads AND thread_id IS NOT NULL
),

opened AS MATERIALIZED (
    FROM given WHERE is_open AND is_stacked
),

closed AS MATERIALIZED (
    FROM given SEMI JOIN opened USING (report_id, thread_id, domain_id) WHERE is_stacked
),

abandoned AS (
    SELECT o.report_id, o.range_id, min(c.closed_end_ns) AS end_ns
    FROM opened AS o
    INNER JOIN closed AS c
        ON c.report_id = o.report_id AND c.thread_id = o.thread_id AND c.domain_id = o.domain_id
        AND c.start_ns <= o.start_ns AND c.closed_end_ns > o.start_ns
    GROUP BY o.report_id, o.range_id
),

ranges AS (
    SELECT
        g.report_id, g.thread_id, g.domain_id, g.is_stacked, g.range_id, g.start_ns,
        coalesce(g.closed_end_ns, a.end_ns, 4611686018427387904) AS end_ns
    FROM given AS g
    LEFT JOIN abandoned AS a USING (report_id, range_id)
),

families AS (
    SELECT
        report_id, thread_id, domain_id,
        CAST(row_number() OVER (ORDER BY report_id, thread_id, domain_id) AS INTEGER) AS family_id
    FROM ranges
    WHERE is_stacked AND end_ns > start_ns
    GROUP BY report_id, thread_id, domain_id
),

stacked AS (
    SELECT f.family_id, r.range_id, r.start_ns, r.end_ns
    FROM ranges AS r
    INNER JOIN families AS f USING (report_id, thread_id, domain_id)
    WHERE r.is_stacked AND r.end_ns > r.start_ns
),

edges AS (
    SELECT family_id, range_id, start_ns AS edge_ns, end_ns, 1 AS is_start FROM stacked
    UNION ALL
    SELECT family_id, range_id, end_ns, end_ns, 0 FROM stacked
),

counted AS (
    SELECT
        family_id, range_id, edge_ns, end_ns, is_start,
        row_number() OVER family AS position,
        CAST(sum(2 * is_start - 1) OVER (family ROWS UNBOUNDED PRECEDING) - 1 AS INTEGER) AS depth
    FROM edges
    WINDOW family AS (PARTITION BY family_id ORDER BY edge_ns, is_start, end_ns DESC, range_id)
),

levels AS (
    SELECT family_id, range_id, edge_ns AS start_ns, end_ns, position, depth FROM counted WHERE is_start = 1
),

family_parents AS (
    SELECT
        f.report_id, l.family_id, l.range_id, l.start_ns, l.end_ns,
        CASE WHEN p.end_ns >= l.end_ns THEN p.range_id END AS parent_id
    FROM levels AS l
    ASOF LEFT JOIN levels AS p
        ON p.family_id = l.family_id AND p.depth = l.depth - 1 AND p.position < l.position
    INNER JOIN families AS f ON f.family_id = l.family_id
),

-- Threads with more than one family of ranges of some length. On the others a family parent is the parent.
mixed_threads AS (
    SELECT report_id, thread_id
    FROM ranges
    GROUP BY report_id, thread_id
    HAVING min(domain_id) <> max(domain_id) OR bool_or(NOT is_stacked OR end_ns = start_ns)
),

mixed_ranges AS MATERIALIZED (
    FROM ranges SEMI JOIN mixed_threads USING (report_id, thread_id)
),

mixed_families AS (
    FROM families SEMI JOIN mixed_threads USING (report_id, thread_id)
),

mixed_edges AS MATERIALIZED (
    FROM counted SEMI JOIN mixed_families USING (family_id)
),

mixed_parents AS MATERIALIZED (
    FROM family_parents SEMI JOIN mixed_families USING (family_id)
),

-- Ranges that may lie in a range of a family which is not their own, or that have none: short ones too.
strangers AS (
    SELECT r.report_id, f.family_id, r.range_id, r.start_ns, r.end_ns
    FROM mixed_ranges AS r
    INNER JOIN mixed_families AS f USING (report_id, thread_id)
    WHERE NOT r.is_stacked OR r.end_ns = r.start_ns OR r.domain_id <> f.domain_id
),

-- The innermost range of a family from one edge to the next; of edges at one time the last one counts.
tops AS (
    SELECT
        c.family_id, c.edge_ns,
        arg_max_null(CASE WHEN c.is_start = 1 THEN c.range_id ELSE p.parent_id END, c.position) AS range_id
    FROM mixed_edges AS c
    INNER JOIN mixed_parents AS p USING (family_id, range_id)
    GROUP BY c.family_id, c.edge_ns
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
    ASOF JOIN tops AS t ON t.family_id = l.family_id AND t.edge_ns <= l.at_ns
    WHERE t.range_id IS NOT NULL
    UNION ALL
    SELECT c.report_id, c.range_id, c.start_ns, c.end_ns, p.parent_id
    FROM climbs AS c
    INNER JOIN mixed_parents AS p ON p.report_id = c.report_id AND p.range_id = c.candidate_id
    WHERE p.parent_id IS NOT NULL
        AND (p.end_ns < c.end_ns OR (p.start_ns = c.start_ns AND p.end_ns = c.end_ns AND p.range_id > c.range_id))
),

held AS (
    SELECT report_id, thread_id AS track_id, range_id AS held_id, start_ns, end_ns FROM mixed_ranges
),

holders AS (
    SELECT report_id, thread_id AS track_id, range_id AS holder_id, start_ns, end_ns FROM mixed_ranges WHERE NOT is_stacked
),

twins AS (
    SELECT
        report_id, range_id,
        lag(range_id) OVER (PARTITION BY report_id, thread_id, start_ns ORDER BY range_id) AS candidate_id
    FROM mixed_ranges
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
    FROM mixed_parents AS f
    SEMI JOIN others AS o ON o.report_id = f.report_id AND o.range_id = f.range_id
),

parents AS (
    SELECT
        r.report_id, r.range_id,
        arg_max(c.range_id, {'short': c.start_ns - c.end_ns, 'late': c.start_ns, 'number': c.range_id}) AS parent_id
    FROM candidates AS d
    INNER JOIN mixed_ranges AS r ON r.report_id = d.report_id AND r.range_id = d.range_id
    INNER JOIN mixed_ranges AS c ON c.report_id = d.report_id AND c.range_id = d.candidate_id
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
        NULL::VARCHAR AS parent_path, step
    FROM linked
    WHERE parent_id IS NULL
    UNION ALL
    SELECT
        l.report_id, l.range_id, l.family_parent_id, l.parent_id, l.latest_end_ns, l.is_alone, t.depth + 1,
        coalesce(t.parent_path, '') || t.step, l.step
    FROM tree AS t
    INNER JOIN linked AS l ON l.report_id = t.report_id AND l.parent_id = t.range_id
)

SELECT report_id, range_id, family_parent_id, parent_id, depth, latest_end_ns, parent_path, is_alone
FROM tree
