-- NVIDIA's rule cuda_api_sync: calls that wait for a device or a stream, the longest first.
--
-- Calls of the runtime to cudaDeviceSynchronize and cudaStreamSynchronize, however short, rows with a backtrace of such a
-- call too. Other calls that wait are not here: those for events, those of the driver, copies and frees that block.
-- sync_waits has them all, with what they waited for.
--
-- @version 1
-- @grain   report_id, call_id
-- @needs   api_calls
-- @param   of_pid BIGINT -1 id Process id that must have called; -1 for any.
-- @param   of_tid BIGINT -1 id Thread id that must have called; -1 for any.
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  dur_ns    BIGINT  ns   Duration.
-- @column  start_ns  BIGINT  ns   Start.
-- @column  pid       BIGINT  id   Process id of the caller.
-- @column  tid       BIGINT  id   Thread id of the caller.
-- @column  api_name  VARCHAR text Function as recorded.
-- @column  call_id   BIGINT  id   Row, unique within the report.
-- @title   CUDA Synchronization APIs
-- @print   dur_ns Duration; start_ns Start; pid PID; tid TID; api_name API Name
-- @skip    CUDA API calls
-- @arg     process of_pid
-- @arg     thread of_tid
-- @rows    50
-- @advice  The CPU stood still in these calls. sync_waits tells what each waited for; often an event on the stream, or a value
--     that is read later, lets the CPU go on and keeps the GPU fed.
-- @order   dur_ns DESC, start_ns, call_id
-- @example SELECT pid, tid, start_ns, dur_ns, api_name FROM cuda_api_sync ORDER BY dur_ns DESC LIMIT 5
SELECT report_id, dur_ns, start_ns, pid, tid, raw_name AS api_name, call_id
FROM _api_rows
WHERE
    (raw_name LIKE 'cudaDeviceSynchronize%' OR raw_name LIKE 'cudaStreamSynchronize%')
    AND (of_pid < 0 OR pid = of_pid) AND (of_tid < 0 OR tid = of_tid)
