-- Time in CUDA API calls by function, per process and thread; no moment counted twice.
--
-- Runtime calls call the driver: where both were traced, the driver's calls lie inside the runtime's, and a plain sum
-- counts their time twice. outermost_ns counts only calls that lie inside no other: added up over the functions of a
-- thread it is the time that the thread spent in the API. inclusive_ns and the statistics are of all calls of the
-- function. A function that is only called inside others has an outermost_ns of 0.
--
-- @version 1
-- @grain   report_id, process_id, thread_id, api, name
-- @needs   api_calls
-- @column  report_id        INTEGER id    Report the row belongs to.
-- @column  process_id       BIGINT  id    Process that called.
-- @column  thread_id        BIGINT  id(threads.thread_id) Thread that called.
-- @column  api              VARCHAR text  runtime, driver, egl or other.
-- @column  name             VARCHAR text  Function, without the suffix of its version.
-- @column  call_count       BIGINT  count Calls.
-- @column  nested_count     BIGINT  count Calls of them inside another call.
-- @column  error_count      BIGINT  count Calls of them that returned anything but success; a query that answers "not yet" does too.
-- @column  outermost_ns     BIGINT  ns    Time in calls that are not nested.
-- @column  outermost_ratio  DOUBLE  ratio outermost_ns of the time that the thread spent in the API.
-- @column  inclusive_ns     BIGINT  ns    Time in all calls.
-- @column  mean_ns          DOUBLE  ns    Mean duration of all calls.
-- @column  q1_ns            DOUBLE  ns    First quartile.
-- @column  median_ns        DOUBLE  ns    Median duration; the mean of the middle two of an even number.
-- @column  q3_ns            DOUBLE  ns    Third quartile.
-- @column  min_ns           BIGINT  ns    Shortest.
-- @column  max_ns           BIGINT  ns    Longest.
-- @column  stddev_ns        DOUBLE  ns    Sample standard deviation; NULL for one call.
-- @order   outermost_ns DESC
-- @assert  nested_count <= call_count
-- @assert  error_count <= call_count
-- @assert  outermost_ns <= inclusive_ns
-- @assert  outermost_ratio BETWEEN 0 AND 1
-- @assert  min_ns <= q1_ns AND q1_ns <= median_ns AND median_ns <= q3_ns AND q3_ns <= max_ns
-- @example SELECT name, call_count, outermost_ns FROM api_sum ORDER BY outermost_ns DESC LIMIT 5
WITH calls AS (
    SELECT *, CASE WHEN is_nested THEN 0 ELSE dur_ns END AS outermost_dur_ns
    FROM api_calls
)

SELECT
    report_id,
    process_id,
    thread_id,
    api,
    name,
    count(*) AS call_count,
    count(*) FILTER (is_nested) AS nested_count,
    count(*) FILTER (result <> 0) AS error_count,
    CAST(sum(outermost_dur_ns) AS BIGINT) AS outermost_ns,
    sum(outermost_dur_ns) / nullif(sum(sum(outermost_dur_ns)) OVER (PARTITION BY report_id, thread_id), 0) AS outermost_ratio,
    CAST(sum(dur_ns) AS BIGINT) AS inclusive_ns,
    avg(dur_ns) AS mean_ns,
    quartile(dur_ns, 1) AS q1_ns,
    median(dur_ns) AS median_ns,
    quartile(dur_ns, 3) AS q3_ns,
    min(dur_ns) AS min_ns,
    max(dur_ns) AS max_ns,
    stddev_samp(dur_ns) AS stddev_ns
FROM calls
GROUP BY report_id, process_id, thread_id, api, name
