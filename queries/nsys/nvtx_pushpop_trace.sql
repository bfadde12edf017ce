-- NVIDIA's report nvtx_pushpop_trace: push/pop ranges of NVTX, each with its place in the tree of those of its thread.
--
-- The parent is the shortest push/pop range of the thread, of any domain, whose bounds hold the range's (nvtx_ranges says
-- which of equal ones). A range that was left open ends with the capture, as recorded; without a recorded end it ends with
-- the last push/pop range of the report. Other than in NVIDIA's report, ranges with equal bounds have their place in the
-- tree, a domain that several threads created is one, and a range of length 0 ends where it starts.
--
-- @version 1
-- @grain   report_id, range_id
-- @needs   nvtx_ranges
-- @param   like_nsys   VARCHAR '2023.4' text Release of NVIDIA's tool whose names to print: 2023.4 or 2025.3.
-- @require like_nsys IN ('2023.4', '2025.3')
-- @column  report_id   INTEGER id    Report the row belongs to.
-- @column  start_ns    BIGINT  ns    Start on the report's time axis.
-- @column  end_ns      BIGINT  ns    End on the report's time axis.
-- @column  dur_ns      BIGINT  ns    end_ns - start_ns.
-- @column  children_dur_ns BIGINT ns Sum of the lengths of the children.
-- @column  own_dur_ns  BIGINT  ns    dur_ns - children_dur_ns; below 0 if children overlap, as those of several domains may.
-- @column  range_name  VARCHAR text  Name, behind its domain and a colon if it has one, as like_nsys has it.
-- @column  pid         INTEGER id    Process id of the operating system.
-- @column  tid         INTEGER id    Thread id of the operating system.
-- @column  level       INTEGER count Ranges above it; 0 for none.
-- @column  child_count BIGINT  count Children.
-- @column  range_id    BIGINT  id(nvtx_ranges.range_id) Range, the number of its row in the export.
-- @column  parent_id   BIGINT  id(nvtx_ranges.range_id) Parent; NULL for none.
-- @column  range_stack VARCHAR text  Numbers of the ranges from the outermost to this one, each behind a colon.
-- @column  name_tree   VARCHAR text  Name behind two dashes per level.
-- @title   NVTX Push/Pop Range Trace
-- @print   start_ns Start; end_ns End; dur_ns Duration; children_dur_ns DurChild; own_dur_ns DurNonChild; range_name Name; pid PID;
--     tid TID; level Lvl; child_count NumChild; range_id RangeId; parent_id ParentId; range_stack RangeStack; name_tree
--     NameTree
-- @skip    NV Tools Extension (NVTX) data
-- @order   report_id, start_ns, dur_ns
-- @assert  own_dur_ns + children_dur_ns = dur_ns
-- @assert  (level = 0) = (parent_id IS NULL)
-- @example SELECT name_tree, dur_ns, own_dur_ns FROM nvtx_pushpop_trace ORDER BY start_ns LIMIT 10
WITH ranges AS MATERIALIZED (
    SELECT
        r.report_id, r.range_id, coalesce(n.other_stack_parent_id, n.family_parent_id) AS parent_id, r.thread_id, r.range_name,
        r.start_ns, r.end_ns, r.dur_ns
    FROM _range_rows(like_nsys := like_nsys, last_of := 'push_pop') AS r
    INNER JOIN _nvtx_nesting AS n ON n.report_id = r.report_id AND n.range_id = r.range_id
    WHERE r.style = 'PushPop'
),

children AS (
    SELECT report_id, parent_id AS range_id, count(*) AS child_count, CAST(sum(dur_ns) AS BIGINT) AS dur_ns
    FROM ranges
    WHERE parent_id IS NOT NULL
    GROUP BY report_id, parent_id
)

SELECT
    r.report_id,
    r.start_ns,
    r.end_ns,
    r.dur_ns,
    coalesce(c.dur_ns, 0) AS children_dur_ns,
    r.dur_ns - coalesce(c.dur_ns, 0) AS own_dur_ns,
    r.range_name,
    CAST((r.thread_id >> 24) & 16777215 AS INTEGER) AS pid,
    CAST(r.thread_id & 16777215 AS INTEGER) AS tid,
    coalesce(s.level + 1, 0) AS level,
    coalesce(c.child_count, 0) AS child_count,
    r.range_id,
    r.parent_id,
    coalesce(s.range_stack, '') || ':' || r.range_id AS range_stack,
    repeat('--', coalesce(s.level + 1, 0)) || r.range_name AS name_tree
FROM ranges AS r
LEFT JOIN _range_stacks('ranges') AS s ON s.report_id = r.report_id AND s.range_id = r.parent_id
LEFT JOIN children AS c ON c.report_id = r.report_id AND c.range_id = r.range_id
