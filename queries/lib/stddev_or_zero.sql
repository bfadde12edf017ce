-- Sample standard deviation of a group's values, an aggregate: 0 for one value and for none.
--
-- DuckDB's stddev_samp is NULL there. NULL counts as no value.
--
-- @version 1
-- @kind    scalar
-- @param   x              ANY    - - Values.
-- @column  stddev_or_zero DOUBLE - The deviation.
-- @example SELECT short_name, stddev_or_zero(dur_ns) AS stddev_ns FROM kernels GROUP BY ALL
SELECT coalesce(stddev_samp(x), 0)
