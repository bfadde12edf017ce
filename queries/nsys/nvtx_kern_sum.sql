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
-- @order   range_name NULLS FIRST, pid NULLS FIRST, tid, total_ns DESC
-- @example SELECT range_name, kernel_count, total_ns FROM nvtx_kern_sum ORDER BY total_ns DESC LIMIT 5
WITH kernel_texts AS (
    SELECT
        i.*,
        CASE name_form
            WHEN 'base' THEN coalesce(short.value, full_name.value)
            WHEN 'mangled' THEN coalesce(mangled.value, full_name.value, short.value)
            ELSE coalesce(full_name.value, short.value)
        END AS kernel_name
    FROM (SELECT DISTINCT report_id, full_name_id, short_name_id, mangled_name_id FROM _kernel_rows) AS i
    LEFT JOIN strings AS full_name ON full_name.report_id = i.report_id AND full_name.string_id = i.full_name_id
    LEFT JOIN strings AS short ON short.report_id = i.report_id AND short.string_id = i.short_name_id
    LEFT JOIN strings AS mangled ON mangled.report_id = i.report_id AND mangled.string_id = i.mangled_name_id
),

-- Texts are looked at once: kernels and ranges go by the number of what they are called.
numbered AS MATERIALIZED (
    SELECT *, CAST(dense_rank() OVER (ORDER BY report_id, kernel_name) AS INTEGER) AS kernel_number
    FROM kernel_texts
),

ranges AS MATERIALIZED (
    SELECT r.report_id, r.range_id, r.thread_id, r.domain_id, r.style, r.range_name, n.depth
    FROM _range_rows(like_nsys := like_nsys) AS r
    INNER JOIN _nvtx_nesting AS n ON n.report_id = r.report_id AND n.range_id = r.range_id
),

titles AS MATERIALIZED (
    SELECT report_id, style, range_name, CAST(row_number() OVER () AS INTEGER) AS title_number
    FROM ranges
    GROUP BY report_id, style, range_name
),

titled AS MATERIALIZED (
    SELECT r.report_id, r.range_id, r.thread_id, r.domain_id, r.style, r.depth, t.title_number
    FROM ranges AS r
    INNER JOIN titles AS t
        ON t.report_id = r.report_id AND t.style = r.style AND t.range_name IS NOT DISTINCT FROM r.range_name
),

-- Only here can two ranges of one title be around one call.
overlapping AS (
    SELECT thread_id, title_number
    FROM titled
    GROUP BY thread_id, title_number
    HAVING min(depth) < max(depth) OR min(domain_id) < max(domain_id) OR any_value(style) = 'StartEnd'
),

around AS (
    SELECT a.report_id, a.range_id, a.ancestor_id, t.title_number, o.title_number IS NOT NULL AS may_be_again
    FROM _range_ancestors AS a
    INNER JOIN titled AS t ON t.report_id = a.report_id AND t.range_id = a.ancestor_id
    LEFT JOIN overlapping AS o ON o.thread_id = t.thread_id AND o.title_number = t.title_number
),

-- Only here can several calls bear the number of one kernel.
shared_numbers AS (
    SELECT report_id FROM _op_calls WHERE call_count > 1
    UNION
    SELECT report_id FROM _api_rows WHERE api = 'backtrace'
),

pairs AS MATERIALIZED (
    SELECT
        n.kernel_number, k.op_id, k.dur_ns, coalesce(a.thread_id & 281474976710655, -1) AS thread_number,
        coalesce(r.title_number, 0) AS title_number, r.ancestor_id AS range_id,
        s.report_id IS NOT NULL OR coalesce(r.may_be_again, FALSE) AS may_be_again
    FROM _kernel_rows AS k
    INNER JOIN numbered AS n
        ON n.report_id = k.report_id AND n.full_name_id IS NOT DISTINCT FROM k.full_name_id
        AND n.short_name_id IS NOT DISTINCT FROM k.short_name_id
        AND n.mangled_name_id IS NOT DISTINCT FROM k.mangled_name_id
    LEFT JOIN shared_numbers AS s ON s.report_id = k.report_id
    LEFT JOIN _api_rows AS a
        ON a.report_id = k.report_id AND a.process_id = k.process_id AND a.correlation_id = k.correlation_id
    LEFT JOIN _call_ranges AS c ON c.report_id = a.report_id AND c.call_id = a.call_id
    LEFT JOIN around AS r ON r.report_id = c.report_id AND r.range_id = c.range_id
),

sums AS (
    SELECT
        kernel_number, thread_number, title_number,
        count(CASE WHEN NOT may_be_again THEN 1 END) AS kernel_count,
        CAST(sum(dur_ns) AS BIGINT) AS total_ns,
        _one_digit(avg(dur_ns)) AS mean_ns,
        _one_digit(median(dur_ns)) AS median_ns,
        min(dur_ns) AS min_ns,
        max(dur_ns) AS max_ns,
        _one_digit(stddev_or_zero(dur_ns)) AS stddev_ns
    FROM pairs
    GROUP BY kernel_number, thread_number, title_number
),

range_counts AS (
    SELECT kernel_number, thread_number, title_number, count(DISTINCT range_id) AS range_count
    FROM pairs
    GROUP BY kernel_number, thread_number, title_number
),

again AS (
    SELECT kernel_number, thread_number, title_number, count(DISTINCT op_id) AS kernel_count
    FROM pairs
    WHERE may_be_again
    GROUP BY kernel_number, thread_number, title_number
),

counts AS (
    SELECT c.*, coalesce(a.kernel_count, 0) AS again_count
    FROM range_counts AS c
    LEFT JOIN again AS a USING (kernel_number, thread_number, title_number)
)

SELECT
    n.report_id,
    t.range_name,
    t.style,
    CAST(nullif(s.thread_number, -1) >> 24 AS INTEGER) AS pid,
    CAST(nullif(s.thread_number, -1) & 16777215 AS INTEGER) AS tid,
    c.range_count,
    s.kernel_count + c.again_count AS kernel_count,
    s.total_ns,
    s.mean_ns,
    s.median_ns,
    s.min_ns,
    s.max_ns,
    s.stddev_ns,
    n.kernel_name
FROM sums AS s
INNER JOIN counts AS c USING (kernel_number, thread_number, title_number)
INNER JOIN (SELECT DISTINCT report_id, kernel_number, kernel_name FROM numbered) AS n USING (kernel_number)
LEFT JOIN titles AS t USING (title_number)
