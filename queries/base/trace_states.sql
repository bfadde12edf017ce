-- What each report can answer: for every kind of event, whether it was traced and whether anything happened.
--
-- State: recorded (there are rows), none (traced, nothing happened), not_traced (the capture did not ask for it),
-- unknown (no rows, and the report does not say what was traced: nsys up to 2023.2, or a limited export).
--
-- @version 1
-- @grain   report_id, source
-- @column  report_id    INTEGER id   Report the row belongs to.
-- @column  source       VARCHAR text Base view that shows the events.
-- @column  state        VARCHAR text recorded, none, not_traced or unknown.
-- @column  row_count    BIGINT  count Rows in the export.
-- @column  trace_option VARCHAR text Option of nsys profile that records them.
-- @order   report_id, source
-- @assert  state IN ('recorded', 'none', 'not_traced', 'unknown')
-- @example SELECT source, state, trace_option FROM trace_states
WITH events AS (
    SELECT
        f.report_id,
        s.view_name AS source,
        any_value(s.option_key) AS option_key,
        any_value(s.option_value) AS option_value,
        any_value(s.trace_option) AS trace_option,
        CAST(coalesce(sum(t.row_count), 0) AS BIGINT) AS row_count
    FROM nsysql_meta.report_files AS f
    CROSS JOIN nsysql_meta.trace_sources AS s
    LEFT JOIN nsysql_meta.source_tables AS t ON t.report_id = f.report_id AND t.table_name = s.table_name
    GROUP BY f.report_id, s.view_name
),

asked AS (
    SELECT e.report_id, e.source, bool_or(c.name GLOB e.option_key AND c.value = coalesce(e.option_value, c.value)) AS was_traced
    FROM events AS e
    INNER JOIN raw.META_DATA_CAPTURE AS c USING (report_id)
    GROUP BY ALL
)

SELECT
    e.report_id,
    e.source,
    CASE
        WHEN e.row_count > 0 THEN 'recorded'
        WHEN a.was_traced THEN 'none'
        WHEN a.was_traced IS NULL THEN 'unknown'
        ELSE 'not_traced'
    END AS state,
    e.row_count,
    e.trace_option
FROM events AS e
LEFT JOIN asked AS a USING (report_id, source)
