-- Name of the NVTX range that each operation was launched in, as NVIDIA's reports find it.
--
-- Of the ranges around the call, on the caller's thread and in any domain, it is the one that started last. A window of time
-- leaves calls and ranges as they are here: an operation bears the same name wherever it is looked at.
--
-- @version 1
-- @grain   report_id, op_id
-- @window  whole
-- @column  report_id  INTEGER id   Report the row belongs to.
-- @column  op_id      BIGINT  id   Operation whose call is in a range.
-- @column  range_name VARCHAR text Name of the range; NULL if it has none.
SELECT
    o.report_id, o.op_id,
    arg_max(
        {'name': r.name},
        {'late': r.start_ns, 'short': -coalesce(r.end_ns, 9223372036854775807), 'number': r.range_id}).name AS range_name
FROM _op_calls AS o
INNER JOIN _call_ranges AS c USING (report_id, call_id)
INNER JOIN _nvtx_rows AS r USING (report_id, range_id)
GROUP BY o.report_id, o.op_id
