-- Some CUDA API calls with how busy the GPUs of their process were while they ran.
--
-- The concept stands in api_hw_overlap. Only for the calls that are asked for: the time in each is looked up.
--
-- @version 1
-- @kind    macro
-- @param   calls       TABLE   -     - Name of a relation with the columns of api_calls.
-- @column  report_id   INTEGER id    Report the row belongs to.
-- @column  call_id     BIGINT  id    Call.
-- @column  process_id  BIGINT  id    Process that called.
-- @column  thread_id   BIGINT  id    Thread that called.
-- @column  api         VARCHAR text  runtime, driver, egl or other.
-- @column  name        VARCHAR text  Function.
-- @column  kind        VARCHAR text  launch, sync, copy, alloc, module, query or other.
-- @column  class       VARCHAR text  What the call waited for, as in api_hw_overlap.
-- @column  start_ns    BIGINT  ns    Start.
-- @column  end_ns      BIGINT  ns    End.
-- @column  dur_ns      BIGINT  ns    end_ns - start_ns.
-- @column  gpu_busy_ns BIGINT  ns    Time in it in which a GPU of its process was busy; NULL without known GPUs.
-- @column  gpu_idle_ns BIGINT  ns    dur_ns - gpu_busy_ns.
-- @column  busy_ratio  DOUBLE  ratio gpu_busy_ns of dur_ns; NULL for length 0.
-- @column  own_busy_ns BIGINT  ns    Time in it in which GPU work of the call ran.
-- @column  is_nested   BOOLEAN bool  The call lies inside another one.
WITH own_work AS (
    SELECT
        a.report_id, a.call_id AS track_id,
        greatest(o.start_ns, c.start_ns) AS start_ns, least(o.end_ns, c.end_ns) AS end_ns
    FROM _op_calls AS a
    INNER JOIN gpu_ops AS o ON o.report_id = a.report_id AND o.op_id = a.op_id
    INNER JOIN query_table(calls) AS c ON c.report_id = a.report_id AND c.call_id = a.call_id
    WHERE o.start_ns < c.end_ns AND o.end_ns > c.start_ns
),

own AS (
    SELECT report_id, track_id AS call_id, union_ns AS own_busy_ns FROM interval_union_ns('own_work')
),

spans AS (
    SELECT report_id, call_id AS span_id, process_id, start_ns, end_ns FROM query_table(calls)
),

described AS (
    SELECT
        c.*,
        coalesce(n.kind, 'other') AS kind,
        m.busy_ns,
        coalesce(o.own_busy_ns, 0) AS own_busy_ns,
        f.call_id IS NOT NULL AS is_first
    FROM query_table(calls) AS c
    LEFT JOIN _api_functions AS n ON n.report_id = c.report_id AND n.name = c.name
    LEFT JOIN _process_busy_of_many('spans') AS m ON m.report_id = c.report_id AND m.span_id = c.call_id
    LEFT JOIN own AS o ON o.report_id = c.report_id AND o.call_id = c.call_id
    LEFT JOIN _first_launches AS f ON f.report_id = c.report_id AND f.call_id = c.call_id
)

SELECT
    report_id,
    call_id,
    process_id,
    thread_id,
    api,
    name,
    kind,
    CASE
        WHEN dur_ns = 0 OR busy_ns IS NULL THEN NULL
        WHEN kind = 'copy' AND ends_with(name, 'Async') AND own_busy_ns = 0 THEN NULL
        WHEN kind IN ('sync', 'copy') THEN CASE WHEN 2 * busy_ns >= dur_ns THEN 'ok_waiting' ELSE 'idle_wait' END
        WHEN kind <> 'launch' THEN NULL
        WHEN is_first AND dur_ns >= 100000 THEN 'first_use'
        WHEN dur_ns >= 100000 AND busy_ns >= 0.99 * dur_ns THEN 'queue_full'
        WHEN 2 * busy_ns >= dur_ns THEN 'launch_ok'
        ELSE 'launch_exposed'
    END AS class,
    start_ns,
    end_ns,
    dur_ns,
    busy_ns AS gpu_busy_ns,
    dur_ns - busy_ns AS gpu_idle_ns,
    busy_ns / nullif(dur_ns, 0) AS busy_ratio,
    own_busy_ns,
    is_nested
FROM described
