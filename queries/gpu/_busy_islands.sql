-- Stretches in which a GPU was busy without a pause, as they are stored.
--
-- The concept stands in busy_islands. Computed once per report: every question about idle and busy time starts here. Of
-- operations there are only the numbers: their names would be a fifth of the table and more than half of the work.
--
-- @version 1
-- @kind    table
-- @grain   report_id, gpu_id, island
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU.
-- @column  island         BIGINT  id    Stretch, counted from 1 by time.
-- @column  start_ns       BIGINT  ns    Start of its first operation.
-- @column  end_ns         BIGINT  ns    End of its last operation.
-- @column  op_count       BIGINT  count Operations in it.
-- @column  first_op_id    BIGINT  id(gpu_ops.op_id) Operation that began it (of several the first by number).
-- @column  last_op_id     BIGINT  id(gpu_ops.op_id) Operation that ended it (of several the last by number) if it is another one; else NULL.
WITH ops AS (
    SELECT report_id, gpu_id, op_id, start_ns, end_ns * 18446744073709551616 + op_id AS ending FROM gpu_ops
),

-- An ending is an end with the number of its operation in the lower 64 bits: the latest one tells both.
placed AS (
    SELECT
        report_id, gpu_id, op_id, start_ns,
        row_number() OVER track AS place,
        max(ending) OVER (track ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ending_before,
        count(*) OVER (PARTITION BY report_id, gpu_id) AS last_place,
        max(ending) OVER (PARTITION BY report_id, gpu_id) AS last_ending
    FROM ops
    WINDOW track AS (PARTITION BY report_id, gpu_id ORDER BY start_ns, op_id)
),

-- Of the first operations of the stretches, each ends what the one before it began.
islands AS (
    SELECT
        report_id, gpu_id, op_id, start_ns,
        row_number() OVER track AS island,
        coalesce(lead(ending_before) OVER track, last_ending) AS ending,
        coalesce(lead(place) OVER track, last_place + 1) - place AS op_count
    FROM placed
    WHERE coalesce(start_ns * 18446744073709551616 > ending_before, TRUE)
    WINDOW track AS (PARTITION BY report_id, gpu_id ORDER BY start_ns)
)

SELECT
    report_id,
    gpu_id,
    island,
    start_ns,
    CAST((ending - (ending & 18446744073709551615)) // 18446744073709551616 AS BIGINT) AS end_ns,
    op_count,
    op_id AS first_op_id,
    nullif(CAST(ending & 18446744073709551615 AS BIGINT), op_id) AS last_op_id
FROM islands
