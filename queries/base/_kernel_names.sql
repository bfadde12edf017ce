-- Every kernel name of a report.
--
-- Which family each belongs to is found once, when a report is ingested or rules change, and kept: _kernel_families.
--
-- @version 1
-- @grain   report_id, name_id
-- @column  report_id INTEGER id   Report the row belongs to.
-- @column  name_id   BIGINT  id   Number of the name: kernels.name_id.
-- @column  name      VARCHAR text Full demangled name; NULL if the text is not recorded.
WITH ids AS (
    SELECT DISTINCT report_id, coalesce(demangledName, shortName) AS name_id, shortName AS short_id
    FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
    WHERE coalesce(demangledName, shortName) IS NOT NULL
)

SELECT i.report_id, i.name_id, min(coalesce(full_name.value, short.value)) AS name
FROM ids AS i
LEFT JOIN raw.StringIds AS full_name ON full_name.report_id = i.report_id AND full_name.id = i.name_id
LEFT JOIN raw.StringIds AS short ON short.report_id = i.report_id AND short.id = i.short_id
GROUP BY i.report_id, i.name_id
