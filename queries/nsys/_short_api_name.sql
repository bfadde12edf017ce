-- Name of an API function as NVIDIA's reports print it.
--
-- The last six characters go if they begin with _v: cudaMalloc_v3020 becomes cudaMalloc, while cudaGraphLaunch_v10000 and
-- cuInit_v2 stay as they are.
--
-- @version 1
-- @kind    scalar
-- @param   function_name ANY   -    - Name as recorded.
-- @column  short_name    VARCHAR text Name as printed.
SELECT CASE WHEN substr(function_name, -6, 2) = '_v' THEN left(function_name, -6) ELSE function_name END
