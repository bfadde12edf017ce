-- Which NVTX range each GPU operation belongs to: the innermost one around its launch.
--
-- An operation belongs to the innermost range around the API call that asked for it, on the thread that called (via thread).
-- A thread that never opens a range in a domain of the application, as the one that runs backward in PyTorch, works for the
-- others: what it launches outside of ranges of its own belongs to the innermost application range that was open on another
-- thread of its process when the call began (via process). If several threads had one open, the one that changed last is taken, and
-- is_ambiguous says so. Work launched outside of all ranges by a thread that has some is outside. A range of a library
-- (nvtx_domains) may be the innermost; the application's own range around it, found in the same ways, is beside it.
-- Operations of a CUDA graph belong to the range around the launch of the graph, traced node by node or as one.
--
-- @version 1
-- @grain   report_id, op_id
-- @needs   nvtx_ranges
-- @column  report_id            INTEGER id                       Report the row belongs to.
-- @column  op_id                BIGINT  id(gpu_ops.op_id)        Operation.
-- @column  range_id             BIGINT  id(nvtx_ranges.range_id) Range it belongs to; NULL for none.
-- @column  via                  VARCHAR text                     thread or process; NULL without a range.
-- @column  application_range_id BIGINT  id(nvtx_ranges.range_id) Application range it belongs to: the same, unless that is a library's; NULL for none.
-- @column  application_via      VARCHAR text                     thread or process; NULL without an application range.
-- @column  is_ambiguous         BOOLEAN bool                     Found via process, and several threads had a range open.
-- @column  reason               VARCHAR text                     Why it has no range: no_call (api_ops says why) or outside; NULL with one.
-- @column  call_id              BIGINT  id(api_calls.call_id)    API call that asked for it; NULL for none.
-- @order   report_id, op_id
-- @assert  (range_id IS NULL) = (reason IS NOT NULL)
-- @assert  (range_id IS NULL) = (via IS NULL)
-- @assert  (application_range_id IS NULL) = (application_via IS NULL)
-- @assert  NOT is_ambiguous OR application_via = 'process'
-- @example SELECT via, reason, count(*) AS op_count FROM op_ranges GROUP BY ALL
WITH own AS (
    SELECT report_id, call_id, range_id FROM _call_ranges WHERE is_innermost
),

in_library AS (
    SELECT o.report_id, o.call_id
    FROM own AS o
    ANTI JOIN _application_ranges AS a ON a.report_id = o.report_id AND a.range_id = o.range_id
),

own_application AS (
    SELECT
        c.report_id, c.call_id,
        arg_max(r.range_id, {'short': r.start_ns - r.end_ns, 'late': r.start_ns, 'number': r.range_id}) AS range_id
    FROM _call_ranges AS c
    SEMI JOIN in_library AS l ON l.report_id = c.report_id AND l.call_id = c.call_id
    INNER JOIN _application_ranges AS r ON r.report_id = c.report_id AND r.range_id = c.range_id
    GROUP BY c.report_id, c.call_id
),

owners AS (
    SELECT
        o.op_id, o.report_id, c.call_id, t.range_id AS own_id, p.range_id AS process_id, p.is_ambiguous,
        l.call_id IS NOT NULL AS is_in_library,
        a.range_id AS own_application_id
    FROM gpu_ops AS o
    LEFT JOIN _op_calls AS c ON c.report_id = o.report_id AND c.op_id = o.op_id
    LEFT JOIN own AS t ON t.report_id = c.report_id AND t.call_id = c.call_id
    LEFT JOIN in_library AS l ON l.report_id = c.report_id AND l.call_id = c.call_id
    LEFT JOIN own_application AS a ON a.report_id = c.report_id AND a.call_id = c.call_id
    LEFT JOIN _process_ranges AS p ON p.report_id = c.report_id AND p.call_id = c.call_id
)

SELECT
    report_id,
    op_id,
    coalesce(own_id, process_id) AS range_id,
    CASE WHEN own_id IS NOT NULL THEN 'thread' WHEN process_id IS NOT NULL THEN 'process' END AS via,
    CASE WHEN is_in_library THEN coalesce(own_application_id, process_id) ELSE coalesce(own_id, process_id) END
        AS application_range_id,
    CASE
        WHEN own_application_id IS NOT NULL OR (own_id IS NOT NULL AND NOT is_in_library) THEN 'thread'
        WHEN process_id IS NOT NULL THEN 'process'
    END AS application_via,
    coalesce(is_ambiguous, FALSE) AS is_ambiguous,
    CASE WHEN own_id IS NULL AND process_id IS NULL THEN CASE WHEN call_id IS NULL THEN 'no_call' ELSE 'outside' END END AS reason,
    call_id
FROM owners
