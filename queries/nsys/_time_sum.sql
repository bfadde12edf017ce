-- The columns that NVIDIA's reports of times share, one row per name.
--
-- Averages and percentages are rounded to one decimal, as the reports print them. The percentage is of all rows of the
-- report, not of the time recorded.
--
-- @version 1
-- @kind    macro
-- @param   rows         TABLE   -  -    Name of a relation with report_id, dur_ns and the columns to group by, such as name.
-- @column  report_id    INTEGER id      Report, as in rows.
-- @column  name         VARCHAR text    Name, or whatever columns rows has instead.
-- @column  total_ns     BIGINT  ns      Sum.
-- @column  row_count    BIGINT  count   Rows.
-- @column  mean_ns      DOUBLE  ns      Mean.
-- @column  median_ns    DOUBLE  ns      Median.
-- @column  min_ns       BIGINT  ns      Shortest.
-- @column  max_ns       BIGINT  ns      Longest.
-- @column  stddev_ns    DOUBLE  ns      Sample standard deviation; 0 for one row.
-- @column  q1_ns        DOUBLE  ns      First quartile.
-- @column  q3_ns        DOUBLE  ns      Third quartile.
-- @column  time_percent DOUBLE  percent total_ns of the sum over all rows; NULL if that is 0.
WITH sums AS (
    SELECT
        * EXCLUDE (dur_ns),
        CAST(sum(dur_ns) AS BIGINT) AS total_ns,
        count(*) AS row_count,
        _one_digit(avg(dur_ns)) AS mean_ns,
        _one_digit(median(dur_ns)) AS median_ns,
        min(dur_ns) AS min_ns,
        max(dur_ns) AS max_ns,
        _one_digit(stddev_or_zero(dur_ns)) AS stddev_ns,
        quartile(dur_ns, 1) AS q1_ns,
        quartile(dur_ns, 3) AS q3_ns
    FROM query_table(rows)
    GROUP BY ALL
)

SELECT
    *,
    _one_digit(100 * total_ns::HUGEINT / nullif(sum(total_ns) OVER (PARTITION BY report_id), 0)) AS time_percent
FROM sums
