-- Stretches in which any GPU that a process uses was busy, whoever's work it was.
--
-- @version 1
-- @grain   report_id, process_id, start_ns
-- @column  report_id      INTEGER id Report the row belongs to.
-- @column  process_id     BIGINT  id Process.
-- @column  start_ns       BIGINT  ns Start of the stretch.
-- @column  end_ns         BIGINT  ns End of the stretch.
-- @column  busy_before_ns BIGINT  ns Busy time before it.
WITH of_gpus AS (
    SELECT p.report_id, p.process_id AS track_id, b.start_ns, b.end_ns
    FROM (SELECT DISTINCT report_id, process_id, gpu_id FROM process_gpus) AS p
    INNER JOIN busy_islands AS b ON b.report_id = p.report_id AND b.gpu_id = p.gpu_id
)

SELECT
    report_id, track_id AS process_id, start_ns, end_ns,
    CAST(sum(end_ns - start_ns) OVER (
        PARTITION BY report_id, track_id ORDER BY start_ns ROWS UNBOUNDED PRECEDING) AS BIGINT) - (end_ns - start_ns)
        AS busy_before_ns
FROM interval_union('of_gpus')
