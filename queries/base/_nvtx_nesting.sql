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
-- @column  is_twin          BOOLEAN bool  That one has equal bounds. NULL for a range that is in no family.
-- @column  other_parent_id  BIGINT  id    Innermost range that it lies in if that is of another family; NULL else.
-- @column  other_stack_parent_id BIGINT id Innermost push/pop range that it lies in if that is of another family; NULL else.
-- @column  depth            INTEGER count Ranges above it; 0 for none.
-- @column  latest_end_ns    BIGINT  ns    The latest end that an open range can have; NULL for a closed one.
-- @column  parent_path      VARCHAR text  Names from the outermost range to the parent, a slash behind each; NULL for none.
-- @column  is_alone         BOOLEAN bool  Closed by another thread: lies in nothing and holds nothing.
WITH RECURSIVE opened AS MATERIALIZED (
    FROM _nvtx_rows WHERE is_open AND style = 'push_pop' AND NOT is_crossing_threads
),

abandoned AS MATERIALIZED (
    SELECT o.report_id, o.range_id, min(c.end_ns) AS end_ns
    FROM opened AS o
    INNER JOIN _nvtx_rows AS c
        ON c.report_id = o.report_id AND c.thread_id = o.thread_id AND c.domain_id = o.domain_id
        AND c.start_ns <= o.start_ns AND c.end_ns > o.start_ns
    WHERE c.style = 'push_pop' AND NOT c.is_crossing_threads
    GROUP BY o.report_id, o.range_id
),

ranges AS (
    SELECT
        n.report_id, n.thread_id, n.domain_id, n.style = 'push_pop' AS is_stacked, n.range_id, n.start_ns, n.is_open,
        coalesce(n.end_ns, a.end_ns, 4611686018427387904) AS end_ns
    FROM _nvtx_rows AS n
    LEFT JOIN abandoned AS a USING (report_id, range_id)
    WHERE NOT n.is_crossing_threads AND n.thread_id IS NOT NULL
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

-- By `place`, of edges at one time ends come before starts, the ends of short ranges before those of long ones, the starts
-- of long ranges before those of short ones: one number, as a sort by more columns takes twice as long.
edges AS (
    SELECT family_id, range_id, start_ns AS edge_ns, 9223372036854775807 - (end_ns - start_ns) AS place FROM stacked
    UNION ALL
    SELECT family_id, range_id, end_ns, (end_ns - start_ns) - 9223372036854775807 FROM stacked
),

counted AS (
    SELECT
        family_id, range_id, edge_ns, place,
        row_number() OVER family AS position,
        CAST(sum(sign(place)) OVER (family ROWS UNBOUNDED PRECEDING) AS INTEGER) AS depth
    FROM edges
    WINDOW family AS (PARTITION BY family_id ORDER BY edge_ns, place)
),

levels AS (
    SELECT
        family_id, range_id, edge_ns AS start_ns, 9223372036854775807 - place + edge_ns AS end_ns, position, depth
    FROM counted
    WHERE place > 0
),

nested AS (
    SELECT
        l.family_id, l.range_id, l.start_ns, l.end_ns,
        CASE WHEN p.end_ns >= l.end_ns THEN p.range_id END AS parent_id,
        coalesce(p.start_ns = l.start_ns AND p.end_ns = l.end_ns, FALSE) AS is_twin
    FROM levels AS l
    ASOF LEFT JOIN levels AS p
        ON p.family_id = l.family_id AND p.depth = l.depth - 1 AND p.position < l.position
),

-- Ranges of equal bounds: each lies in the one recorded before it, the first in what holds them all.
family_twins AS MATERIALIZED (
    SELECT
        n.family_id, n.range_id,
        lag(n.range_id) OVER (PARTITION BY n.family_id, n.start_ns, n.end_ns ORDER BY n.range_id) AS earlier_id,
        max(n.range_id) OVER (PARTITION BY n.family_id, n.start_ns, n.end_ns) AS last_id,
        min(CASE WHEN NOT n.is_twin THEN n.parent_id END) OVER (PARTITION BY n.family_id, n.start_ns, n.end_ns) AS outer_id
    FROM nested AS n
    SEMI JOIN (FROM nested WHERE is_twin) AS t
        ON t.family_id = n.family_id AND t.start_ns = n.start_ns AND t.end_ns = n.end_ns
),

outers AS (
    SELECT
        n.family_id, n.range_id, n.start_ns, n.end_ns, t.earlier_id,
        CASE WHEN t.range_id IS NULL THEN n.parent_id ELSE t.outer_id END AS outer_id
    FROM nested AS n
    LEFT JOIN family_twins AS t ON t.family_id = n.family_id AND t.range_id = n.range_id
),

family_parents AS (
    SELECT
        f.report_id, o.family_id, o.range_id, o.start_ns, o.end_ns,
        coalesce(o.earlier_id, t.last_id, o.outer_id) AS parent_id,
        o.earlier_id IS NOT NULL AS is_twin
    FROM outers AS o
    LEFT JOIN family_twins AS t ON t.family_id = o.family_id AND t.range_id = o.outer_id
    INNER JOIN families AS f ON f.family_id = o.family_id
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

members AS (
    SELECT family_id AS track_id, range_id AS interval_id, start_ns, end_ns, parent_id, is_twin FROM mixed_parents
),

-- A range of length 0 may also lie in one that ends at its time.
lookups AS (
    SELECT *, start_ns AS at_ns FROM strangers
    UNION ALL
    SELECT *, start_ns - 1 FROM strangers WHERE end_ns = start_ns
),

climbs AS (
    SELECT l.report_id, l.range_id, l.start_ns, l.end_ns, i.interval_id AS candidate_id
    FROM lookups AS l
    ASOF JOIN innermost_intervals('members') AS i ON i.track_id = l.family_id AND i.start_ns <= l.at_ns
    WHERE l.at_ns < i.end_ns
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
        arg_max(c.range_id, {'short': c.start_ns - c.end_ns, 'late': c.start_ns, 'number': c.range_id}) AS parent_id,
        arg_max(
            CASE WHEN c.is_stacked THEN c.range_id END,
            {'short': c.start_ns - c.end_ns, 'late': c.start_ns, 'number': c.range_id}) AS stack_parent_id
    FROM candidates AS d
    INNER JOIN mixed_ranges AS r ON r.report_id = d.report_id AND r.range_id = d.range_id
    INNER JOIN mixed_ranges AS c ON c.report_id = d.report_id AND c.range_id = d.candidate_id
    WHERE c.start_ns <= r.start_ns AND c.end_ns >= r.end_ns
        AND (c.start_ns < r.start_ns OR c.end_ns > r.end_ns OR c.range_id < r.range_id)
    GROUP BY r.report_id, r.range_id
),

linked AS (
    SELECT
        f.report_id, f.range_id, f.parent_id AS family_parent_id, f.is_twin, coalesce(p.parent_id, f.parent_id) AS parent_id,
        coalesce(p.stack_parent_id, f.parent_id) AS stack_parent_id, FALSE AS is_alone
    FROM family_parents AS f
    LEFT JOIN parents AS p USING (report_id, range_id)
    UNION ALL
    SELECT r.report_id, r.range_id, NULL, NULL, p.parent_id, p.stack_parent_id, FALSE
    FROM ranges AS r
    LEFT JOIN parents AS p USING (report_id, range_id)
    WHERE (r.is_stacked AND r.end_ns > r.start_ns) IS NOT TRUE
    UNION ALL
    SELECT report_id, range_id, NULL, NULL, NULL, NULL, TRUE
    FROM _nvtx_rows
    WHERE is_crossing_threads OR thread_id IS NULL
),

-- Ranges that hold others. Most hold none, and nobody's path needs their names.
nodes AS MATERIALIZED (
    SELECT l.report_id, l.range_id, l.parent_id, coalesce(n.name, '') || '/' AS step
    FROM linked AS l
    INNER JOIN (SELECT DISTINCT report_id, parent_id FROM linked) AS c
        ON c.report_id = l.report_id AND c.parent_id = l.range_id
    INNER JOIN _nvtx_rows AS n ON n.report_id = l.report_id AND n.range_id = l.range_id
),

tree AS (
    SELECT report_id, range_id, 1 AS depth, step AS path
    FROM nodes
    WHERE parent_id IS NULL
    UNION ALL
    SELECT n.report_id, n.range_id, t.depth + 1, t.path || n.step
    FROM tree AS t
    INNER JOIN nodes AS n ON n.report_id = t.report_id AND n.parent_id = t.range_id
)

SELECT
    l.report_id, l.range_id, l.family_parent_id, l.is_twin,
    CASE WHEN l.parent_id IS DISTINCT FROM l.family_parent_id THEN l.parent_id END AS other_parent_id,
    CASE WHEN l.stack_parent_id IS DISTINCT FROM l.family_parent_id THEN l.stack_parent_id END AS other_stack_parent_id,
    coalesce(t.depth, 0) AS depth,
    o.end_ns AS latest_end_ns,
    t.path AS parent_path,
    l.is_alone
FROM linked AS l
LEFT JOIN tree AS t ON t.report_id = l.report_id AND t.range_id = l.parent_id
LEFT JOIN ranges AS o ON o.report_id = l.report_id AND o.range_id = l.range_id AND o.is_open
