-- How deep the queue of launched operations was, in equal time bins over the capture.
--
-- What is queued and what runs, pending_launches tells; the mean is over the time of the bin, the highest count may have
-- held for a moment. A bin without any such operation has counts of 0. Without a recorded length the bins end with the
-- last operation of the report. Bins are whole nanoseconds: the last may be up to bin_count ns shorter than the others, and a
-- capture of few nanoseconds has fewer.
--
-- @version 1
-- @grain   report_id, process_id, gpu_id, bin
-- @needs   api_calls
-- @param   bin_count          INTEGER 100 count           Number of bins, at most.
-- @require bin_count >= 1
-- @column  report_id          INTEGER id                  Report the row belongs to.
-- @column  process_id         BIGINT  id                  Process that called.
-- @column  gpu_id             INTEGER id(gpus.gpu_id)     GPU that the operations run on.
-- @column  bin                BIGINT  id                  Bin, counted from 0.
-- @column  start_ns           BIGINT  ns                  Start of the bin.
-- @column  end_ns             BIGINT  ns                  End of the bin.
-- @column  max_queued_count   BIGINT  count               Most operations that were called for and had not begun.
-- @column  mean_queued_count  DOUBLE  count               Mean of it over time.
-- @column  mean_running_count DOUBLE  count               Mean number of operations that ran.
-- @column  empty_ns           BIGINT  ns                  Time in the bin with nothing queued and nothing running.
-- @order   report_id, process_id, gpu_id, bin
-- @assert  end_ns > start_ns
-- @assert  mean_queued_count BETWEEN 0 AND max_queued_count
-- @assert  mean_running_count >= 0
-- @assert  empty_ns BETWEEN 0 AND end_ns - start_ns
-- @example SELECT bin, max_queued_count, mean_queued_count FROM queue_depth(bin_count := 10) ORDER BY bin
WITH given AS MATERIALIZED (
    FROM pending_launches
),

captures AS (
    SELECT
        g.report_id, g.process_id, g.gpu_id,
        any_value(r.start_ns) AS capture_start_ns,
        coalesce(any_value(r.end_ns), max(max(g.end_ns)) OVER (PARTITION BY g.report_id)) AS capture_end_ns
    FROM given AS g
    INNER JOIN _captures AS r USING (report_id)
    GROUP BY g.report_id, g.process_id, g.gpu_id
),

sized AS (
    SELECT
        report_id, process_id, gpu_id, capture_start_ns, capture_end_ns - capture_start_ns AS capture_ns,
        CAST(ceil((capture_end_ns - capture_start_ns) / bin_count) AS BIGINT) AS bin_ns
    FROM captures
    WHERE capture_end_ns > capture_start_ns
),

-- Times from the start of the capture.
moved AS (
    SELECT
        g.report_id, g.process_id, g.gpu_id, g.queued_count, g.running_count, s.bin_ns,
        greatest(g.start_ns - s.capture_start_ns, 0) AS start_ns, least(g.end_ns - s.capture_start_ns, s.capture_ns) AS end_ns
    FROM given AS g
    INNER JOIN sized AS s USING (report_id, process_id, gpu_id)
),

clipped AS (
    SELECT *, start_ns // bin_ns AS first_bin, (end_ns - 1) // bin_ns AS last_bin
    FROM moved
    WHERE end_ns > start_ns
),

pieces AS (
    SELECT report_id, process_id, gpu_id, first_bin AS bin, end_ns - start_ns AS dur_ns, queued_count, running_count
    FROM clipped
    WHERE first_bin = last_bin
    UNION ALL
    SELECT
        report_id, process_id, gpu_id, bin, least(end_ns, (bin + 1) * bin_ns) - greatest(start_ns, bin * bin_ns),
        queued_count, running_count
    FROM clipped, unnest(range(first_bin, last_bin + 1)) AS bins (bin)
    WHERE first_bin < last_bin
),

counted AS (
    SELECT
        report_id, process_id, gpu_id, bin,
        max(queued_count) AS max_queued_count,
        sum(queued_count * dur_ns) AS queued_ns,
        sum(running_count * dur_ns) AS running_ns,
        sum(CASE WHEN queued_count > 0 OR running_count > 0 THEN dur_ns ELSE 0 END) AS used_ns
    FROM pieces
    GROUP BY report_id, process_id, gpu_id, bin
),

bins AS (
    SELECT
        report_id, process_id, gpu_id, bin, capture_start_ns + bin * bin_ns AS start_ns,
        capture_start_ns + least((bin + 1) * bin_ns, capture_ns) AS end_ns
    FROM sized, unnest(range(0, CAST(bin_count AS BIGINT))) AS bins (bin)
    WHERE bin * bin_ns < capture_ns
)

SELECT
    b.report_id,
    b.process_id,
    b.gpu_id,
    b.bin,
    b.start_ns,
    b.end_ns,
    coalesce(c.max_queued_count, 0) AS max_queued_count,
    coalesce(c.queued_ns, 0) / (b.end_ns - b.start_ns) AS mean_queued_count,
    coalesce(c.running_ns, 0) / (b.end_ns - b.start_ns) AS mean_running_count,
    CAST(b.end_ns - b.start_ns - coalesce(c.used_ns, 0) AS BIGINT) AS empty_ns
FROM bins AS b
LEFT JOIN counted AS c
    ON c.report_id = b.report_id AND c.process_id = b.process_id AND c.gpu_id = b.gpu_id AND c.bin = b.bin
