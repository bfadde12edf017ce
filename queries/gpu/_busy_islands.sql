-- Stretches in which a GPU was busy without a pause, as they are stored.
--
-- The concept stands in busy_islands. Computed once per report: every question about idle and busy time starts here. What ended a
-- stretch is not stored: nearly always it is what began it, else _island_ends has it.
--
-- @version 1
-- @kind    table
-- @grain   report_id, gpu_id, island
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  gpu_id         INTEGER id(gpus.gpu_id) GPU.
-- @column  island         BIGINT  id    Stretch, counted from 1 by time.
-- @column  start_ns       BIGINT  ns    Start of its first operation.
-- @column  dur_ns         BIGINT  ns    Length.
-- @column  op_count       BIGINT  count Operations in it.
-- @column  first_op_id    BIGINT  id(gpu_ops.op_id) Operation that began it (of several the first by number).
-- @column  first_op       VARCHAR text  Name of that operation.
WITH names AS MATERIALIZED (
    SELECT name, CAST(row_number() OVER () AS INTEGER) AS name_number FROM (SELECT DISTINCT name FROM gpu_ops)
),

-- Names go by their numbers: to sort them with the rows takes more time than all else.
placed AS (
    SELECT
        o.report_id, o.gpu_id, o.op_id, n.name_number, o.start_ns,
        row_number() OVER track AS place,
        max(o.end_ns) OVER (track ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy_until_ns,
        count(*) OVER (PARTITION BY o.report_id, o.gpu_id) AS last_place,
        max(o.end_ns) OVER (PARTITION BY o.report_id, o.gpu_id) AS last_end_ns
    FROM gpu_ops AS o
    LEFT JOIN names AS n ON n.name = o.name
    WINDOW track AS (PARTITION BY o.report_id, o.gpu_id ORDER BY o.start_ns, o.op_id)
),

-- Of the first operations of the stretches, each ends what the one before it began.
islands AS (
    SELECT
        report_id, gpu_id, start_ns, op_id, name_number,
        row_number() OVER track AS island,
        coalesce(lead(busy_until_ns) OVER track, last_end_ns) - start_ns AS dur_ns,
        coalesce(lead(place) OVER track, last_place + 1) - place AS op_count
    FROM placed
    WHERE coalesce(start_ns > busy_until_ns, TRUE)
    WINDOW track AS (PARTITION BY report_id, gpu_id ORDER BY start_ns)
)

SELECT i.report_id, i.gpu_id, i.island, i.start_ns, i.dur_ns, i.op_count, i.op_id AS first_op_id, n.name AS first_op
FROM islands AS i
LEFT JOIN names AS n ON n.name_number = i.name_number
