-- How much of the GPU work the NVTX ranges account for, one row per process and GPU.
--
-- Counted are operations and their lengths, by how op_ranges found the range of each. Work outside of all ranges and work whose
-- launch was not recorded are counted apart: a table by range knows nothing of them.
--
-- @version 1
-- @grain   report_id, process_id, gpu_id
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @column  report_id               INTEGER id              Report the row belongs to.
-- @column  process_id              BIGINT  id              Process of the work.
-- @column  gpu_id                  INTEGER id(gpus.gpu_id) GPU.
-- @column  range_count             BIGINT  count           Ranges that the process opened in domains of its own, but those that another thread closed.
-- @column  annotated_thread_count  BIGINT  count           Threads that opened them.
-- @column  launching_thread_count  BIGINT  count           Threads that launched the work.
-- @column  op_count                BIGINT  count           Operations.
-- @column  thread_op_count         BIGINT  count           In a range of the thread that launched them.
-- @column  process_op_count        BIGINT  count           In a range of another thread of the process.
-- @column  ambiguous_op_count      BIGINT  count           Of those, operations that might belong to ranges of several threads.
-- @column  outside_op_count        BIGINT  count           Outside of all ranges.
-- @column  no_call_op_count        BIGINT  count           Without a recorded launch.
-- @column  library_only_op_count   BIGINT  count           In ranges of libraries alone, none of the application's around them.
-- @column  op_dur_ns               BIGINT  ns              Sum of the operations' lengths.
-- @column  covered_dur_ns          BIGINT  ns              Of those in a range.
-- @column  covered_ratio           DOUBLE  ratio           covered_dur_ns of op_dur_ns.
-- @order   report_id, process_id, gpu_id
-- @assert  op_count = thread_op_count + process_op_count + outside_op_count + no_call_op_count
-- @assert  covered_dur_ns <= op_dur_ns
-- @assert  ambiguous_op_count <= op_count
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT gpu_id, op_count, thread_op_count, process_op_count, outside_op_count FROM nvtx_coverage
WITH ranges AS (
    SELECT report_id, process_id, count(*) AS range_count, count(DISTINCT thread_id) AS annotated_thread_count
    FROM _application_ranges
    GROUP BY report_id, process_id
),

covered AS (
    SELECT
        g.report_id, g.process_id, g.gpu_id,
        count(*) AS op_count,
        count(DISTINCT c.thread_id) AS launching_thread_count,
        count(CASE WHEN r.via = 'thread' THEN 1 END) AS thread_op_count,
        count(CASE WHEN r.via = 'process' THEN 1 END) AS process_op_count,
        count(CASE WHEN r.is_ambiguous THEN 1 END) AS ambiguous_op_count,
        count(CASE WHEN r.reason = 'outside' THEN 1 END) AS outside_op_count,
        count(CASE WHEN r.reason = 'no_call' THEN 1 END) AS no_call_op_count,
        count(CASE WHEN r.range_id IS NOT NULL AND r.application_range_id IS NULL THEN 1 END) AS library_only_op_count,
        sum(g.dur_ns) AS op_dur_ns,
        sum(CASE WHEN r.range_id IS NOT NULL THEN g.dur_ns ELSE 0 END) AS covered_dur_ns
    FROM gpu_ops AS g
    INNER JOIN op_ranges AS r ON r.report_id = g.report_id AND r.op_id = g.op_id
    LEFT JOIN _api_rows AS c ON c.report_id = r.report_id AND c.call_id = r.call_id
    GROUP BY g.report_id, g.process_id, g.gpu_id
)

SELECT
    c.report_id,
    c.process_id,
    c.gpu_id,
    coalesce(r.range_count, 0) AS range_count,
    coalesce(r.annotated_thread_count, 0) AS annotated_thread_count,
    c.launching_thread_count,
    c.op_count,
    CAST(c.thread_op_count AS BIGINT) AS thread_op_count,
    CAST(c.process_op_count AS BIGINT) AS process_op_count,
    CAST(c.ambiguous_op_count AS BIGINT) AS ambiguous_op_count,
    CAST(c.outside_op_count AS BIGINT) AS outside_op_count,
    CAST(c.no_call_op_count AS BIGINT) AS no_call_op_count,
    CAST(c.library_only_op_count AS BIGINT) AS library_only_op_count,
    CAST(c.op_dur_ns AS BIGINT) AS op_dur_ns,
    CAST(c.covered_dur_ns AS BIGINT) AS covered_dur_ns,
    c.covered_dur_ns / nullif(c.op_dur_ns, 0) AS covered_ratio
FROM covered AS c
LEFT JOIN ranges AS r USING (report_id, process_id)
