-- System calls that were traced in the kernel.
--
-- Apart from osrt_calls, which are calls of library functions: a function may make none or many.
--
-- @version 1
-- @grain   report_id, call_id
-- @source  SYSCALL
-- @trace   CAPTURE_EVENT_TYPE=Syscall --trace=syscall
-- @column  report_id  INTEGER id   Report the row belongs to.
-- @column  call_id    BIGINT  id   Call, unique within the report.
-- @column  name       VARCHAR text System call.
-- @column  process_id BIGINT  id   Process that called.
-- @column  thread_id  BIGINT  id   Thread that called.
-- @column  start_ns   BIGINT  ns   Start on the report's time axis.
-- @column  end_ns     BIGINT  ns   End on the report's time axis.
-- @column  dur_ns     BIGINT  ns   end_ns - start_ns.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @unverified No recording at hand has system calls: the columns are from the export's schema, and how a capture says that it traced them is not known.
-- @example SELECT name, count(*) AS call_count, sum(dur_ns) AS dur_ns FROM syscalls GROUP BY ALL
SELECT
    c.report_id,
    c._rowid AS call_id,
    s.value AS name,
    c.globalTid & (-16777216)::BIGINT AS process_id,
    c.globalTid AS thread_id,
    c.start AS start_ns,
    c.end AS end_ns,
    c.end - c.start AS dur_ns
FROM raw.SYSCALL AS c
LEFT JOIN raw.StringIds AS s ON s.report_id = c.report_id AND s.id = c.nameId
