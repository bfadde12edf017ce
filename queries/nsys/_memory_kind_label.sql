-- Kind of memory as NVIDIA's reports print it.
--
-- @version 1
-- @kind    scalar
-- @param   memory ANY     -    - Kind as the base views tell it: pageable, device_static, ...
-- @column  label  VARCHAR text   Kind as printed: Pageable, Device Static, ...
SELECT CASE memory
    WHEN 'device_static' THEN 'Device Static' WHEN 'managed_static' THEN 'Managed Static'
    ELSE upper(left(memory, 1)) || substr(memory, 2)
END
