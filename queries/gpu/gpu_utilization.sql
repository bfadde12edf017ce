-- Share of time that each GPU was busy, in equal time bins over the capture.
--
-- Busy is the union of all operations of all processes, clipped to the bin: a ratio is never above 1, and over the bins
-- busy_ns adds up to the busy time inside the capture. Without a recorded length the bins end with the last operation
-- of the report. Bins are whole nanoseconds: the last may be up to bin_count ns shorter than the others, and a capture of few
-- nanoseconds has fewer.
--
-- @version 1
-- @grain   report_id, gpu_id, bin
-- @needs   any of kernels, memcpys, memsets, graph_launches
-- @param   bin_count  INTEGER 100 count Number of bins, at most.
-- @require bin_count >= 1
-- @column  report_id  INTEGER id    Report the row belongs to.
-- @column  gpu_id     INTEGER id(gpus.gpu_id) GPU.
-- @column  bin        BIGINT  id    Bin, counted from 0.
-- @column  start_ns   BIGINT  ns    Start of the bin.
-- @column  end_ns     BIGINT  ns    End of the bin.
-- @column  busy_ns    BIGINT  ns    Time in the bin with at least one operation.
-- @column  busy_ratio DOUBLE  ratio busy_ns of the bin's length.
-- @order   report_id, gpu_id, bin
-- @assert  busy_ns BETWEEN 0 AND end_ns - start_ns
-- @assert  end_ns > start_ns
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT bin, busy_ratio FROM gpu_utilization(bin_count := 10) ORDER BY bin
WITH captures AS (
    SELECT
        g.report_id,
        g.gpu_id,
        r.start_ns AS capture_start_ns,
        coalesce(r.end_ns, max(g.last_end_ns) OVER (PARTITION BY g.report_id)) - r.start_ns AS capture_ns
    FROM gpu_busy AS g
    INNER JOIN _captures AS r USING (report_id)
),

edges AS (
    SELECT
        report_id, gpu_id, capture_ns, edge,
        capture_start_ns + least(edge * CAST(ceil(capture_ns / bin_count) AS BIGINT), capture_ns) AS edge_ns
    FROM captures, unnest(range(0, CAST(bin_count AS BIGINT) + 1)) AS edges (edge)
    WHERE capture_ns > 0
),

busy_until AS (
    SELECT
        e.report_id, e.gpu_id, e.edge, e.edge_ns,
        coalesce(b.busy_before_ns + least(b.end_ns, e.edge_ns) - b.start_ns, 0) AS busy_until_ns
    FROM edges AS e
    ASOF LEFT JOIN busy_islands AS b
        ON b.report_id = e.report_id AND b.gpu_id = e.gpu_id AND b.start_ns <= e.edge_ns
),

bins AS (
    SELECT
        report_id,
        gpu_id,
        edge AS bin,
        edge_ns AS start_ns,
        lead(edge_ns) OVER edges_of_gpu AS end_ns,
        CAST(lead(busy_until_ns) OVER edges_of_gpu - busy_until_ns AS BIGINT) AS busy_ns
    FROM busy_until
    WINDOW edges_of_gpu AS (PARTITION BY report_id, gpu_id ORDER BY edge)
)

SELECT report_id, gpu_id, bin, start_ns, end_ns, busy_ns, busy_ns / (end_ns - start_ns) AS busy_ratio
FROM bins
WHERE end_ns > start_ns
