-- GPU operations with the NVTX ranges that they belong to, and how long they took.
--
-- The concept stands in op_ranges. The lengths are here so that who adds them up needs no second look at the operations.
--
-- @version 1
-- @grain   report_id, op_id
-- @column  report_id            INTEGER id   Report the row belongs to.
-- @column  op_id                BIGINT  id   Operation.
-- @column  range_id             BIGINT  id   Range it belongs to; NULL for none.
-- @column  via                  VARCHAR text thread or process; NULL without a range.
-- @column  application_range_id BIGINT  id   Application range it belongs to: the same, unless that is a library's; NULL for none.
-- @column  application_via      VARCHAR text thread or process; NULL without an application range.
-- @column  is_ambiguous         BOOLEAN bool Found via process, and several threads had a range open.
-- @column  reason               VARCHAR text Why it has no range: no_call (api_ops says why) or outside; NULL with one.
-- @column  call_id              BIGINT  id   API call that asked for it; NULL for none.
-- @column  dur_ns               BIGINT  ns   Length of the operation.
WITH own AS (
    SELECT report_id, call_id, range_id FROM _call_ranges WHERE is_innermost
),

library_ranges AS (
    SELECT r.report_id, r.range_id
    FROM _nvtx_rows AS r
    INNER JOIN nvtx_domains AS d
        ON d.report_id = r.report_id AND d.process_id = r.process_id AND d.domain_id = r.domain_id
    WHERE d.is_library
),

in_library AS (
    SELECT o.report_id, o.call_id
    FROM own AS o
    SEMI JOIN library_ranges AS l ON l.report_id = o.report_id AND l.range_id = o.range_id
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
        o.op_id, o.report_id, o.dur_ns, c.call_id, t.range_id AS own_id, p.range_id AS process_id, p.is_ambiguous,
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
    call_id,
    dur_ns
FROM owners
