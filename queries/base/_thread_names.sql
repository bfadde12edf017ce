-- Names that threads were given, with the priority recorded beside them.
--
-- Of several names of a thread the last by alphabet.
--
-- @version 1
-- @grain   report_id, thread_id
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  thread_id BIGINT  id   Thread.
-- @column  name      VARCHAR text Name; NULL if its text is not recorded.
-- @column  priority  BIGINT  -    Scheduling priority; NULL if not recorded.
SELECT
    t.report_id,
    t.globalTid AS thread_id,
    max(s.value) AS name,
    arg_max(t.priority, coalesce(s.value, '')) AS priority
FROM raw.ThreadNames AS t
LEFT JOIN raw.StringIds AS s ON s.report_id = t.report_id AND s.id = t.nameId
GROUP BY t.report_id, t.globalTid
