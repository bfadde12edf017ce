-- What profiling cost, and what the CUDA driver did besides the program's work: compiling, loading, waiting for room.
--
-- Both tables of nsys in one relation. The kind is told by the recorded type, or by the name in exports that have none
-- (nsys up to 2025.5). Kinds of the profiler: initialization, buffer_flush, instrumentation, resource (CUPTI's own
-- objects), allocation (of its buffers). Kinds of the driver, which a run without a profiler would pay too: jit,
-- module_load, lazy_function_load, command_buffer_full (a launch that waited for room in the queue). Not to be told:
-- dlopen and dlclose (the time of the call, whoever makes it long), unknown (nsys did not know CUPTI's type), other.
--
-- @version 1
-- @grain   report_id, overhead_id
-- @source  PROFILER_OVERHEAD, CUPTI_ACTIVITY_KIND_OVERHEAD
-- @trace   CAPTURE_EVENT_TYPE=Cuda --trace=cuda
-- @column  report_id        INTEGER id   Report the row belongs to.
-- @column  overhead_id      BIGINT  id   Row, unique within the report.
-- @column  kind             VARCHAR text initialization, buffer_flush, instrumentation, resource, allocation, jit,
--     module_load, lazy_function_load, command_buffer_full, dlopen, dlclose, unknown or other.
-- @column  is_profiler_cost BOOLEAN bool A run without a profiler would not have it; NULL if that cannot be told.
-- @column  process_id       BIGINT  id   Process that paid it.
-- @column  thread_id        BIGINT  id(threads.thread_id) Thread that paid it.
-- @column  start_ns         BIGINT  ns   Start on the report's time axis.
-- @column  end_ns           BIGINT  ns   End on the report's time axis.
-- @column  dur_ns           BIGINT  ns   end_ns - start_ns; entries may lie one in another.
-- @column  name             VARCHAR text Name as recorded, another one in every few versions.
-- @column  correlation_id   BIGINT  id   Number shared with the API call, unique only within the process; NULL for none.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  kind IS NOT NULL
-- @example SELECT kind, sum(dur_ns) AS dur_ns FROM overheads WHERE is_profiler_cost GROUP BY ALL
WITH rows AS (
    SELECT report_id, _rowid * 2 AS overhead_id, start, "end", globalTid, nameId, correlationId, overheadType
    FROM raw.PROFILER_OVERHEAD
    UNION ALL
    SELECT report_id, _rowid * 2 + 1, start, "end", globalTid, nameId, correlationId, overheadType
    FROM raw.CUPTI_ACTIVITY_KIND_OVERHEAD
),

named AS (
    SELECT
        r.report_id, r.overhead_id, r.globalTid, r.start, r.end, s.value AS name, nullif(r.correlationId, 0) AS correlation_id,
        CASE
            WHEN r.overheadType = 2 THEN 'jit'
            WHEN r.overheadType = 3 THEN 'buffer_flush'
            WHEN r.overheadType = 4 THEN 'instrumentation'
            WHEN r.overheadType = 5 THEN 'resource'
            WHEN r.overheadType = 6 THEN 'module_load'
            WHEN r.overheadType = 7 THEN 'lazy_function_load'
            WHEN r.overheadType = 8 THEN 'command_buffer_full'
            WHEN s.value ILIKE '%flush%' THEN 'buffer_flush'
            WHEN s.value ILIKE 'CUPTI%instrumentation%' THEN 'instrumentation'
            WHEN s.value ILIKE 'CUPTI%resource%' THEN 'resource'
            WHEN s.value ILIKE '%initialization%' THEN 'initialization'
            WHEN s.value ILIKE '%allocation%' THEN 'allocation'
            WHEN s.value ILIKE 'dlopen%' THEN 'dlopen'
            WHEN s.value ILIKE 'dlclose%' THEN 'dlclose'
            WHEN s.value ILIKE '%lazy%function%load%' THEN 'lazy_function_load'
            WHEN s.value ILIKE '%module%load%' THEN 'module_load'
            WHEN s.value ILIKE '%command buffer full%' THEN 'command_buffer_full'
            WHEN s.value ILIKE '%compile%' THEN 'jit'
            WHEN s.value ILIKE 'CUDA profiling%' THEN 'instrumentation'
            WHEN r.overheadType = 1 OR s.value ILIKE 'unknown' THEN 'unknown'
            ELSE 'other'
        END AS kind
    FROM rows AS r
    LEFT JOIN raw.StringIds AS s ON s.report_id = r.report_id AND s.id = r.nameId
)

SELECT
    report_id,
    overhead_id,
    kind,
    CASE
        WHEN kind IN ('initialization', 'buffer_flush', 'instrumentation', 'resource', 'allocation') THEN true
        WHEN kind IN ('jit', 'module_load', 'lazy_function_load', 'command_buffer_full') THEN false
    END AS is_profiler_cost,
    globalTid & (-16777216)::BIGINT AS process_id,
    globalTid AS thread_id,
    start AS start_ns,
    "end" AS end_ns,
    "end" - start AS dur_ns,
    name,
    correlation_id
FROM named
