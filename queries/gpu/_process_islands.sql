-- Stretches in which any of the GPUs that a process uses was busy, whoever's work it was.
--
-- How busy they were from a to b (_process_busy_of_many) is two lookups: the stretch that began last before a, and the one before b;
-- one is enough where b does not lie after next_start_ns.
--
-- @version 1
-- @grain   report_id, process_id, start_ns
-- @column  report_id      INTEGER id Report the row belongs to.
-- @column  process_id     BIGINT  id Process.
-- @column  start_ns       BIGINT  ns Start of the stretch.
-- @column  end_ns         BIGINT  ns End of the stretch.
-- @column  busy_before_ns BIGINT  ns Busy time of its GPUs before the stretch.
-- @column  next_start_ns  BIGINT  ns Start of the next stretch; NULL for the last.
WITH used AS (
    SELECT report_id, process_id, min(gpu_id) AS first_gpu_id, max(gpu_id) AS last_gpu_id
    FROM process_gpus
    WHERE is_used
    GROUP BY report_id, process_id
),

of_several AS (
    SELECT DISTINCT p.report_id, p.process_id, p.gpu_id
    FROM process_gpus AS p
    INNER JOIN used AS u ON u.report_id = p.report_id AND u.process_id = p.process_id
    WHERE p.is_used AND u.first_gpu_id <> u.last_gpu_id
),

crossing AS (
    SELECT s.report_id, s.process_id AS track_id, b.start_ns, b.start_ns + b.dur_ns AS end_ns
    FROM of_several AS s
    INNER JOIN _busy_islands AS b ON b.report_id = s.report_id AND b.gpu_id = s.gpu_id
),

islands AS (
    SELECT u.report_id, u.process_id, b.start_ns, b.start_ns + b.dur_ns AS end_ns
    FROM used AS u
    INNER JOIN _busy_islands AS b ON b.report_id = u.report_id AND b.gpu_id = u.first_gpu_id
    WHERE u.first_gpu_id = u.last_gpu_id
    UNION ALL
    SELECT report_id, track_id, start_ns, end_ns FROM interval_union('crossing')
)

SELECT
    report_id,
    process_id,
    start_ns,
    end_ns,
    CAST(sum(end_ns - start_ns) OVER (islands_of_process ROWS UNBOUNDED PRECEDING) AS BIGINT) - (end_ns - start_ns)
        AS busy_before_ns,
    lead(start_ns) OVER islands_of_process AS next_start_ns
FROM islands
WINDOW islands_of_process AS (PARTITION BY report_id, process_id ORDER BY start_ns)
