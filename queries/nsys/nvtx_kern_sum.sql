-- NVIDIA's report nvtx_kern_sum: kernels by the NVTX ranges around their launch.
--
-- A kernel counts in every range around the call that launched it, on the caller's thread; sums over ranges have no
-- meaning across levels, and a kernel in two nested ranges of one name counts its time twice (kernel_count does not).
-- Kernels outside any range have no range; without a recorded call they have no process and thread either.
--
-- @version 1
-- @grain   report_id, range_name, style, pid, tid, kernel_name
-- @needs   kernels
-- @param   name_form VARCHAR 'demangled' text Form of the kernels' names: demangled, base (short) or mangled; one that was not recorded is demangled.
-- @require name_form IN ('demangled', 'base', 'mangled')
-- @param   like_nsys    VARCHAR '2023.4' text Release of NVIDIA's tool whose names to print: 2023.4 or 2025.3.
-- @require like_nsys IN ('2023.4', '2025.3')
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  range_name   VARCHAR text  Name, behind its domain and a colon if it has one, as like_nsys has it; NULL outside any range.
-- @column  style        VARCHAR text  PushPop or StartEnd; NULL outside any range.
-- @column  pid          INTEGER id    Process id of the launching call; NULL if it was not recorded.
-- @column  tid          INTEGER id    Thread id of the launching call; NULL if it was not recorded.
-- @column  range_count  BIGINT  count Ranges that launched the kernel.
-- @column  kernel_count BIGINT  count Executions.
-- @column  total_ns     BIGINT  ns    Sum of the durations, over pairs of execution and range.
-- @column  mean_ns      DOUBLE  ns    Mean duration, rounded to one digit.
-- @column  median_ns    DOUBLE  ns    Median duration, rounded to one digit.
-- @column  min_ns       BIGINT  ns    Shortest.
-- @column  max_ns       BIGINT  ns    Longest.
-- @column  stddev_ns    DOUBLE  ns    Sample standard deviation, 0 for one, rounded to one digit.
-- @column  kernel_name  VARCHAR text  Kernel, as its parameter says: the full demangled name by default.
-- @title   NVTX Range Kernel Summary
-- @print   range_name NVTX Range; style Style; pid PID; tid TID; range_count NVTX Inst; kernel_count Kern Inst; total_ns
--     Total Time; mean_ns Avg; median_ns Med; min_ns Min; max_ns Max; stddev_ns StdDev; kernel_name Kernel Name
-- @skip    nvtx_ranges: NV Tools Extension (NVTX) data
-- @skip    kernels: CUDA kernel data
-- @skip    api_calls: CUDA API data
-- @arg     base name_form=base
-- @arg     mangled name_form=mangled
-- @order   range_name, pid, tid, total_ns DESC
-- @example SELECT range_name, kernel_count, total_ns FROM nvtx_kern_sum ORDER BY total_ns DESC LIMIT 5
WITH launched AS (
    SELECT k.report_id, k.op_id, k.dur_ns, k.name AS kernel_name, o.call_id, o.thread_id
    FROM _named_kernels(name_form := name_form) AS k
    LEFT JOIN _call_ops AS o
        ON o.report_id = k.report_id AND o.process_id = k.process_id AND o.correlation_id = k.correlation_id
),

pairs AS (
    SELECT l.*, a.ancestor_id AS range_id
    FROM launched AS l
    LEFT JOIN _call_ranges AS c ON c.report_id = l.report_id AND c.call_id = l.call_id
    LEFT JOIN _range_ancestors AS a ON a.report_id = c.report_id AND a.range_id = c.range_id
)

SELECT
    p.report_id,
    r.range_name,
    r.style,
    CAST((p.thread_id >> 24) & 16777215 AS INTEGER) AS pid,
    CAST(p.thread_id & 16777215 AS INTEGER) AS tid,
    count(DISTINCT p.range_id) AS range_count,
    count(DISTINCT p.op_id) AS kernel_count,
    CAST(sum(p.dur_ns) AS BIGINT) AS total_ns,
    round(avg(p.dur_ns), 1) AS mean_ns,
    round(median(p.dur_ns), 1) AS median_ns,
    min(p.dur_ns) AS min_ns,
    max(p.dur_ns) AS max_ns,
    round(stddev_or_zero(p.dur_ns), 1) AS stddev_ns,
    p.kernel_name
FROM pairs AS p
LEFT JOIN _range_rows(like_nsys := like_nsys) AS r ON r.report_id = p.report_id AND r.range_id = p.range_id
GROUP BY ALL
