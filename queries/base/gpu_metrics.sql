-- Samples of the GPU's hardware counters.
--
-- A sample is of the whole GPU, whichever processes used it. Which metrics there are, and what they are called, differs by
-- GPU and by version of nsys: choose by name. Values are whole numbers as recorded: percent of the peak for throughputs,
-- Hz for clocks (also where the name says MHz); the first sample, taken before time 0, can be anything. nsys up to 2023.1
-- kept metrics as JSON text, which is not read: export such a report again with a newer nsys.
--
-- @version 1
-- @grain   report_id, sample_id
-- @source  GPU_METRICS
-- @trace   GPU_METRICS_OPTIONS:* --gpu-metrics-devices=all
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  sample_id   BIGINT  id   Sample of one metric, unique within the report.
-- @column  gpu_id      INTEGER id(gpus.gpu_id) GPU; NULL if the report does not list it.
-- @column  hardware_id BIGINT  id   Number of the GPU on its machine.
-- @column  time_ns     BIGINT  ns   When it was taken, on the report's time axis.
-- @column  metric_id   INTEGER id   Number of the metric, unique only within the GPU.
-- @column  metric      VARCHAR text Name of the metric; NULL if not recorded.
-- @column  value       BIGINT  -    Value; the metric's name tells its unit.
-- @order   report_id, time_ns, gpu_id, metric_id
-- @assert  hardware_id BETWEEN 0 AND 255
-- @example SELECT metric, avg(value) AS mean FROM gpu_metrics GROUP BY ALL
WITH metrics AS (
    SELECT report_id, typeId, metricId, min(metricName) AS metric
    FROM raw.TARGET_INFO_GPU_METRICS
    GROUP BY ALL
)

SELECT
    g.report_id,
    g._rowid AS sample_id,
    d.gpu_id,
    g.typeId & 255 AS hardware_id,
    g.timestamp AS time_ns,
    TRY_CAST(g.metricId AS INTEGER) AS metric_id,
    m.metric,
    g.value
FROM raw.GPU_METRICS AS g
LEFT JOIN metrics AS m ON m.report_id = g.report_id AND m.typeId = g.typeId AND m.metricId = g.metricId
LEFT JOIN _device_gpus AS d
    ON d.report_id = g.report_id AND d.machine_id = g.typeId & (-281474976710656)::BIGINT
    AND d.hardware_id = g.typeId & 255 AND d.process_id IS NULL
