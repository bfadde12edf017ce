-- Functions of the CUDA API that were called, and what they do.
--
-- Apart from the calls, so that each name is looked at once: DuckDB takes a condition on kind down to every call, but not
-- through an aggregate.
--
-- @version 1
-- @grain   name
-- @column  name             VARCHAR text Function, as in api_calls.
-- @column  kind             VARCHAR text launch, sync, copy, alloc, module, query or other.
-- @column  is_kernel_launch BOOLEAN bool Launches one kernel, not a graph.
-- @column  is_question      BOOLEAN bool Asks a stream or an event whether it is done.
SELECT
    name,
    any_value(_api_kind(name)) AS kind,
    any_value(regexp_matches(name, '^cu(da)?Launch(Cooperative)?Kernel')) AS is_kernel_launch,
    any_value(regexp_matches(name, '^cu(da)?(Stream|Event)Query$')) AS is_question
FROM (SELECT DISTINCT name FROM api_calls)
GROUP BY name
