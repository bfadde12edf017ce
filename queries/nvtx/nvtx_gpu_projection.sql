-- What each NVTX range had the GPUs do: operations, span, busy time, inclusive and exclusive, one row per range and GPU.
--
-- A range has the operations whose launch lies in it, on the thread that opened it (via thread), and those of threads without
-- application ranges that were launched while it was open (via process; op_ranges tells how). Operations in a range count for
-- every range around it too (inclusive); exclusive are those that have no range further in. busy_ns is the union of the
-- operations, without the pauses: NVIDIA's projection is the span, pauses and the work of others in them included. Launches
-- of CUDA graphs count in both trace modes. Ranges without GPU work have no row.
-- With across_threads, what other threads of the process launched while the range was open counts too, though they open
-- ranges of their own.
--
-- @version 1
-- @grain   report_id, range_id, gpu_id
-- @needs   nvtx_ranges
-- @param   across_threads BOOLEAN FALSE bool Count the work of other annotated threads of the process.
-- @column  report_id           INTEGER id                       Report the row belongs to.
-- @column  range_id            BIGINT  id(nvtx_ranges.range_id) Range.
-- @column  gpu_id              INTEGER id(gpus.gpu_id)          GPU.
-- @column  process_id          BIGINT  id                       Process of the range.
-- @column  thread_id           BIGINT  id(threads.thread_id)    Thread that opened it.
-- @column  domain              VARCHAR text                     Domain; NULL for the default domain.
-- @column  name                VARCHAR text                     Name.
-- @column  nvtx_path           VARCHAR text                     Names from the outermost range to it, with slashes.
-- @column  depth               INTEGER count                    Ranges that it lies in.
-- @column  is_library          BOOLEAN bool                     Opened in a library's domain.
-- @column  via                 VARCHAR text                     thread, process or both.
-- @column  op_count            BIGINT  count                    Operations.
-- @column  kernel_count        BIGINT  count                    Kernels among them.
-- @column  memcpy_count        BIGINT  count                    Copies.
-- @column  memset_count        BIGINT  count                    Memsets.
-- @column  graph_launch_count  BIGINT  count                    Launches of CUDA graphs that were traced as one.
-- @column  thread_op_count     BIGINT  count                    Operations launched by its own thread.
-- @column  process_op_count    BIGINT  count                    Operations launched by other threads.
-- @column  ambiguous_op_count  BIGINT  count                    Of those, operations that might belong to a range of another thread.
-- @column  first_start_ns      BIGINT  ns                       Start of the first operation.
-- @column  last_end_ns         BIGINT  ns                       End of the last one.
-- @column  span_ns             BIGINT  ns                       last_end_ns - first_start_ns.
-- @column  busy_ns             BIGINT  ns                       Time in which at least one of the operations ran.
-- @column  op_dur_ns           BIGINT  ns                       Sum of their lengths.
-- @column  kernel_ns           BIGINT  ns                       Sum of the kernels' lengths.
-- @column  memcpy_ns           BIGINT  ns                       Sum of the copies' lengths.
-- @column  memset_ns           BIGINT  ns                       Sum of the memsets' lengths.
-- @column  exclusive_op_count  BIGINT  count                    Operations that have no range further in.
-- @column  exclusive_busy_ns   BIGINT  ns                       Time in which at least one of those ran.
-- @column  cpu_ns              BIGINT  ns                       Length of the range on the CPU; NULL for an open range.
-- @order   busy_ns DESC
-- @assert  busy_ns <= span_ns
-- @assert  busy_ns <= op_dur_ns
-- @assert  op_count = thread_op_count + process_op_count
-- @assert  op_count = kernel_count + memcpy_count + memset_count + graph_launch_count
-- @assert  exclusive_op_count <= op_count
-- @assert  exclusive_busy_ns <= busy_ns
-- @assert  via IN ('thread', 'process', 'both')
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT name, sum(busy_ns) AS busy_ns, sum(op_count) AS op_count FROM nvtx_gpu_projection GROUP BY ALL ORDER BY busy_ns DESC LIMIT 5
WITH RECURSIVE annotated AS (
    SELECT DISTINCT report_id, process_id, thread_id
    FROM _application_ranges
),

pairs AS (
    SELECT c.report_id, c.thread_id, a.thread_id AS range_thread_id
    FROM (SELECT DISTINCT report_id, process_id, thread_id FROM _api_rows) AS c
    INNER JOIN annotated AS a
        ON a.report_id = c.report_id AND a.process_id = c.process_id AND a.thread_id <> c.thread_id
    WHERE across_threads
),

-- is_owner: no range further in.
around AS MATERIALIZED (
    SELECT report_id, call_id, range_id, is_innermost AS is_owner, FALSE AS is_of_process, FALSE AS is_ambiguous
    FROM _call_ranges
    UNION ALL
    SELECT p.report_id, p.call_id, p.range_id, c.call_id IS NULL, TRUE, p.is_ambiguous
    FROM _process_ranges AS p
    LEFT JOIN (FROM _call_ranges WHERE is_innermost) AS c ON c.report_id = p.report_id AND c.call_id = p.call_id
    UNION ALL
    SELECT m.report_id, m.call_id, m.range_id, FALSE, TRUE, FALSE
    FROM _ranges_meanwhile('pairs') AS m
    ANTI JOIN _process_ranges AS p ON p.report_id = m.report_id AND p.call_id = m.call_id AND p.range_id = m.range_id
),

-- An operation that overlaps no other one of its GPU adds its length to the busy time of every range that it is in.
ops AS (
    SELECT
        g.report_id, g.op_id, c.call_id, g.gpu_id, g.kind, g.start_ns, g.end_ns, g.dur_ns,
        coalesce(g.start_ns < max(g.end_ns) OVER (on_gpu ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), FALSE)
        OR coalesce(lead(g.start_ns) OVER on_gpu < g.end_ns, FALSE) AS is_overlapping
    FROM gpu_ops AS g
    LEFT JOIN _op_calls AS c ON c.report_id = g.report_id AND c.op_id = g.op_id
    WINDOW on_gpu AS (PARTITION BY g.report_id, g.gpu_id ORDER BY g.start_ns)
),

sums AS (
    SELECT
        o.report_id, a.range_id, o.gpu_id, a.is_of_process,
        count(*) AS op_count,
        count_if(o.kind = 'kernel') AS kernel_count,
        count_if(o.kind = 'memcpy') AS memcpy_count,
        count_if(o.kind = 'memset') AS memset_count,
        count_if(a.is_ambiguous) AS ambiguous_op_count,
        count_if(a.is_owner) AS exclusive_op_count,
        min(o.start_ns) AS first_start_ns,
        max(o.end_ns) AS last_end_ns,
        CAST(sum(o.dur_ns) AS BIGINT) AS op_dur_ns,
        CAST(sum(CASE WHEN o.kind = 'kernel' THEN o.dur_ns ELSE 0 END) AS BIGINT) AS kernel_ns,
        CAST(sum(CASE WHEN o.kind = 'memcpy' THEN o.dur_ns ELSE 0 END) AS BIGINT) AS memcpy_ns,
        CAST(sum(CASE WHEN o.kind = 'memset' THEN o.dur_ns ELSE 0 END) AS BIGINT) AS memset_ns,
        CAST(sum(CASE WHEN o.is_overlapping THEN 0 ELSE o.dur_ns END) AS BIGINT) AS alone_ns,
        CAST(sum(CASE WHEN o.is_overlapping OR NOT a.is_owner THEN 0 ELSE o.dur_ns END) AS BIGINT) AS exclusive_alone_ns
    FROM ops AS o
    INNER JOIN around AS a ON a.report_id = o.report_id AND a.call_id = o.call_id
    GROUP BY o.report_id, a.range_id, o.gpu_id, a.is_of_process
),

chains AS (
    SELECT DISTINCT report_id, range_id, range_id AS ancestor_id
    FROM around
    WHERE is_of_process
    UNION ALL
    SELECT c.report_id, c.range_id, coalesce(n.other_parent_id, n.family_parent_id)
    FROM chains AS c
    INNER JOIN _nvtx_nesting AS n ON n.report_id = c.report_id AND n.range_id = c.ancestor_id
    WHERE coalesce(n.other_parent_id, n.family_parent_id) IS NOT NULL
),

holders AS (
    SELECT report_id, range_id, ancestor_id, FALSE AS is_of_process
    FROM _range_ancestors
    UNION ALL
    SELECT c.report_id, c.range_id, c.ancestor_id, TRUE
    FROM chains AS c
    SEMI JOIN _application_ranges AS a ON a.report_id = c.report_id AND a.range_id = c.ancestor_id
),

overlapping AS (
    SELECT a.report_id, a.range_id, a.is_of_process, a.is_owner, o.gpu_id, o.start_ns, o.end_ns
    FROM (FROM ops WHERE is_overlapping) AS o
    INNER JOIN around AS a ON a.report_id = o.report_id AND a.call_id = o.call_id
),

inclusive_rows AS (
    SELECT o.report_id, (h.ancestor_id << 20) + o.gpu_id AS track_id, o.start_ns, o.end_ns
    FROM overlapping AS o
    INNER JOIN holders AS h
        ON h.report_id = o.report_id AND h.range_id = o.range_id AND h.is_of_process = o.is_of_process
),

exclusive_rows AS (
    SELECT report_id, (range_id << 20) + gpu_id AS track_id, start_ns, end_ns FROM overlapping WHERE is_owner
),

inclusive AS (
    SELECT
        s.report_id, h.ancestor_id AS range_id, s.gpu_id,
        sum(s.op_count) AS op_count,
        sum(s.kernel_count) AS kernel_count,
        sum(s.memcpy_count) AS memcpy_count,
        sum(s.memset_count) AS memset_count,
        sum(CASE WHEN s.is_of_process THEN s.op_count ELSE 0 END) AS process_op_count,
        sum(s.ambiguous_op_count) AS ambiguous_op_count,
        min(s.first_start_ns) AS first_start_ns,
        max(s.last_end_ns) AS last_end_ns,
        sum(s.op_dur_ns) AS op_dur_ns,
        sum(s.kernel_ns) AS kernel_ns,
        sum(s.memcpy_ns) AS memcpy_ns,
        sum(s.memset_ns) AS memset_ns,
        sum(s.alone_ns) AS alone_ns,
        sum(CASE WHEN h.ancestor_id = s.range_id THEN s.exclusive_op_count ELSE 0 END) AS exclusive_op_count,
        sum(CASE WHEN h.ancestor_id = s.range_id THEN s.exclusive_alone_ns ELSE 0 END) AS exclusive_alone_ns
    FROM sums AS s
    INNER JOIN holders AS h
        ON h.report_id = s.report_id AND h.range_id = s.range_id AND h.is_of_process = s.is_of_process
    GROUP BY s.report_id, h.ancestor_id, s.gpu_id
)

SELECT
    i.report_id,
    i.range_id,
    i.gpu_id,
    r.process_id,
    r.thread_id,
    r.domain,
    r.name,
    r.path AS nvtx_path,
    r.depth,
    r.is_library,
    CASE i.process_op_count WHEN 0 THEN 'thread' WHEN i.op_count THEN 'process' ELSE 'both' END AS via,
    CAST(i.op_count AS BIGINT) AS op_count,
    CAST(i.kernel_count AS BIGINT) AS kernel_count,
    CAST(i.memcpy_count AS BIGINT) AS memcpy_count,
    CAST(i.memset_count AS BIGINT) AS memset_count,
    CAST(i.op_count - i.kernel_count - i.memcpy_count - i.memset_count AS BIGINT) AS graph_launch_count,
    CAST(i.op_count - i.process_op_count AS BIGINT) AS thread_op_count,
    CAST(i.process_op_count AS BIGINT) AS process_op_count,
    CAST(i.ambiguous_op_count AS BIGINT) AS ambiguous_op_count,
    i.first_start_ns,
    i.last_end_ns,
    i.last_end_ns - i.first_start_ns AS span_ns,
    CAST(i.alone_ns + coalesce(t.union_ns, 0) AS BIGINT) AS busy_ns,
    CAST(i.op_dur_ns AS BIGINT) AS op_dur_ns,
    CAST(i.kernel_ns AS BIGINT) AS kernel_ns,
    CAST(i.memcpy_ns AS BIGINT) AS memcpy_ns,
    CAST(i.memset_ns AS BIGINT) AS memset_ns,
    CAST(i.exclusive_op_count AS BIGINT) AS exclusive_op_count,
    CAST(i.exclusive_alone_ns + coalesce(e.union_ns, 0) AS BIGINT) AS exclusive_busy_ns,
    r.dur_ns AS cpu_ns
FROM inclusive AS i
INNER JOIN nvtx_ranges AS r ON r.report_id = i.report_id AND r.range_id = i.range_id
LEFT JOIN interval_union_ns('inclusive_rows') AS t ON t.report_id = i.report_id AND t.track_id = (i.range_id << 20) + i.gpu_id
LEFT JOIN interval_union_ns('exclusive_rows') AS e ON e.report_id = i.report_id AND e.track_id = (i.range_id << 20) + i.gpu_id
