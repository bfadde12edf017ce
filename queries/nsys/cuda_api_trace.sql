-- NVIDIA's report cuda_api_trace: every CUDA API call.
--
-- Calls inside other calls are rows of their own, and so are rows that hold only a backtrace. Where a thread was given
-- several names NVIDIA's tool repeats its calls for each; here a call is one row. api_calls tells nesting and leaves
-- backtraces out.
--
-- @version 1
-- @grain   report_id, call_id
-- @needs   api_calls
-- @column  report_id       INTEGER id   Report the row belongs to.
-- @column  start_ns        BIGINT  ns   Start.
-- @column  dur_ns          BIGINT  ns   Duration.
-- @column  name            VARCHAR text Function, without a version suffix of six characters.
-- @column  result          BIGINT  -    What the call returned: 0 is success.
-- @column  correlation_id  BIGINT  id   Number shared with the GPU operations of the call, unique only within the process; 0 for none.
-- @column  pid             BIGINT  id   Process id of the caller.
-- @column  tid             BIGINT  id   Thread id of the caller.
-- @column  thread_priority BIGINT  -    Scheduling priority of the thread; NULL if not recorded.
-- @column  thread_name     VARCHAR text Name of the thread; NULL if not recorded.
-- @column  call_id         BIGINT  id   Row, unique within the report.
-- @title   CUDA API Trace
-- @print   start_ns Start; dur_ns Duration; name Name; result Result; correlation_id CorrID; pid Pid; tid Tid; thread_priority
--     T-Pri; thread_name Thread Name
-- @skip    CUDA trace data
-- @order   start_ns, call_id
-- @example SELECT start_ns, dur_ns, name, tid FROM cuda_api_trace ORDER BY dur_ns DESC LIMIT 5
SELECT
    a.report_id,
    a.start_ns,
    a.dur_ns,
    _short_api_name(a.raw_name) AS name,
    a.result,
    coalesce(a.correlation_id, 0) AS correlation_id,
    a.pid,
    a.tid,
    t.priority AS thread_priority,
    t.name AS thread_name,
    a.call_id
FROM _api_rows AS a
LEFT JOIN _thread_names AS t USING (report_id, thread_id)
