-- What the edges of a window of time do to the operations in it, a sentence each; without a window there is nothing to say.
--
-- An operation in the window whose call lies outside of it has neither the call nor the NVTX ranges around that. One that
-- reaches over an edge is in the window with a part of its time, yet with all of its bytes and as one operation.
--
-- @version 1
-- @grain   report_id, relation, message
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  relation  VARCHAR text Relation below a view that makes the sentence matter to it.
-- @column  message   VARCHAR text The sentence.
WITH whole_ops AS (
    SELECT report_id, _rowid * 8 AS op_id, start, "end" FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
    UNION ALL
    SELECT report_id, _rowid * 8 + 1, start, "end" FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY
    UNION ALL
    SELECT report_id, _rowid * 8 + 2, start, "end" FROM raw.CUPTI_ACTIVITY_KIND_MEMSET
    UNION ALL
    SELECT report_id, _rowid * 8 + 3, start, "end" FROM raw.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
),

edge_ops AS (
    SELECT o.report_id, o.op_id, o.start_ns, o.end_ns
    FROM _op_rows AS o
    INNER JOIN _captures AS c ON c.report_id = o.report_id AND (c.start_ns = o.start_ns OR coalesce(o.end_ns >= c.end_ns, TRUE))
),

reaching AS (
    SELECT
        w.report_id,
        CASE w.op_id % 8 WHEN 0 THEN 'kernels' WHEN 1 THEN 'memcpys' WHEN 2 THEN 'memsets' ELSE 'graph_launches' END AS kind,
        count(*) AS op_count
    FROM edge_ops AS o
    INNER JOIN whole_ops AS w ON w.report_id = o.report_id AND w.op_id = o.op_id
    WHERE w.start < o.start_ns OR w.end > o.end_ns
    GROUP BY ALL
),

orphans AS (
    SELECT o.report_id, o.op_id, o.process_id, o.correlation_id
    FROM _op_rows AS o
    ANTI JOIN _api_rows AS a
        ON a.report_id = o.report_id AND a.process_id = o.process_id AND a.correlation_id = o.correlation_id
    WHERE o.correlation_id IS NOT NULL
),

calls AS (
    SELECT r.report_id, r.globalTid & (-16777216)::BIGINT AS process_id, r.correlationId AS correlation_id, min(r.start) AS start_ns
    FROM raw.CUPTI_ACTIVITY_KIND_RUNTIME AS r
    SEMI JOIN orphans AS o
        ON o.report_id = r.report_id AND o.correlation_id = r.correlationId
        AND o.process_id = r.globalTid & (-16777216)::BIGINT
    GROUP BY ALL
),

launched_outside AS (
    SELECT o.report_id, count(*) AS op_count, min(c.start_ns) AS first_ns
    FROM orphans AS o
    INNER JOIN calls AS c
        ON c.report_id = o.report_id AND c.process_id = o.process_id AND c.correlation_id = o.correlation_id
    GROUP BY o.report_id
)

SELECT l.report_id, n.relation, format(
    '{} of the GPU operations in the window were called for outside of it, the first at {:.6f} s: they have no call and no NVTX range here',
    l.op_count, l.first_ns / 1e9) AS message
FROM launched_outside AS l
CROSS JOIN (VALUES ('api_ops'), ('_call_ops')) AS n (relation)
UNION ALL
SELECT r.report_id, n.relation, format(
    '{} of the {} in the window reach over its edge: their time counts in part, they and their bytes in full', r.op_count, r.kind)
FROM reaching AS r
CROSS JOIN unnest([r.kind, '_call_ops']) AS n (relation)
UNION ALL
SELECT report_id, 'cuda_events', format('{} records of events have no time and are in no window', count(*))
FROM raw.CUPTI_ACTIVITY_KIND_CUDA_EVENT
WHERE nullif(timestamp, 0) IS NULL
GROUP BY report_id
