-- Names of the kinds of memory that a copy or a memset touches.
--
-- The numbers are nsys's own, the same in every version; they are not CUPTI's.
--
-- @version 1
-- @grain   kind_id
-- @column  kind_id INTEGER id   Number in the export.
-- @column  kind    VARCHAR text Name.
SELECT kind_id, kind
FROM (VALUES
    (0, 'pageable'), (1, 'pinned'), (2, 'device'), (3, 'array'), (4, 'managed'), (5, 'device_static'),
    (6, 'managed_static'), (7, 'unknown')
) AS kinds (kind_id, kind)
