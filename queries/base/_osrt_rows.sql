-- Rows of the table of OS runtime calls as they are recorded.
--
-- Class 27 are calls, 31 and 32 the start and the finish of a trace. For the views that equal NVIDIA's reports.
--
-- @version 1
-- @grain   report_id, call_id
-- @source  OSRT_API
-- @trace   CAPTURE_EVENT_TYPE=OSRuntime --trace=osrt
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  call_id   BIGINT  id   Row, unique within the report.
-- @column  thread_id BIGINT  id   Thread that called.
-- @column  class_id  BIGINT  id   Class of the event.
-- @column  name      VARCHAR text Function.
-- @column  start_ns  BIGINT  ns   Start on the report's time axis.
-- @column  end_ns    BIGINT  ns   End on the report's time axis.
-- @column  dur_ns    BIGINT  ns   end_ns - start_ns.
SELECT
    o.report_id,
    o._rowid AS call_id,
    o.globalTid AS thread_id,
    o.eventClass AS class_id,
    n.value AS name,
    o.start AS start_ns,
    o.end AS end_ns,
    o.end - o.start AS dur_ns
FROM raw.OSRT_API AS o
LEFT JOIN raw.StringIds AS n ON n.report_id = o.report_id AND n.id = o.nameId
