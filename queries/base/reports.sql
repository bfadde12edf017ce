-- Ingested reports, one row each: what they are called, when and how long they recorded, which nsys wrote them.
--
-- The time axis of a report starts at its own zero, the start of the session; the capture is [0, duration_ns],
-- or the window of it that is looked at (query --from, --to).
-- Reports of one run share a wall clock: offset_ns is what to add to a report's times to put the run on one axis.
--
-- @version 1
-- @grain   report_id
-- @column  report_id           INTEGER   id    Number of the report in this database; kept on re-ingest, never reused.
-- @column  name                VARCHAR   text  Name of the report, unique in this database.
-- @column  run                 VARCHAR   text  Run that the report belongs to; NULL if none was given.
-- @column  start_utc_ns        BIGINT    ns    Start of the session, ns since 1970 UTC; NULL if not recorded.
-- @column  duration_ns         BIGINT    ns    Length of the capture; NULL if not recorded.
-- @column  offset_ns           BIGINT    ns    Start of the session after the earliest session of the same run.
-- @column  export_version      VARCHAR   text  nsys that wrote the export; NULL up to 2021.4.
-- @column  schema_version      VARCHAR   text  Version of the export's schema; NULL up to 2021.4.
-- @column  capture_version     VARCHAR   text  nsys that recorded, as far as its install path tells.
-- @column  driver_version      VARCHAR   text  NVIDIA driver on the recorded machine.
-- @column  cuda_driver_version INTEGER   -     CUDA version of the driver, 1000 * major + 10 * minor.
-- @column  host                VARCHAR   id    Keyed hash of the host name; equal hosts have equal hashes in a database.
-- @column  is_partial          BOOLEAN   bool  The export was limited to some tables or times.
-- @column  time_shift_ns       BIGINT    ns    Shift that the export had added to all times, taken off again here; NULL if not recorded.
-- @column  source_file         VARCHAR   text  Base name of the ingested file.
-- @column  source_kind         VARCHAR   text  nsys-rep or sqlite.
-- @column  source_bytes        BIGINT    bytes Size of the ingested file.
-- @column  source_sha256       VARCHAR   text  SHA-256 of the ingested file.
-- @column  ingested_at         TIMESTAMP time  When it was ingested, UTC.
-- @column  capture_start_ns    BIGINT    ns    Start of the capture on the report's time axis: 0, or the start of a window that is looked at.
-- @column  capture_end_ns      BIGINT    ns    End of the capture, or of the window; NULL if not recorded.
-- @order   report_id
-- @assert  duration_ns >= 0
-- @assert  offset_ns >= 0
-- @example SELECT name, duration_ns, export_version FROM reports
WITH exports AS (
    SELECT
        report_id,
        max(value) FILTER (name = 'EXPORT_PRODUCT_VERSION') AS export_version,
        max(value) FILTER (name = 'EXPORT_SCHEMA_VERSION') AS schema_version,
        max(TRY_CAST(value AS BIGINT)) FILTER (name = 'EXPORT_CONFIG_TIME_SHIFT') AS time_shift_ns,
        bool_or(value <> '') FILTER (
            name IN ('EXPORT_PARAM_TABLES_TO_EXPORT', 'EXPORT_PARAM_TIMES_TO_EXPORT')) AS is_partial
    FROM raw.META_DATA_EXPORT
    GROUP BY report_id
),

machines AS (
    SELECT
        report_id,
        max(value) FILTER (name = 'Hostname') AS host,
        max(nullif(value, '')) FILTER (name = 'TargetInstallDir') AS capture_version,
        max(value) FILTER (name = 'NvDriverVersion') AS driver_version,
        max(TRY_CAST(value AS INTEGER)) FILTER (name = 'CudaDriverVersion') AS cuda_driver_version
    FROM raw.TARGET_INFO_SYSTEM_ENV
    GROUP BY report_id
),

sessions AS (
    SELECT report_id, min(utcEpochNs) AS start_utc_ns
    FROM raw.TARGET_INFO_SESSION_START_TIME
    GROUP BY report_id
)

SELECT
    f.report_id,
    f.name,
    f.run,
    s.start_utc_ns,
    c.duration_ns,
    s.start_utc_ns - min(s.start_utc_ns) OVER (PARTITION BY f.run, CASE WHEN f.run IS NULL THEN f.report_id END) AS offset_ns,
    e.export_version,
    e.schema_version,
    m.capture_version,
    m.driver_version,
    m.cuda_driver_version,
    m.host,
    e.is_partial,
    CASE WHEN e.report_id IS NOT NULL THEN coalesce(e.time_shift_ns, 0) END AS time_shift_ns,
    f.source_file,
    f.source_kind,
    f.source_bytes,
    f.source_sha256,
    f.ingested_at,
    c.start_ns AS capture_start_ns,
    c.end_ns AS capture_end_ns
FROM nsysql_meta.report_files AS f
LEFT JOIN sessions AS s USING (report_id)
LEFT JOIN _captures AS c USING (report_id)
LEFT JOIN exports AS e USING (report_id)
LEFT JOIN machines AS m USING (report_id)
