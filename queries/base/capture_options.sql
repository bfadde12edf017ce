-- Options of the capture as nsys recorded them, those that are known to hold nothing private.
--
-- Command lines, paths, names of hosts and users, environment variables (but for the rank of a process) are not loaded.
-- Spelling and place of an option differ by version; recorded by nsys from 2023.3 on.
--
-- @version 1
-- @grain   report_id, position
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  position  BIGINT  id   Place in the list; a name may come more than once.
-- @column  name      VARCHAR text Option.
-- @column  value     VARCHAR text Value.
-- @order   report_id, position
-- @example SELECT value FROM capture_options WHERE name = 'CAPTURE_EVENT_TYPE'
SELECT report_id, _rowid AS position, name, value
FROM raw.META_DATA_CAPTURE
