-- The innermost application range of every thread from one moment to the next.
--
-- @version 1
-- @grain   report_id, thread_id, start_ns
-- @column  report_id  INTEGER id Report the row belongs to.
-- @column  process_id BIGINT  id Process of the thread.
-- @column  thread_id  BIGINT  id Thread that opened the range.
-- @column  start_ns   BIGINT  ns Start of the stretch.
-- @column  end_ns     BIGINT  ns End of the stretch.
-- @column  range_id   BIGINT  id Innermost range in it. Stretches without any have no row.
WITH all_threads AS (
    SELECT DISTINCT report_id, thread_id FROM _application_ranges
)

FROM _stretches_of('all_threads')
