-- Samples of what threads ran on the CPU, each with the function at the top of its stack.
--
-- A share of the samples of a thread is a share of its time on the CPU, not of its time. Stacks taken when a thread left
-- the CPU stand in the same table (is_sample false): they tell where it began to wait and count for no time. A function
-- without a symbol is given by its address. Deeper frames are not here.
--
-- @version 1
-- @grain   report_id, sample_id
-- @source  COMPOSITE_EVENTS
-- @trace   *_PERF_OPTIONS:COLLECT_*BACKTRACE*=true --sample=process-tree
-- @column  report_id    INTEGER id   Report the row belongs to.
-- @column  sample_id    BIGINT  id   Sample, unique within the report.
-- @column  process_id   BIGINT  id   Process that ran.
-- @column  thread_id    BIGINT  id(threads.thread_id) Thread that ran.
-- @column  time_ns      BIGINT  ns   When it was taken, on the report's time axis.
-- @column  cpu          INTEGER id   CPU it was taken on.
-- @column  is_sample    BOOLEAN bool A sample; false for the stack of a thread that left the CPU.
-- @column  symbol       VARCHAR text Function at the top of the stack, or its address; NULL without a stack.
-- @column  module       VARCHAR text File of that function.
-- @column  is_resolved  BOOLEAN bool The function's name is known; NULL without a stack.
-- @column  is_kernel    BOOLEAN bool In the operating system's kernel; NULL without a stack.
-- @order   report_id, time_ns, sample_id
-- @assert  is_sample IS NOT NULL
-- @example SELECT module, count(*) AS sample_count FROM cpu_samples WHERE is_sample GROUP BY ALL
WITH leaves AS (
    SELECT
        report_id, id, symbol, module,
        coalesce(unresolved, 0) = 0 AS is_resolved,
        coalesce(kernelMode, 0) <> 0 AS is_kernel
    FROM raw.SAMPLING_CALLCHAINS
    WHERE stackDepth = 0
    QUALIFY row_number() OVER (PARTITION BY report_id, id ORDER BY symbol, module) = 1
)

SELECT
    c.report_id,
    c._rowid AS sample_id,
    c.globalTid & (-16777216)::BIGINT AS process_id,
    c.globalTid AS thread_id,
    c.start AS time_ns,
    TRY_CAST(c.cpu AS INTEGER) AS cpu,
    coalesce(c.cpuCycles > 0, false) AS is_sample,
    s.value AS symbol,
    m.value AS module,
    l.is_resolved,
    l.is_kernel
FROM raw.COMPOSITE_EVENTS AS c
LEFT JOIN leaves AS l ON l.report_id = c.report_id AND l.id = c.id
LEFT JOIN raw.StringIds AS s ON s.report_id = l.report_id AND s.id = l.symbol
LEFT JOIN raw.StringIds AS m ON m.report_id = l.report_id AND m.id = l.module
