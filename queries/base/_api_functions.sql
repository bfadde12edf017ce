-- Functions of the CUDA API that were called, and what they do.
--
-- Apart from the calls, so that each name is looked at once. Computed once per report: it is few rows from many.
--
-- @version 1
-- @kind    table
-- @grain   report_id, name
-- @column  report_id        INTEGER id   Report the row belongs to.
-- @column  name             VARCHAR text Function, as in api_calls.
-- @column  kind             VARCHAR text launch, sync, copy, alloc, module, query or other.
-- @column  is_kernel_launch BOOLEAN bool Launches one kernel, not a graph.
-- @column  is_question      BOOLEAN bool Asks a stream or an event whether it is done.
SELECT
    report_id,
    name,
    _api_kind(name) AS kind,
    regexp_matches(name, '^cu(da)?Launch(Cooperative)?Kernel') AS is_kernel_launch,
    regexp_matches(name, '^cu(da)?(Stream|Event)Query$') AS is_question
FROM (SELECT DISTINCT report_id, name FROM api_calls WHERE name IS NOT NULL)
