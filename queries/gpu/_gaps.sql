-- Intervals in which a GPU had nothing to run, without what its CPU was doing.
--
-- The concept stands in gaps.
--
-- @version 1
-- @grain   report_id, gap_id
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gap_id         BIGINT  id    Gap, unique within the report, in the order of GPU and time (with holes).
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU that was idle.
-- @column  position       VARCHAR text  lead_in, between or tail.
-- @column  start_ns       BIGINT  ns    Start of the gap.
-- @column  end_ns         BIGINT  ns    End of the gap.
-- @column  dur_ns         BIGINT  ns    Length of the gap.
-- @column  island_before  BIGINT  id    Stretch of busy_islands before it; 0 for lead_in.
-- @column  op_before_id   BIGINT  id(gpu_ops.op_id) Operation that began that stretch; NULL for lead_in.
-- @column  op_before      VARCHAR text  Name of that operation.
-- @column  next_op_id     BIGINT  id(gpu_ops.op_id) Operation that ended the gap (of several the first by number); NULL for tail.
-- @column  next_op        VARCHAR text  Name of that operation.
-- @column  is_tail_known  BOOLEAN bool  The report says how long it recorded, so the GPU's tail can be known.
WITH gpus_busy AS (
    SELECT
        b.report_id,
        b.gpu_id,
        max(b.island) AS last_island,
        coalesce(sum(max(b.island) + 1) OVER (
            PARTITION BY b.report_id ORDER BY b.gpu_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS earlier_gaps,
        any_value(r.start_ns) AS capture_start_ns,
        any_value(r.end_ns) AS capture_end_ns
    FROM _busy_islands AS b
    INNER JOIN _captures AS r USING (report_id)
    GROUP BY b.report_id, b.gpu_id
),

idle AS (
    SELECT
        i.report_id, i.gpu_id, i.island,
        CASE WHEN i.island = 1 THEN 'lead_in' ELSE 'between' END AS position,
        coalesce(p.start_ns + p.dur_ns, g.capture_start_ns) AS start_ns,
        i.start_ns AS end_ns,
        p.first_op_id AS op_before_id,
        p.first_op AS op_before,
        i.first_op_id AS next_op_id,
        i.first_op AS next_op
    FROM _busy_islands AS i
    INNER JOIN gpus_busy AS g ON g.report_id = i.report_id AND g.gpu_id = i.gpu_id
    LEFT JOIN _busy_islands AS p
        ON p.report_id = i.report_id AND p.gpu_id = i.gpu_id AND p.island = i.island - 1
    UNION ALL
    SELECT
        i.report_id, i.gpu_id, i.island + 1, 'tail', i.start_ns + i.dur_ns, g.capture_end_ns, i.first_op_id, i.first_op, NULL, NULL
    FROM _busy_islands AS i
    INNER JOIN gpus_busy AS g
        ON g.report_id = i.report_id AND g.gpu_id = i.gpu_id AND g.last_island = i.island
)

SELECT
    i.report_id,
    CAST(g.earlier_gaps + i.island AS BIGINT) AS gap_id,
    i.gpu_id,
    i.position,
    i.start_ns,
    i.end_ns,
    i.end_ns - i.start_ns AS dur_ns,
    i.island - 1 AS island_before,
    i.op_before_id,
    i.op_before,
    i.next_op_id,
    i.next_op,
    g.capture_end_ns IS NOT NULL AS is_tail_known
FROM idle AS i
INNER JOIN gpus_busy AS g USING (report_id, gpu_id)
WHERE i.end_ns > i.start_ns
