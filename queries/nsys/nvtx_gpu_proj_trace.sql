-- NVIDIA's report nvtx_gpu_proj_trace: NVTX ranges projected onto the GPU, one by one.
--
-- What belongs to a range and what its projection is: nvtx_gpu_proj_sum. The place in the tree is that of the range among all
-- ranges of its thread (nvtx_ranges), also of those that started no work. In 2023.4 one row without a name, range and place
-- has all the operations whose call no range is around: pid and tid are those of the call whose operation ended last. Other
-- than NVIDIA's: ranges with equal bounds have their place in the tree, a domain that several threads created is one, and
-- equal numbers of calls of two processes are two in the row without a name.
--
-- @version 1
-- @grain   report_id, range_id
-- @needs   nvtx_ranges
-- @param   like_nsys     VARCHAR '2023.4' text Release of NVIDIA's tool whose names to print, and whether to have the row without one: 2023.4 or 2025.3.
-- @require like_nsys IN ('2023.4', '2025.3')
-- @column  report_id     INTEGER id    Report the row belongs to.
-- @column  range_name    VARCHAR text  Name, behind its domain and a colon if it has one, as like_nsys has it.
-- @column  proj_start_ns BIGINT  ns    Start of the first operation.
-- @column  proj_ns       BIGINT  ns    From there to the end of the last operation.
-- @column  start_ns      BIGINT  ns    Start of the range.
-- @column  dur_ns        BIGINT  ns    Length of the range.
-- @column  style         VARCHAR text  PushPop or StartEnd.
-- @column  pid           INTEGER id    Process id of the operating system.
-- @column  tid           INTEGER id    Thread id of the operating system.
-- @column  op_count      BIGINT  count Calls that started work.
-- @column  level         INTEGER count Ranges that it lies in; 0 for none.
-- @column  child_count   BIGINT  count Children that started work.
-- @column  range_id      BIGINT  id(nvtx_ranges.range_id) Range, the number of its row in the export; NULL in the row without a name.
-- @column  parent_id     BIGINT  id(nvtx_ranges.range_id) Shortest range that it lies in; NULL for none.
-- @column  range_stack   VARCHAR text  Numbers of the ranges from the outermost to this one, each behind a colon.
-- @title   NVTX GPU Projection Trace
-- @print   range_name Name; proj_start_ns Projected Start; proj_ns Projected Duration; start_ns Orig Start; dur_ns Orig Duration;
--     style Style; pid PID; tid TID; op_count NumGPUOps; level Lvl; child_count NumChild; range_id RangeId; parent_id
--     ParentId; range_stack RangeStack
-- @skip    NV Tools Extension (NVTX) data
-- @skip    api_calls: CUDA API data
-- @skip    kernels|memcpys|memsets: GPU operation data
-- @order   report_id, range_id NULLS FIRST
-- @assert  proj_ns >= 0
-- @assert  op_count >= 1
-- @example SELECT range_name, proj_start_ns, proj_ns, op_count FROM nvtx_gpu_proj_trace ORDER BY proj_ns DESC LIMIT 5
WITH tree AS (
    SELECT report_id, range_id, coalesce(other_parent_id, family_parent_id) AS parent_id
    FROM _nvtx_nesting
),

-- Of reports that have NVTX events at all.
outside AS (
    SELECT
        o.report_id, min(o.start_ns) AS first_start_ns, max(o.end_ns) AS last_end_ns,
        arg_max(a.thread_id, {'at': o.end_ns, 'first': -a.call_id}) AS thread_id,
        count(DISTINCT (a.process_id, o.correlation_id)) AS op_count
    FROM (FROM _op_callers AS o ANTI JOIN _call_ranges AS c ON c.report_id = o.report_id AND c.call_id = o.call_id) AS o
    SEMI JOIN _nvtx_reports AS n ON n.report_id = o.report_id
    INNER JOIN _api_rows AS a ON a.report_id = o.report_id AND a.call_id = o.call_id
    WHERE like_nsys = '2023.4'
    GROUP BY o.report_id
),

rows AS (
    SELECT
        p.report_id, p.range_name, p.proj_start_ns, p.proj_ns, p.start_ns, p.dur_ns, p.style, p.thread_id, p.op_count,
        p.level, p.child_count, p.range_id, p.parent_id, coalesce(s.range_stack, '') || ':' || p.range_id AS range_stack
    FROM _projected_ranges(like_nsys := like_nsys) AS p
    LEFT JOIN _range_stacks('tree') AS s ON s.report_id = p.report_id AND s.range_id = p.parent_id
    UNION ALL
    SELECT
        report_id, NULL, first_start_ns, last_end_ns - first_start_ns, NULL, NULL, NULL, thread_id, op_count, NULL, 0, NULL,
        NULL, NULL
    FROM outside
)

SELECT
    report_id,
    range_name,
    proj_start_ns,
    proj_ns,
    start_ns,
    dur_ns,
    style,
    CAST((thread_id >> 24) & 16777215 AS INTEGER) AS pid,
    CAST(thread_id & 16777215 AS INTEGER) AS tid,
    op_count,
    level,
    child_count,
    range_id,
    parent_id,
    range_stack
FROM rows
