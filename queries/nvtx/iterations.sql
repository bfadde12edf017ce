-- Iterations of a program: its repeated step ranges one by one, how long each took and how busy the GPUs were.
--
-- Taken as iterations are the application ranges whose name, numbers folded (step_*), occurs at least three times on their
-- thread, at the least depth at which any such name is; step_name takes another name instead, however often it occurs. Of
-- push/pop ranges of one name that lie in each other the outermost counts. Ranges without a name and open ones are left out.
-- Busy are the GPUs of the process between start and end of the range, whoever's work it was. Launches run ahead: the work of
-- an iteration (op_dur_ns) may run in a later one. A warm-up is one of the first iterations, up to the first that took at most
-- half as long again as the median; an outlier is a later one that took longer than that.
--
-- @version 1
-- @grain   report_id, range_id
-- @needs   nvtx_ranges
-- @param   step_name   VARCHAR '' text                     Folded name of the ranges to take, as layer_*; all if empty.
-- @column  report_id   INTEGER id                          Report the row belongs to.
-- @column  process_id  BIGINT  id                          Process.
-- @column  thread_id   BIGINT  id(threads.thread_id)       Thread.
-- @column  folded      VARCHAR text                        Name of the ranges, numbers as stars.
-- @column  iteration   BIGINT  id                          Place among the ranges of that name on the thread, counted from 0.
-- @column  name        VARCHAR text                        Name.
-- @column  range_id    BIGINT  id(nvtx_ranges.range_id)    Range.
-- @column  start_ns    BIGINT  ns                          Start.
-- @column  end_ns      BIGINT  ns                          End.
-- @column  wall_ns     BIGINT  ns                          Length.
-- @column  median_ns   DOUBLE  ns                          Median length of the ranges of that name on the thread.
-- @column  busy_ns     BIGINT  ns                          Time in it in which a GPU of the process was busy; NULL without known GPUs.
-- @column  idle_ns     BIGINT  ns                          wall_ns - busy_ns.
-- @column  busy_ratio  DOUBLE  ratio                       busy_ns of wall_ns.
-- @column  op_count    BIGINT  count                       GPU operations launched in it, by its thread or via the process (op_ranges).
-- @column  op_dur_ns   BIGINT  ns                          Sum of their lengths.
-- @column  is_warmup   BOOLEAN bool                        One of the slow first ones.
-- @column  is_outlier  BOOLEAN bool                        A later one that took more than one and a half times the median.
-- @order   report_id, thread_id, folded, iteration
-- @assert  wall_ns = end_ns - start_ns
-- @assert  busy_ns BETWEEN 0 AND wall_ns
-- @assert  NOT (is_warmup AND is_outlier)
-- @beware  SELECT report_id, message FROM _unplaced_ops
-- @example SELECT iteration, wall_ns, busy_ratio, is_warmup FROM iterations WHERE is_outlier OR is_warmup
WITH steps AS MATERIALIZED (
    FROM _steps(step_name)
),

spans AS (
    SELECT report_id, range_id AS span_id, process_id, start_ns, end_ns FROM steps
),

lines AS (
    SELECT DISTINCT report_id, thread_id, domain_id, folded FROM steps
),

work AS (
    SELECT s.report_id, s.range_id, sum(r.op_count) AS op_count, sum(r.op_dur_ns) AS op_dur_ns
    FROM (
        SELECT a.report_id, a.thread_id, l.domain_id, l.folded, a.start_ns, a.end_ns, w.op_count, w.op_dur_ns
        FROM _range_work AS w
        INNER JOIN _application_ranges AS a ON a.report_id = w.report_id AND a.range_id = w.range_id
        INNER JOIN lines AS l ON l.report_id = a.report_id AND l.thread_id = a.thread_id
    ) AS r
    ASOF JOIN steps AS s
        ON s.report_id = r.report_id AND s.thread_id = r.thread_id AND s.domain_id = r.domain_id AND s.folded = r.folded
        AND s.start_ns <= r.start_ns
    WHERE r.end_ns <= s.end_ns
    GROUP BY s.report_id, s.range_id
)

SELECT
    s.report_id,
    s.process_id,
    s.thread_id,
    s.folded,
    s.iteration,
    s.name,
    s.range_id,
    s.start_ns,
    s.end_ns,
    s.wall_ns,
    s.median_ns,
    b.busy_ns,
    s.wall_ns - b.busy_ns AS idle_ns,
    b.busy_ns / nullif(s.wall_ns, 0) AS busy_ratio,
    CAST(coalesce(w.op_count, 0) AS BIGINT) AS op_count,
    CAST(coalesce(w.op_dur_ns, 0) AS BIGINT) AS op_dur_ns,
    s.is_warmup,
    s.is_outlier
FROM steps AS s
LEFT JOIN _process_busy('spans') AS b ON b.report_id = s.report_id AND b.span_id = s.range_id
LEFT JOIN work AS w ON w.report_id = s.report_id AND w.range_id = s.range_id
