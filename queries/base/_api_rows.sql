-- Rows of the API table as they are recorded, one per call and one per backtrace of a call.
--
-- A backtrace row bears the bounds and the correlation id of a call beside it: api_calls leaves it out; NVIDIA's reports
-- count it, so the views that equal them read this.
--
-- @version 1
-- @grain   report_id, call_id
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  call_id        BIGINT  id    Row, unique within the report.
-- @column  process_id     BIGINT  id    Process that called; 0 if not recorded.
-- @column  thread_id      BIGINT  id    Thread that called.
-- @column  pid            BIGINT  id    Process id of the operating system, unique only within a VM.
-- @column  tid            BIGINT  id    Thread id of the operating system, unique only within a VM.
-- @column  api            VARCHAR text  runtime, driver, egl, backtrace or other.
-- @column  name           VARCHAR text  Function, without the suffixes of its version and of its default stream.
-- @column  raw_name       VARCHAR text  Function as recorded.
-- @column  start_ns       BIGINT  ns    Start on the report's time axis.
-- @column  end_ns         BIGINT  ns    End on the report's time axis.
-- @column  dur_ns         BIGINT  ns    end_ns - start_ns.
-- @column  correlation_id BIGINT  id    Number shared with the GPU operations of the call; NULL for none.
-- @column  result         BIGINT  -     What the call returned.
SELECT
    r.report_id,
    r._rowid AS call_id,
    coalesce(r.globalTid & (-16777216)::BIGINT, 0) AS process_id,
    r.globalTid AS thread_id,
    (r.globalTid >> 24) & 16777215 AS pid,
    r.globalTid & 16777215 AS tid,
    CASE r.eventClass WHEN 0 THEN 'runtime' WHEN 1 THEN 'driver' WHEN 13 THEN 'egl' WHEN 67 THEN 'backtrace' ELSE 'other' END AS api,
    n.name,
    n.raw_name,
    r.start AS start_ns,
    r.end AS end_ns,
    r.end - r.start AS dur_ns,
    nullif(r.correlationId, 0) AS correlation_id,
    r.returnValue AS result
FROM raw.CUPTI_ACTIVITY_KIND_RUNTIME AS r
LEFT JOIN (
    SELECT report_id, id, value AS raw_name, regexp_replace(value, '(_v[0-9]+|_ptsz|_ptds)+$', '') AS name
    FROM raw.StringIds
) AS n ON n.report_id = r.report_id AND n.id = r.nameId
