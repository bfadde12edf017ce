-- What OpenACC directives made the runtime do: constructs, waits, transfers, launches.
--
-- Constructs hold the events inside them: a sum over all counts time twice. The creation and deletion of device data are
-- moments. Times are those of the host.
--
-- @version 1
-- @grain   report_id, event_id
-- @source  CUPTI_ACTIVITY_KIND_OPENACC_DATA, CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH, CUPTI_ACTIVITY_KIND_OPENACC_OTHER
-- @trace   CAPTURE_EVENT_TYPE=OpenACC --trace=openacc
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  event_id       BIGINT  id    Event, unique within the report.
-- @column  kind           VARCHAR text  data, launch or other.
-- @column  name           VARCHAR text  What happened, as Enqueue Launch.
-- @column  file_name      VARCHAR text  Source file of the directive, without its folder; NULL if not recorded.
-- @column  line           INTEGER -     Its line; NULL if not recorded.
-- @column  function_name  VARCHAR text  Function that holds it; NULL if not recorded.
-- @column  process_id     BIGINT  id    Process.
-- @column  thread_id      BIGINT  id    Thread.
-- @column  start_ns       BIGINT  ns    Start on the report's time axis.
-- @column  end_ns         BIGINT  ns    End on the report's time axis.
-- @column  dur_ns         BIGINT  ns    end_ns - start_ns.
-- @column  device_id      INTEGER id    CUDA device number in the process; NULL if not recorded.
-- @column  context_id     BIGINT  id    CUDA context, unique only within its process.
-- @column  stream_id      BIGINT  id    CUDA stream, unique only within its context.
-- @column  correlation_id BIGINT  id    Number shared with CUDA calls, unique only within the process; NULL if not recorded.
-- @column  size_bytes     BIGINT  bytes Bytes of a data event; NULL for others.
-- @column  variable_name  VARCHAR text  Variable of a data event; NULL for others.
-- @column  kernel_name    VARCHAR text  Kernel of a launch; NULL for others.
-- @column  gang_count     BIGINT  count Gangs of a launch; NULL for others.
-- @column  worker_count   BIGINT  count Workers of a launch; NULL for others.
-- @column  vector_length  BIGINT  count Vector length of a launch; NULL for others.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  kind IN ('data', 'launch', 'other')
-- @example SELECT name, file_name, line, sum(dur_ns) AS dur_ns FROM openacc_events GROUP BY ALL ORDER BY dur_ns DESC
WITH events AS (
    SELECT
        report_id, _rowid * 4 AS event_id, 'data' AS kind, nameId, srcFile, lineNo, funcName, globalTid, start, "end",
        cuDeviceId, cuContextId, cuStreamId, correlationId, bytes, varName, NULL AS kernelName, NULL AS numGangs,
        NULL AS numWorkers, NULL AS vectorLength
    FROM raw.CUPTI_ACTIVITY_KIND_OPENACC_DATA
    UNION ALL
    SELECT
        report_id, _rowid * 4 + 1, 'launch', nameId, srcFile, lineNo, funcName, globalTid, start, "end", cuDeviceId,
        cuContextId, cuStreamId, correlationId, NULL, NULL, kernelName, numGangs, numWorkers, vectorLength
    FROM raw.CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH
    UNION ALL
    SELECT
        report_id, _rowid * 4 + 2, 'other', nameId, srcFile, lineNo, funcName, globalTid, start, "end", cuDeviceId,
        cuContextId, cuStreamId, correlationId, NULL, NULL, NULL, NULL, NULL, NULL
    FROM raw.CUPTI_ACTIVITY_KIND_OPENACC_OTHER
)

SELECT
    e.report_id,
    e.event_id,
    e.kind,
    n.value AS name,
    f.value AS file_name,
    TRY_CAST(e.lineNo AS INTEGER) AS line,
    u.value AS function_name,
    e.globalTid & (-16777216)::BIGINT AS process_id,
    e.globalTid AS thread_id,
    e.start AS start_ns,
    e.end AS end_ns,
    e.end - e.start AS dur_ns,
    TRY_CAST(e.cuDeviceId AS INTEGER) AS device_id,
    e.cuContextId AS context_id,
    e.cuStreamId AS stream_id,
    nullif(e.correlationId, 0) AS correlation_id,
    e.bytes AS size_bytes,
    v.value AS variable_name,
    k.value AS kernel_name,
    e.numGangs AS gang_count,
    e.numWorkers AS worker_count,
    e.vectorLength AS vector_length
FROM events AS e
LEFT JOIN raw.StringIds AS n ON n.report_id = e.report_id AND n.id = e.nameId
LEFT JOIN raw.StringIds AS f ON f.report_id = e.report_id AND f.id = e.srcFile
LEFT JOIN raw.StringIds AS u ON u.report_id = e.report_id AND u.id = e.funcName
LEFT JOIN raw.StringIds AS v ON v.report_id = e.report_id AND v.id = e.varName
LEFT JOIN raw.StringIds AS k ON k.report_id = e.report_id AND k.id = e.kernelName
