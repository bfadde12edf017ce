-- Texts that other relations refer to by id.
--
-- Only texts that a loaded column refers to are here; file paths are cut to base names.
--
-- @version 1
-- @grain   report_id, string_id
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  string_id BIGINT  id   Id of the text, unique within the report; 0 is an ordinary id.
-- @column  value     VARCHAR text The text.
-- @example SELECT count(*) AS string_count FROM strings
SELECT report_id, id AS string_id, value
FROM raw.StringIds
