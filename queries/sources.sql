-- Every table and column of an Nsight Systems SQLite export that nsysql reads.
--
-- One CREATE TABLE is one source table. The loader creates all of them in schema raw, typed, with the column report_id
-- before the rest, whatever the export holds: a table or column that an export lacks is empty or NULL, so every view
-- binds on every export. Valid DuckDB SQL; what the loader needs beyond names and types stands in the comments.
--
-- Before a table:
--   @was NAME      older name of the table; the first of the two that the export has is read
--   @all GLOB      read every table that matches into this one; column "source" holds the table's name
--   @keep SQL      allow-list (goes on in indented lines): rows of the export for which this SQLite condition holds; the others are withheld (counted)
--   @keep used     only processes and threads that a loaded event refers to
--   @keep referenced   only strings that a loaded column refers to
--   @shift SELECT   after this table is loaded: the time shift of the export in ns
--   @complete SQL  SQLite condition that holds for a row which nsys writes last: without it an export was cut short
--   @identity      its row count, with start and length of the session, tells whether two exports are of one report
--   @signature     a file with rows in such a table is an Nsight Systems export
--   @private A, B  columns that are never read;  @private table: the table is never read, only counted
-- After a column, separated by semicolons:
--   2021.3.3..2024.2.3   nsys releases whose export has it (first..last seen; open end: still there)
--   rowid          SQLite's rowid, the only identity of a row
--   time           ns since the session's start; the export's time shift is taken off again
--   string, path   id of a string; the string of a path is cut to base names
--   process, thread    global process or thread id of an event
--   key            the process or thread that a row of a "@keep used" table is about
--   was NAME       older name of the column
--   = EXPRESSION   DuckDB expression stored instead of the value

-- ==== Strings =============================================================================================

-- @all ENUM_*
CREATE TABLE raw.ENUM (
    source VARCHAR,             -- 2022.4.1..
    id     BIGINT,              -- 2022.4.1..
    name   VARCHAR,             -- 2022.4.1..
    label  VARCHAR              -- 2022.4.1..
);

-- @signature
-- @keep referenced
CREATE TABLE raw.StringIds (
    id    BIGINT,   -- 2019.3.7..
    value VARCHAR   -- 2019.3.7..; = CASE WHEN id IN (FROM path_strings) THEN file_name(value) ELSE value END
);

-- ==== Metadata ============================================================================================

-- @was EXPORT_META_DATA
-- @signature
-- @complete name = 'EXPORT_TIME'
-- @shift SELECT max(TRY_CAST(value AS BIGINT)) FROM raw.META_DATA_EXPORT WHERE name = 'EXPORT_CONFIG_TIME_SHIFT'
-- @keep name IN ('EXPORT_TIME', 'EXPORT_TIME_UTC', 'EXPORT_PLATFORM', 'EXPORT_ARCH', 'EXPORT_CONFIG_TIME_SHIFT',
--       'EXPORT_LAZY') OR name GLOB 'EXPORT_PRODUCT_*' OR name GLOB 'EXPORT_SCHEMA_VERSION*' OR (name GLOB
--       'EXPORT_PARAM_*' AND name NOT GLOB '*_FILE' AND name NOT GLOB '*_PATH' AND name NOT GLOB '*_PATH_ABS')
CREATE TABLE raw.META_DATA_EXPORT (
    name  VARCHAR,  -- 2021.5.2..
    value VARCHAR   -- 2021.5.2..
);

-- @keep name IN ('CAPTURE_EVENT_TYPE', 'START_TRIGGER', 'STOP_TRIGGER', 'RATE_HZ', 'START_DELAY_MS',
--       'RUN_DURATION_MS', 'START_FRAME_VALUE', 'RUN_DURATION_FRAMES', 'INCLUDE_CHILDREN', 'SHOW_BACKTRACE',
--       'TRACE_ALL_TASKS', 'SAMPLE_ALL_TASKS', 'USE_LINUX_PERF', 'USE_LBRS', 'USE_DWARF', 'USE_FRAME_POINTERS',
--       'TRACE_AFTER_FORK_BEFORE_EXEC', 'DISABLE_TIME_SYNC', 'CUDA_TRACE_SCOPE', 'DEVICE_TYPE') OR name GLOB
--       'COLLECT_*' OR name GLOB 'PROCESS_*:COLLECT_*' OR name GLOB 'PROCESS_*:CUDA_*' OR name GLOB 'CUDA_*' OR
--       name GLOB 'OS_RUNTIME_OPTIONS:*' OR name GLOB 'LINUX_PERF_OPTIONS:*' OR name GLOB 'GPU_METRICS_OPTIONS:*'
--       OR name GLOB '*_OPTIONS:COLLECT_*'
--       OR name GLOB 'NVTX_OPTIONS:*' OR name GLOB 'SYMBOL_RESOLUTION_OPTIONS:RESOLVE_SYMBOLS' OR (name GLOB
--       'PROCESS_*:ENVIRONMENT_VARIABLE' AND rtrim(replace(value, '"', ''), '0123456789') IN ('RANK=',
--       'LOCAL_RANK=', 'WORLD_SIZE=', 'OMPI_COMM_WORLD_RANK=', 'SLURM_PROCID='))
CREATE TABLE raw.META_DATA_CAPTURE (
    _rowid BIGINT,   -- rowid
    name   VARCHAR,  -- 2023.3.1..
    value  VARCHAR   -- 2023.3.1..
);

CREATE TABLE raw.TARGET_INFO_SESSION_START_TIME (
    utcEpochNs           BIGINT,   -- 2021.3.3..
    utcTime              VARCHAR,  -- 2021.3.3..
    localTime            VARCHAR,  -- 2021.3.3..
    systemClockNs        BIGINT,   -- 2025.6.1..
    sessionStartCntVctNs BIGINT    -- 2026.4..
);

CREATE TABLE raw.ANALYSIS_DETAILS (
    globalVid BIGINT,   -- 2021.5.2..
    duration  BIGINT,   -- 2021.5.2..
    startTime BIGINT,   -- 2021.5.2..
    stopTime  BIGINT    -- 2021.5.2..
);

-- @keep name IN ('Hostname', 'TargetInstallDir', 'CpuCores', 'CpuSpeedMhz', 'CpuArchitecture', 'CpuDescription',
--       'NvDriverVersion', 'CudaDriverVersion', 'HardwarePlatform', 'SoftwarePlatform', 'OsDescription',
--       'HasDiscreteGpu') OR name GLOB 'Has*Events' OR name GLOB 'Supports*'
CREATE TABLE raw.TARGET_INFO_SYSTEM_ENV (
    globalVid    BIGINT,   -- 2021.3.3..
    devStateName VARCHAR,  -- 2021.3.3..
    name         VARCHAR,  -- 2021.3.3..
    nameEnum     BIGINT,   -- 2021.3.3..
    value        VARCHAR   -- 2021.3.3..; = CASE name WHEN 'Hostname' THEN keyed_hash(value) WHEN 'TargetInstallDir' THEN regexp_extract(value, '[0-9]{4}\.[0-9.]*[0-9]') ELSE value END
);

-- @keep used
CREATE TABLE raw.PROCESSES (
    globalPid BIGINT,   -- 2021.5.2..; key
    pid       BIGINT,   -- 2021.5.2..
    name      VARCHAR   -- 2021.5.2..; = file_name(name)
);

-- @keep used
CREATE TABLE raw.ThreadNames (
    nameId    BIGINT,   -- 2019.3.7..; string
    priority  BIGINT,   -- 2019.3.7..
    globalTid BIGINT,   -- 2019.3.7..; key
    id        BIGINT    -- 2019.3.7..2019.3.7
);

-- @private table
CREATE TABLE raw.ProcessStreams (
    _rowid BIGINT    -- rowid
);

-- @private table
CREATE TABLE raw.ANALYSIS_FILE (
    _rowid BIGINT    -- rowid
);

CREATE TABLE raw.DIAGNOSTIC_EVENT (
    _rowid        BIGINT,   -- rowid
    timestamp     BIGINT,   -- 2024.2.3..; time
    timestampType BIGINT,   -- 2024.2.3..
    source        BIGINT,   -- 2024.2.3..
    severity      BIGINT,   -- 2024.2.3..
    text          VARCHAR,  -- 2024.2.3..; = base_name(text)
    globalPid     BIGINT    -- 2024.2.3..
);

-- @private table
CREATE TABLE raw.TARGET_INFO_PROCESS (
    _rowid BIGINT    -- rowid
);

CREATE TABLE raw.TARGET_INFO_COMPONENT (
    componentId BIGINT,   -- 2025.3.1..
    name        VARCHAR,  -- 2025.3.1..
    instance    BIGINT,   -- 2025.3.1..
    parentId    BIGINT    -- 2025.3.1..
);

-- ==== Hardware and CUDA objects ===========================================================================

-- @private ctxswDevPath, ctrlDevPath
CREATE TABLE raw.TARGET_INFO_GPU (
    vmId                  BIGINT,   -- 2020.3.x..
    id                    BIGINT,   -- 2020.3.x..; was deviceId
    name                  VARCHAR,  -- 2020.3.x..
    busLocation           VARCHAR,  -- 2020.3.x..
    isDiscrete            BIGINT,   -- 2020.3.x..
    l2CacheSize           BIGINT,   -- 2021.3.3..
    totalMemory           BIGINT,   -- 2021.3.3..
    memoryBandwidth       BIGINT,   -- 2021.3.3..
    clockRate             BIGINT,   -- 2021.3.3..
    smCount               BIGINT,   -- 2021.3.3..
    pwGpuId               BIGINT,   -- 2021.3.3..
    uuid                  VARCHAR,  -- 2021.3.3..; = keyed_hash(uuid)
    luid                  BIGINT,   -- 2021.3.3..
    chipName              VARCHAR,  -- 2021.3.3..
    cuDevice              BIGINT,   -- 2021.3.3..
    revision              BIGINT,   -- 2021.3.3..
    nodeMask              BIGINT,   -- 2021.3.3..
    constantMemory        BIGINT,   -- 2021.3.3..
    maxIPC                BIGINT,   -- 2021.3.3..
    maxRegistersPerBlock  BIGINT,   -- 2021.3.3..
    maxShmemPerBlock      BIGINT,   -- 2021.3.3..
    maxShmemPerBlockOptin BIGINT,   -- 2021.3.3..
    maxShmemPerSm         BIGINT,   -- 2021.3.3..
    maxRegistersPerSm     BIGINT,   -- 2021.3.3..
    threadsPerWarp        BIGINT,   -- 2021.3.3..
    asyncEngines          BIGINT,   -- 2021.3.3..
    maxWarpsPerSm         BIGINT,   -- 2021.3.3..
    maxBlocksPerSm        BIGINT,   -- 2021.3.3..
    maxThreadsPerBlock    BIGINT,   -- 2021.3.3..
    maxBlockDimX          BIGINT,   -- 2021.3.3..
    maxBlockDimY          BIGINT,   -- 2021.3.3..
    maxBlockDimZ          BIGINT,   -- 2021.3.3..
    maxGridDimX           BIGINT,   -- 2021.3.3..
    maxGridDimY           BIGINT,   -- 2021.3.3..
    maxGridDimZ           BIGINT,   -- 2021.3.3..
    computeMajor          BIGINT,   -- 2021.3.3..
    computeMinor          BIGINT,   -- 2021.3.3..
    smMajor               BIGINT,   -- 2021.3.3..
    smMinor               BIGINT,   -- 2021.3.3..
    numaNodeId            BIGINT    -- 2026.4..
);

CREATE TABLE raw.TARGET_INFO_CUDA_GPU (
    vmId                             BIGINT,   -- 2020.3.x..2020.4.3
    name                             VARCHAR,  -- 2020.3.x..2020.4.3
    pciBusId                         VARCHAR,  -- 2020.3.x..2020.4.3
    globalMemoryBandwidth            BIGINT,   -- 2020.3.x..2020.4.3
    globalMemorySize                 BIGINT,   -- 2020.3.x..2020.4.3
    constantMemorySize               BIGINT,   -- 2020.3.x..2020.4.3
    l2CacheSize                      BIGINT,   -- 2020.3.x..2020.4.3
    numThreadsPerWarp                BIGINT,   -- 2020.3.x..2020.4.3
    coreClockRate                    BIGINT,   -- 2020.3.x..2020.4.3
    numMemcpyEngines                 BIGINT,   -- 2020.3.x..2020.4.3
    numMultiprocessors               BIGINT,   -- 2020.3.x..2020.4.3
    maxIPC                           BIGINT,   -- 2020.3.x..2020.4.3
    maxWarpsPerMultiprocessor        BIGINT,   -- 2020.3.x..2020.4.3
    maxBlocksPerMultiprocessor       BIGINT,   -- 2020.3.x..2020.4.3
    maxRegistersPerBlock             BIGINT,   -- 2020.3.x..2020.4.3
    maxSharedMemoryPerBlock          BIGINT,   -- 2020.3.x..2020.4.3
    maxThreadsPerBlock               BIGINT,   -- 2020.3.x..2020.4.3
    maxBlockDimX                     BIGINT,   -- 2020.3.x..2020.4.3
    maxBlockDimY                     BIGINT,   -- 2020.3.x..2020.4.3
    maxBlockDimZ                     BIGINT,   -- 2020.3.x..2020.4.3
    maxGridDimX                      BIGINT,   -- 2020.3.x..2020.4.3
    maxGridDimY                      BIGINT,   -- 2020.3.x..2020.4.3
    maxGridDimZ                      BIGINT,   -- 2020.3.x..2020.4.3
    computeCapabilityMajor           BIGINT,   -- 2020.3.x..2020.4.3
    computeCapabilityMinor           BIGINT,   -- 2020.3.x..2020.4.3
    deviceId                         BIGINT,   -- 2020.3.x..2020.4.3
    pid                              BIGINT,   -- 2020.3.x..2020.4.3
    maxSharedMemoryPerMultiprocessor BIGINT,   -- 2020.3.x..2020.4.3
    maxRegistersPerMultiprocessor    BIGINT    -- 2020.3.x..2020.4.3
);

CREATE TABLE raw.TARGET_INFO_CUDA_DEVICE (
    gpuId              BIGINT,   -- 2025.1.3..
    cudaId             BIGINT,   -- 2025.1.3..
    pid                BIGINT,   -- 2025.1.3..
    uuid               VARCHAR,  -- 2025.6.1..; = keyed_hash(uuid)
    numMultiprocessors BIGINT    -- 2025.6.1..
);

-- @was TARGET_INFO_CUDA_NULL_STREAM
CREATE TABLE raw.TARGET_INFO_CUDA_CONTEXT_INFO (
    nullStreamId              BIGINT,   -- 2020.3.x..; was streamId
    hwId                      BIGINT,   -- 2020.3.x..
    vmId                      BIGINT,   -- 2020.3.x..
    processId                 BIGINT,   -- 2020.3.x..
    deviceId                  BIGINT,   -- 2020.3.x..
    contextId                 BIGINT,   -- 2020.3.x..
    parentContextId           BIGINT,   -- 2023.4.4..
    isGreenContext            BIGINT,   -- 2023.4.4..
    numMultiprocessors        BIGINT,   -- 2025.6.1..
    numTpcs                   BIGINT,   -- 2026.1.3..
    tpcMask                   VARCHAR,  -- 2026.1.3..
    workqueueResourceId       BIGINT,   -- 2026.1.3..
    workqueueConcurrencyLimit BIGINT,   -- 2026.1.3..
    workqueueSharingScope     BIGINT,   -- 2026.1.3..
    workqueueChannelCount     BIGINT,   -- 2026.4..
    workqueueChannelIds       VARCHAR   -- 2026.4..
);

CREATE TABLE raw.TARGET_INFO_CUDA_STREAM (
    streamId  BIGINT,   -- 2020.3.x..
    hwId      BIGINT,   -- 2020.3.x..
    vmId      BIGINT,   -- 2020.3.x..
    processId BIGINT,   -- 2020.3.x..
    contextId BIGINT,   -- 2020.3.x..
    priority  BIGINT,   -- 2020.3.x..
    flag      BIGINT    -- 2020.3.x..
);

CREATE TABLE raw.TARGET_INFO_NVTX_CUDA_DEVICE (
    name     VARCHAR,  -- 2021.3.3..
    hwId     BIGINT,   -- 2021.3.3..
    vmId     BIGINT,   -- 2021.3.3..
    deviceId BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.TARGET_INFO_NVTX_CUDA_CONTEXT (
    name      VARCHAR,  -- 2021.3.3..
    hwId      BIGINT,   -- 2021.3.3..
    vmId      BIGINT,   -- 2021.3.3..
    processId BIGINT,   -- 2021.3.3..
    deviceId  BIGINT,   -- 2021.3.3..
    contextId BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.TARGET_INFO_NVTX_CUDA_STREAM (
    name      VARCHAR,  -- 2021.3.3..
    hwId      BIGINT,   -- 2021.3.3..
    vmId      BIGINT,   -- 2021.3.3..
    processId BIGINT,   -- 2021.3.3..
    deviceId  BIGINT,   -- 2021.3.3..
    contextId BIGINT,   -- 2021.3.3..
    streamId  BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.TARGET_INFO_NIC_INFO (
    GUID      VARCHAR,  -- 2023.2.3..; was globalId; = keyed_hash(GUID)
    stateName VARCHAR,  -- 2023.2.3..
    nicId     BIGINT,   -- 2023.2.3..
    name      VARCHAR,  -- 2023.2.3..
    deviceId  BIGINT,   -- 2023.2.3..
    vendorId  BIGINT,   -- 2023.2.3..
    linkLayer BIGINT    -- 2023.2.3..
);

CREATE TABLE raw.NIC_ID_MAP (
    nicId    BIGINT,   -- 2023.4.4..
    globalId VARCHAR   -- 2023.4.4..; = keyed_hash(globalId)
);

-- @was TARGET_INFO_PERF_COUNTER
CREATE TABLE raw.TARGET_INFO_PERF_METRIC (
    id          BIGINT,   -- 2023.4.4..
    name        VARCHAR,  -- 2023.2.3..
    description VARCHAR,  -- 2023.2.3..
    unit        VARCHAR,  -- 2023.2.3..
    displayName VARCHAR,  -- 2026.4..
    counterId   BIGINT    -- 2023.2.3..2023.2.3
);

CREATE TABLE raw.TARGET_INFO_GPU_METRICS (
    typeId     BIGINT,   -- 2023.2.3..
    sourceId   BIGINT,   -- 2023.2.3..
    typeName   VARCHAR,  -- 2023.2.3..
    metricId   BIGINT,   -- 2023.2.3..
    metricName VARCHAR   -- 2023.2.3..
);

CREATE TABLE raw.TARGET_INFO_NETWORK_METRICS (
    metricsListId BIGINT,   -- 2023.2.3..
    metricsIdx    BIGINT,   -- 2023.2.3..
    name          VARCHAR,  -- 2023.2.3..
    description   VARCHAR,  -- 2023.2.3..
    unit          VARCHAR   -- 2023.2.3..
);

-- ==== CUDA ================================================================================================

-- @identity
CREATE TABLE raw.CUPTI_ACTIVITY_KIND_KERNEL (
    _rowid                          BIGINT,   -- rowid
    "start"                         BIGINT,   -- 2019.3.7..; time
    "end"                           BIGINT,   -- 2019.3.7..; time
    deviceId                        BIGINT,   -- 2019.3.7..
    contextId                       BIGINT,   -- 2019.3.7..
    greenContextId                  BIGINT,   -- 2023.4.4..
    streamId                        BIGINT,   -- 2019.3.7..
    correlationId                   BIGINT,   -- 2019.3.7..
    globalPid                       BIGINT,   -- 2019.3.7..; process
    demangledName                   BIGINT,   -- 2019.3.7..; string
    shortName                       BIGINT,   -- 2019.3.7..; string
    mangledName                     BIGINT,   -- 2021.3.3..; string
    launchType                      BIGINT,   -- 2019.3.7..
    cacheConfig                     BIGINT,   -- 2019.3.7..
    registersPerThread              BIGINT,   -- 2019.3.7..
    gridX                           BIGINT,   -- 2019.3.7..
    gridY                           BIGINT,   -- 2019.3.7..
    gridZ                           BIGINT,   -- 2019.3.7..
    blockX                          BIGINT,   -- 2019.3.7..
    blockY                          BIGINT,   -- 2019.3.7..
    blockZ                          BIGINT,   -- 2019.3.7..
    staticSharedMemory              BIGINT,   -- 2019.3.7..
    dynamicSharedMemory             BIGINT,   -- 2019.3.7..
    localMemoryPerThread            BIGINT,   -- 2019.3.7..
    localMemoryTotal                BIGINT,   -- 2019.3.7..
    gridId                          BIGINT,   -- 2019.3.7..
    sharedMemoryExecuted            BIGINT,   -- 2019.3.7..
    graphNodeId                     BIGINT,   -- 2020.3.x..
    sharedMemoryLimitConfig         BIGINT,   -- 2021.3.3..
    qmdBulkReleaseDone              BIGINT,   -- 2025.6.3..
    qmdPreexitDone                  BIGINT,   -- 2025.6.3..
    qmdLastCtaDone                  BIGINT,   -- 2025.6.3..
    graphId                         BIGINT,   -- 2025.6.3..
    clusterX                        BIGINT,   -- 2025.6.3..
    clusterY                        BIGINT,   -- 2025.6.3..
    clusterZ                        BIGINT,   -- 2025.6.3..
    clusterSchedulingPolicy         BIGINT,   -- 2025.6.3..
    maxPotentialClusterSize         BIGINT,   -- 2025.6.3..
    maxActiveClusters               BIGINT,   -- 2025.6.3..
    sharedMemoryRequestedPercentage BIGINT,   -- 2025.6.3..
    tensorSizeMinusOneElements      VARCHAR,  -- 2026.1.3..
    id                              BIGINT,   -- 2019.3.7..2019.3.7
    eventClass                      BIGINT    -- 2019.3.7..2019.3.7
);

-- @identity
CREATE TABLE raw.CUPTI_ACTIVITY_KIND_MEMCPY (
    _rowid          BIGINT,   -- rowid
    "start"         BIGINT,   -- 2019.3.7..; time
    "end"           BIGINT,   -- 2019.3.7..; time
    deviceId        BIGINT,   -- 2019.3.7..
    contextId       BIGINT,   -- 2019.3.7..
    greenContextId  BIGINT,   -- 2023.4.4..
    streamId        BIGINT,   -- 2019.3.7..
    correlationId   BIGINT,   -- 2019.3.7..
    globalPid       BIGINT,   -- 2019.3.7..; process
    bytes           BIGINT,   -- 2019.3.7..
    copyKind        BIGINT,   -- 2019.3.7..
    deprecatedSrcId BIGINT,   -- 2021.3.3..
    srcKind         BIGINT,   -- 2019.3.7..
    dstKind         BIGINT,   -- 2021.3.3..
    srcDeviceId     BIGINT,   -- 2021.3.3..
    srcContextId    BIGINT,   -- 2021.3.3..
    dstDeviceId     BIGINT,   -- 2021.3.3..
    dstContextId    BIGINT,   -- 2021.3.3..
    migrationCause  BIGINT,   -- 2021.3.3..
    graphNodeId     BIGINT,   -- 2021.3.3..
    virtualAddress  BIGINT,   -- 2021.5.2..
    copyCount       BIGINT,   -- 2025.3.1..
    id              BIGINT,   -- 2019.3.7..2019.3.7
    eventClass      BIGINT    -- 2019.3.7..2019.3.7
);

-- @identity
CREATE TABLE raw.CUPTI_ACTIVITY_KIND_MEMSET (
    _rowid         BIGINT,   -- rowid
    "start"        BIGINT,   -- 2019.3.7..; time
    "end"          BIGINT,   -- 2019.3.7..; time
    deviceId       BIGINT,   -- 2019.3.7..
    contextId      BIGINT,   -- 2019.3.7..
    greenContextId BIGINT,   -- 2023.4.4..
    streamId       BIGINT,   -- 2019.3.7..
    correlationId  BIGINT,   -- 2019.3.7..
    globalPid      BIGINT,   -- 2019.3.7..; process
    value          BIGINT,   -- 2019.3.7..
    bytes          BIGINT,   -- 2019.3.7..
    graphNodeId    BIGINT,   -- 2021.3.3..
    memKind        BIGINT,   -- 2021.3.3..
    id             BIGINT,   -- 2019.3.7..2019.3.7
    eventClass     BIGINT    -- 2019.3.7..2019.3.7
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_GRAPH_TRACE (
    _rowid         BIGINT,   -- rowid
    "start"        BIGINT,   -- 2024.2.3..; time
    "end"          BIGINT,   -- 2024.2.3..; time
    deviceId       BIGINT,   -- 2024.2.3..
    contextId      BIGINT,   -- 2024.2.3..
    greenContextId BIGINT,   -- 2024.2.3..
    streamId       BIGINT,   -- 2024.2.3..
    correlationId  BIGINT,   -- 2024.2.3..
    globalPid      BIGINT,   -- 2024.2.3..; process
    graphId        BIGINT,   -- 2024.2.3..
    graphExecId    BIGINT    -- 2024.2.3..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS (
    _rowid             BIGINT,   -- rowid
    "start"            BIGINT,   -- 2026.4..; time
    "end"              BIGINT,   -- 2026.4..; time
    eventClass         BIGINT,   -- 2026.4..
    deviceId           BIGINT,   -- 2026.4..
    contextId          BIGINT,   -- 2026.4..
    streamId           BIGINT,   -- 2026.4..
    correlationId      BIGINT,   -- 2026.4..
    globalPid          BIGINT,   -- 2026.4..; process
    ChannelID          BIGINT,   -- 2026.4..
    sourceBytes        BIGINT,   -- 2026.4..
    NumberOfOperations BIGINT    -- 2026.4..
);

-- @identity
CREATE TABLE raw.CUPTI_ACTIVITY_KIND_RUNTIME (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2019.3.7..; time
    "end"         BIGINT,   -- 2019.3.7..; time
    eventClass    BIGINT,   -- 2019.3.7..
    globalTid     BIGINT,   -- 2019.3.7..; thread
    correlationId BIGINT,   -- 2019.3.7..
    nameId        BIGINT,   -- 2019.3.7..; string
    returnValue   BIGINT,   -- 2019.3.7..
    callchainId   BIGINT,   -- 2020.4.3..
    id            BIGINT    -- 2019.3.7..2019.3.7
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
    _rowid             BIGINT,   -- rowid
    "start"            BIGINT,   -- 2021.3.3..; time
    "end"              BIGINT,   -- 2021.3.3..; time
    deviceId           BIGINT,   -- 2021.3.3..
    contextId          BIGINT,   -- 2021.3.3..
    greenContextId     BIGINT,   -- 2023.4.4..
    streamId           BIGINT,   -- 2021.3.3..
    correlationId      BIGINT,   -- 2021.3.3..
    globalPid          BIGINT,   -- 2021.3.3..; process
    deprecatedSyncType BIGINT,   -- 2025.3.1..
    syncType           BIGINT,   -- 2021.3.3..
    eventId            BIGINT,   -- 2021.3.3..
    eventSyncId        BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_CUDA_EVENT (
    _rowid         BIGINT,   -- rowid
    timestamp      BIGINT,   -- 2025.6.3..; time
    deviceId       BIGINT,   -- 2022.4.1..
    contextId      BIGINT,   -- 2022.4.1..
    greenContextId BIGINT,   -- 2023.4.4..
    streamId       BIGINT,   -- 2022.4.1..
    correlationId  BIGINT,   -- 2022.4.1..
    globalPid      BIGINT,   -- 2022.4.1..; process
    eventId        BIGINT,   -- 2022.4.1..
    eventSyncId    BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.CUDA_GRAPH_EVENTS (
    _rowid              BIGINT,   -- rowid
    "start"             BIGINT,   -- 2021.3.3..; time
    "end"               BIGINT,   -- 2021.3.3..; time
    eventClass          BIGINT,   -- 2021.3.3..
    globalTid           BIGINT,   -- 2021.3.3..; thread
    nameId              BIGINT,   -- 2021.3.3..; string
    graphId             BIGINT,   -- 2024.2.3..
    originalGraphId     BIGINT,   -- 2024.2.3..
    graphExecId         BIGINT,   -- 2024.2.3..
    graphNodeId         BIGINT,   -- 2021.3.3..2023.4.4
    originalGraphNodeId BIGINT    -- 2021.3.3..2023.4.4
);

CREATE TABLE raw.CUDA_GRAPH_NODE_EVENTS (
    _rowid              BIGINT,   -- rowid
    "start"             BIGINT,   -- 2024.2.3..; time
    "end"               BIGINT,   -- 2024.2.3..; time
    eventClass          BIGINT,   -- 2024.2.3..
    globalTid           BIGINT,   -- 2024.2.3..; thread
    nameId              BIGINT,   -- 2024.2.3..; string
    graphNodeId         BIGINT,   -- 2024.2.3..
    originalGraphNodeId BIGINT    -- 2024.2.3..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH (
    _rowid         BIGINT,   -- rowid
    "start"        BIGINT,   -- 2026.4..; time
    "end"          BIGINT,   -- 2026.4..; time
    deviceId       BIGINT,   -- 2026.4..
    contextId      BIGINT,   -- 2026.4..
    greenContextId BIGINT,   -- 2026.4..
    streamId       BIGINT,   -- 2026.4..
    correlationId  BIGINT,   -- 2026.4..
    globalPid      BIGINT,   -- 2026.4..; process
    graphNodeId    BIGINT,   -- 2026.4..
    graphId        BIGINT    -- 2026.4..
);

CREATE TABLE raw.CUDA_HOST_CALLBACK (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2026.4..; time
    "end"         BIGINT,   -- 2026.4..; time
    eventClass    BIGINT,   -- 2026.4..
    globalTid     BIGINT,   -- 2026.4..; thread
    correlationId BIGINT,   -- 2026.4..
    nameId        BIGINT    -- 2026.4..; string
);

-- @private cachePath
CREATE TABLE raw.CUPTI_ACTIVITY_KIND_JIT (
    _rowid                    BIGINT,   -- rowid
    "start"                   BIGINT,   -- 2026.4..; time
    "end"                     BIGINT,   -- 2026.4..; time
    eventClass                BIGINT,   -- 2026.4..
    globalTid                 BIGINT,   -- 2026.4..; thread
    correlationId             BIGINT,   -- 2026.4..
    nameId                    BIGINT,   -- 2026.4..; string
    overheadType              BIGINT,   -- 2026.4..
    jitEntryType              BIGINT,   -- 2026.4..
    jitOperationType          BIGINT,   -- 2026.4..
    deviceId                  BIGINT,   -- 2026.4..
    jitOperationCorrelationId BIGINT,   -- 2026.4..
    cacheSize                 BIGINT    -- 2026.4..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_OVERHEAD (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2025.6.3..; time
    "end"         BIGINT,   -- 2025.6.3..; time
    eventClass    BIGINT,   -- 2025.6.3..
    globalTid     BIGINT,   -- 2025.6.3..; thread
    correlationId BIGINT,   -- 2025.6.3..
    nameId        BIGINT,   -- 2025.6.3..; string
    overheadType  BIGINT    -- 2025.6.3..
);

CREATE TABLE raw.PROFILER_OVERHEAD (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2019.3.7..; time
    "end"         BIGINT,   -- 2019.3.7..; time
    globalTid     BIGINT,   -- 2019.3.7..; thread
    nameId        BIGINT,   -- 2019.3.7..; string
    overheadType  BIGINT,   -- 2025.6.1..
    id            BIGINT,   -- 2019.3.7..2019.3.7
    eventClass    BIGINT,   -- 2019.3.7..2019.3.7
    correlationId BIGINT,   -- 2019.3.7..2021.3.3
    returnValue   BIGINT    -- 2019.3.7..2025.5.1
);

CREATE TABLE raw.CUDA_GPU_MEMORY_USAGE_EVENTS (
    _rowid                          BIGINT,   -- rowid
    "start"                         BIGINT,   -- 2022.4.2..; time
    globalPid                       BIGINT,   -- 2022.4.2..; process
    deviceId                        BIGINT,   -- 2022.4.2..
    contextId                       BIGINT,   -- 2022.4.2..
    address                         BIGINT,   -- 2022.4.2..
    pc                              BIGINT,   -- 2022.4.2..
    bytes                           BIGINT,   -- 2022.4.2..
    memKind                         BIGINT,   -- 2022.4.2..
    memoryOperationType             BIGINT,   -- 2022.4.2..
    name                            VARCHAR,  -- 2022.4.2..
    correlationId                   BIGINT,   -- 2022.4.2..
    streamId                        BIGINT,   -- 2025.3.1..
    localMemoryPoolAddress          BIGINT,   -- 2022.4.2..
    localMemoryPoolReleaseThreshold BIGINT,   -- 2022.4.2..
    localMemoryPoolSize             BIGINT,   -- 2022.4.2..
    localMemoryPoolUtilizedSize     BIGINT,   -- 2022.4.2..
    importedMemoryPoolAddress       BIGINT,   -- 2022.4.2..
    importedMemoryPoolProcessId     BIGINT    -- 2022.4.2..
);

CREATE TABLE raw.CUDA_GPU_MEMORY_POOL_EVENTS (
    _rowid                          BIGINT,   -- rowid
    "start"                         BIGINT,   -- 2022.4.2..; time
    globalPid                       BIGINT,   -- 2022.4.2..; process
    deviceId                        BIGINT,   -- 2022.4.2..
    address                         BIGINT,   -- 2022.4.2..
    operationType                   BIGINT,   -- 2022.4.2..
    poolType                        BIGINT,   -- 2022.4.2..
    correlationId                   BIGINT,   -- 2022.4.2..
    minBytesToKeep                  BIGINT,   -- 2022.4.2..
    localMemoryPoolReleaseThreshold BIGINT,   -- 2022.4.2..
    localMemoryPoolSize             BIGINT,   -- 2022.4.2..
    localMemoryPoolUtilizedSize     BIGINT    -- 2022.4.2..
);

CREATE TABLE raw.CUDA_UM_CPU_PAGE_FAULT_EVENTS (
    _rowid            BIGINT,   -- rowid
    "start"           BIGINT,   -- 2022.4.2..; time
    globalPid         BIGINT,   -- 2022.4.2..; process
    address           BIGINT,   -- 2022.4.2..
    originalFaultPc   BIGINT,   -- 2022.4.2..
    CpuInstruction    BIGINT,   -- 2022.4.2..; string
    module            BIGINT,   -- 2022.4.2..; path
    unresolvedFaultPc BIGINT,   -- 2022.4.2..
    sourceFile        BIGINT,   -- 2025.3.1..; path
    sourceLine        BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.CUDA_UM_GPU_PAGE_FAULT_EVENTS (
    _rowid             BIGINT,   -- rowid
    "start"            BIGINT,   -- 2022.4.2..; time
    "end"              BIGINT,   -- 2022.4.2..; time
    globalPid          BIGINT,   -- 2022.4.2..; process
    deviceId           BIGINT,   -- 2022.4.2..
    address            BIGINT,   -- 2022.4.2..
    numberOfPageFaults BIGINT,   -- 2022.4.2..
    faultAccessType    BIGINT    -- 2022.4.2..
);

CREATE TABLE raw.CUDA_CALLCHAINS (
    id         BIGINT,   -- 2021.3.3..
    symbol     BIGINT,   -- 2021.3.3..; string
    module     BIGINT,   -- 2021.3.3..; path
    unresolved BIGINT,   -- 2021.3.3..
    originalIP BIGINT,   -- 2021.3.3..
    stackDepth BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_BLOCK_TRACE (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2025.3.1..; time
    "end"         BIGINT,   -- 2025.3.1..; time
    deviceId      BIGINT,   -- 2025.3.1..
    correlationId BIGINT,   -- 2025.3.1..
    nodeId        BIGINT,   -- 2025.3.1..
    SMId          BIGINT,   -- 2025.3.1..
    globalPid     BIGINT,   -- 2025.3.1..; process
    BlockID       BIGINT,   -- 2025.3.1..
    UGPUId        BIGINT,   -- 2025.3.1..
    CGAId         BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_BLOCK_PHASE_TRACE (
    _rowid          BIGINT,   -- rowid
    "start"         BIGINT,   -- 2025.3.1..; time
    "end"           BIGINT,   -- 2025.3.1..; time
    deviceId        BIGINT,   -- 2025.3.1..
    correlationId   BIGINT,   -- 2025.3.1..
    nodeId          BIGINT,   -- 2025.3.1..
    SMId            BIGINT,   -- 2025.3.1..
    globalPid       BIGINT,   -- 2025.3.1..; process
    BlockID         BIGINT,   -- 2025.3.1..
    phase1Timestamp BIGINT,   -- 2025.3.1..
    phase2Timestamp BIGINT,   -- 2025.3.1..
    UGPUId          BIGINT,   -- 2025.3.1..
    CGAId           BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_WARP_TRACE (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2025.3.1..; time
    "end"         BIGINT,   -- 2025.3.1..; time
    deviceId      BIGINT,   -- 2025.3.1..
    correlationId BIGINT,   -- 2025.3.1..
    nodeId        BIGINT,   -- 2025.3.1..
    SMId          BIGINT,   -- 2025.3.1..
    globalPid     BIGINT,   -- 2025.3.1..; process
    BlockID       BIGINT,   -- 2025.3.1..
    WarpID        BIGINT,   -- 2025.3.1..
    UGPUId        BIGINT,   -- 2025.3.1..
    CGAId         BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_WARP_PHASE_TRACE (
    _rowid                    BIGINT,   -- rowid
    "start"                   BIGINT,   -- 2025.3.1..; time
    "end"                     BIGINT,   -- 2025.3.1..; time
    deviceId                  BIGINT,   -- 2025.3.1..
    correlationId             BIGINT,   -- 2025.3.1..
    nodeId                    BIGINT,   -- 2025.3.1..
    SMId                      BIGINT,   -- 2025.3.1..
    globalPid                 BIGINT,   -- 2025.3.1..; process
    BlockID                   BIGINT,   -- 2025.3.1..
    WarpID                    BIGINT,   -- 2025.3.1..
    EventName                 BIGINT,   -- 2026.4..
    InternalEventCount        BIGINT,   -- 2026.4..
    eventType                 BIGINT,   -- 2026.4..
    WarpEventIds              VARCHAR,  -- 2025.3.1..
    WarpEventTimestampOffsets VARCHAR,  -- 2025.3.1..
    UGPUId                    BIGINT,   -- 2025.3.1..
    CGAId                     BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_OPENACC_DATA (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2022.4.2..; time
    "end"         BIGINT,   -- 2022.4.2..; time
    nameId        BIGINT,   -- 2022.4.2..; string
    globalTid     BIGINT,   -- 2022.4.2..; thread
    eventKind     BIGINT,   -- 2022.4.2..
    DeviceType    BIGINT,   -- 2022.4.2..
    lineNo        BIGINT,   -- 2022.4.2..
    cuDeviceId    BIGINT,   -- 2022.4.2..
    cuContextId   BIGINT,   -- 2022.4.2..
    cuStreamId    BIGINT,   -- 2022.4.2..
    srcFile       BIGINT,   -- 2022.4.2..; path
    funcName      BIGINT,   -- 2022.4.2..; string
    correlationId BIGINT,   -- 2025.3.1..
    bytes         BIGINT,   -- 2022.4.2..
    varName       BIGINT    -- 2022.4.2..; string
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2022.4.2..; time
    "end"         BIGINT,   -- 2022.4.2..; time
    nameId        BIGINT,   -- 2022.4.2..; string
    globalTid     BIGINT,   -- 2022.4.2..; thread
    eventKind     BIGINT,   -- 2022.4.2..
    DeviceType    BIGINT,   -- 2022.4.2..
    lineNo        BIGINT,   -- 2022.4.2..
    cuDeviceId    BIGINT,   -- 2022.4.2..
    cuContextId   BIGINT,   -- 2022.4.2..
    cuStreamId    BIGINT,   -- 2022.4.2..
    srcFile       BIGINT,   -- 2022.4.2..; path
    funcName      BIGINT,   -- 2022.4.2..; string
    correlationId BIGINT,   -- 2025.3.1..
    numGangs      BIGINT,   -- 2022.4.2..
    numWorkers    BIGINT,   -- 2022.4.2..
    vectorLength  BIGINT,   -- 2022.4.2..
    kernelName    BIGINT    -- 2022.4.2..; string
);

CREATE TABLE raw.CUPTI_ACTIVITY_KIND_OPENACC_OTHER (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2022.4.2..; time
    "end"         BIGINT,   -- 2022.4.2..; time
    nameId        BIGINT,   -- 2022.4.2..; string
    globalTid     BIGINT,   -- 2022.4.2..; thread
    eventKind     BIGINT,   -- 2022.4.2..
    DeviceType    BIGINT,   -- 2022.4.2..
    lineNo        BIGINT,   -- 2022.4.2..
    cuDeviceId    BIGINT,   -- 2022.4.2..
    cuContextId   BIGINT,   -- 2022.4.2..
    cuStreamId    BIGINT,   -- 2022.4.2..
    srcFile       BIGINT,   -- 2022.4.2..; path
    funcName      BIGINT,   -- 2022.4.2..; string
    correlationId BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.CUDNN_EVENTS (
    _rowid     BIGINT,   -- rowid
    "start"    BIGINT,   -- 2021.3.3..; time
    "end"      BIGINT,   -- 2021.3.3..; time
    eventClass BIGINT,   -- 2021.3.3..
    globalTid  BIGINT,   -- 2021.3.3..; thread
    nameId     BIGINT    -- 2021.3.3..; string
);

CREATE TABLE raw.CUBLAS_EVENTS (
    _rowid     BIGINT,   -- rowid
    "start"    BIGINT,   -- 2021.3.3..; time
    "end"      BIGINT,   -- 2021.3.3..; time
    eventClass BIGINT,   -- 2021.3.3..
    globalTid  BIGINT,   -- 2021.3.3..; thread
    nameId     BIGINT    -- 2021.3.3..; string
);

-- @was FECS_EVENTS
CREATE TABLE raw.GPU_CONTEXT_SWITCH_EVENTS (
    _rowid    BIGINT,   -- rowid
    tag       BIGINT,   -- 2021.3.3..
    vmId      BIGINT,   -- 2021.3.3..
    seqNo     BIGINT,   -- 2021.3.3..
    contextId BIGINT,   -- 2021.3.3..
    timestamp BIGINT,   -- 2021.3.3..; time
    globalPid BIGINT,   -- 2021.3.3..; process
    gpuId     BIGINT    -- 2021.3.3..
);

-- ==== NVTX ================================================================================================

-- @identity
CREATE TABLE raw.NVTX_EVENTS (
    _rowid       BIGINT,   -- rowid
    "start"      BIGINT,   -- 2019.3.7..; time
    "end"        BIGINT,   -- 2019.3.7..; time
    eventType    BIGINT,   -- 2019.3.7..
    rangeId      BIGINT,   -- 2019.3.7..
    category     BIGINT,   -- 2019.3.7..
    color        BIGINT,   -- 2019.3.7..
    text         VARCHAR,  -- 2019.3.7..
    globalTid    BIGINT,   -- 2019.3.7..; thread
    endGlobalTid BIGINT,   -- 2019.3.7..; thread
    textId       BIGINT,   -- 2019.3.7..; string
    domainId     BIGINT,   -- 2019.3.7..
    uint64Value  BIGINT,   -- 2020.3.x..
    int64Value   BIGINT,   -- 2020.3.x..
    doubleValue  DOUBLE,   -- 2020.3.x..
    uint32Value  BIGINT,   -- 2020.3.x..
    int32Value   BIGINT,   -- 2020.3.x..
    floatValue   DOUBLE,   -- 2020.3.x..
    jsonTextId   BIGINT,   -- 2020.3.x..; string
    jsonText     VARCHAR,  -- 2020.3.x..
    binaryData   BLOB,     -- 2025.3.1..
    eventId      BIGINT,   -- 2026.4..
    id           BIGINT    -- 2019.3.7..2019.3.7
);

CREATE TABLE raw.NVTXT_EVENTS (
    _rowid      BIGINT,   -- rowid
    "start"     BIGINT,   -- 2026.4..; time
    "end"       BIGINT,   -- 2026.4..; time
    eventType   BIGINT,   -- 2026.4..
    sourceId    BIGINT,   -- 2026.4..
    category    BIGINT,   -- 2026.4..
    color       BIGINT,   -- 2026.4..
    text        VARCHAR,  -- 2026.4..
    globalTid   BIGINT,   -- 2026.4..; thread
    domainId    BIGINT,   -- 2026.4..
    uint64Value BIGINT,   -- 2026.4..
    int64Value  BIGINT,   -- 2026.4..
    doubleValue DOUBLE,   -- 2026.4..
    uint32Value BIGINT,   -- 2026.4..
    int32Value  BIGINT,   -- 2026.4..
    floatValue  DOUBLE    -- 2026.4..
);

-- @private fileName, processName
CREATE TABLE raw.NVTXT_META_EVENTS (
    _rowid          BIGINT,   -- rowid
    "start"         BIGINT,   -- 2026.4..; time
    "end"           BIGINT,   -- 2026.4..; time
    sourceId        BIGINT,   -- 2026.4..
    eventType       BIGINT,   -- 2026.4..
    globalThreadId  BIGINT,   -- 2026.4..; thread
    threadName      VARCHAR,  -- 2026.4..
    globalProcessId BIGINT,   -- 2026.4..; process
    globalVmId      BIGINT    -- 2026.4..
);

CREATE TABLE raw.NVTX_PAYLOAD_SCHEMAS (
    domainId    BIGINT,   -- 2025.3.1..
    schemaId    BIGINT,   -- 2025.3.1..
    name        VARCHAR,  -- 2025.3.1..
    type        BIGINT,   -- 2025.3.1..
    flags       BIGINT,   -- 2025.3.1..
    numEntries  BIGINT,   -- 2025.3.1..
    payloadSize BIGINT,   -- 2025.3.1..
    alignTo     BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.NVTX_PAYLOAD_SCHEMA_ENTRIES (
    domainId           BIGINT,   -- 2025.3.1..
    schemaId           BIGINT,   -- 2025.3.1..
    idx                BIGINT,   -- 2025.3.1..
    flags              BIGINT,   -- 2025.3.1..
    type               BIGINT,   -- 2025.3.1..
    name               VARCHAR,  -- 2025.3.1..
    description        VARCHAR,  -- 2025.3.1..
    arrayOrUnionDetail BIGINT,   -- 2025.3.1..
    "offset"           BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.NVTX_PAYLOAD_ENUMS (
    domainId   BIGINT,   -- 2025.3.1..
    schemaId   BIGINT,   -- 2025.3.1..
    name       VARCHAR,  -- 2025.3.1..
    numEntries BIGINT,   -- 2025.3.1..
    size       BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.NVTX_PAYLOAD_ENUM_ENTRIES (
    domainId BIGINT,   -- 2025.3.1..
    schemaId BIGINT,   -- 2025.3.1..
    idx      BIGINT,   -- 2025.3.1..
    name     VARCHAR,  -- 2025.3.1..
    value    BIGINT,   -- 2025.3.1..
    isFlag   BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.NVTX_SCOPES (
    domainId      BIGINT,   -- 2025.3.1..
    scopeId       BIGINT,   -- 2025.3.1..
    parentScopeId BIGINT,   -- 2025.3.1..
    path          VARCHAR   -- 2025.3.1..
);

CREATE TABLE raw.NVTX_EVENTS_PAYLOAD_SCHEMAS (
    eventId         BIGINT,   -- 2026.4..
    globalPid       BIGINT,   -- 2026.4..; process
    domainId        BIGINT,   -- 2026.4..
    payloadSchemaID BIGINT    -- 2026.4..
);

CREATE TABLE raw.NVTX_PAYLOAD_SCHEMA_RELATIONS (
    globalPid      BIGINT,   -- 2026.4..; process
    domainId       BIGINT,   -- 2026.4..
    parentSchemaId BIGINT,   -- 2026.4..
    fieldName      VARCHAR,  -- 2026.4..
    nestedSchemaId BIGINT    -- 2026.4..
);

CREATE TABLE raw.NVTX_EXPORT_TRANSLATION (
    originalName  VARCHAR,  -- 2026.4..
    sanitizedName VARCHAR   -- 2026.4..
);

-- ==== Operating system and CPU ============================================================================

-- @identity
CREATE TABLE raw.OSRT_API (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2019.3.7..; time
    "end"         BIGINT,   -- 2019.3.7..; time
    eventClass    BIGINT,   -- 2019.3.7..
    globalTid     BIGINT,   -- 2019.3.7..; thread
    nameId        BIGINT,   -- 2019.3.7..; string
    returnValue   BIGINT,   -- 2019.3.7..
    nestingLevel  BIGINT,   -- 2019.3.7..
    callchainId   BIGINT,   -- 2019.3.7..
    argumentsId   BIGINT,   -- 2025.5.1..
    id            BIGINT,   -- 2019.3.7..2019.3.7
    correlationId BIGINT    -- 2019.3.7..2021.3.3
);

CREATE TABLE raw.OSRT_CALLCHAINS (
    id           BIGINT,   -- 2019.3.7..
    symbol       BIGINT,   -- 2019.3.7..; string
    module       BIGINT,   -- 2019.3.7..; path
    kernelMode   BIGINT,   -- 2019.3.7..
    thumbCode    BIGINT,   -- 2019.3.7..
    unresolved   BIGINT,   -- 2019.3.7..
    specialEntry BIGINT,   -- 2019.3.7..
    originalIP   BIGINT,   -- 2019.3.7..
    unwindMethod BIGINT,   -- 2019.3.7..
    stackDepth   BIGINT    -- 2019.3.7..
);

-- @private table
CREATE TABLE raw.OSRT_ARGUMENTS (
    _rowid BIGINT    -- rowid
);

-- @private context
CREATE TABLE raw.OSRT_FILE_ACCESS_EVENTS (
    _rowid         BIGINT,   -- rowid
    fileAccessId   BIGINT,   -- 2025.5.1..
    threadId       BIGINT,   -- 2025.5.1..
    startedAt      BIGINT,   -- 2025.5.1..; time
    endedAt        BIGINT,   -- 2025.5.1..; time
    eventType      BIGINT,   -- 2025.5.1..
    apiCallId      BIGINT,   -- 2025.5.1..
    bytesProcessed BIGINT    -- 2025.5.1..
);

CREATE TABLE raw.OSRT_FILE_ACCESS_DESCRIPTORS (
    _rowid       BIGINT,   -- rowid
    fileAccessId BIGINT,   -- 2025.5.1..
    processId    BIGINT,   -- 2025.5.1..
    openedAt     BIGINT,   -- 2025.5.1..; time
    closedAt     BIGINT,   -- 2025.5.1..; time
    filePath     VARCHAR   -- 2025.5.1..; = file_name(filePath)
);

CREATE TABLE raw.SYSCALL (
    _rowid      BIGINT,   -- rowid
    "start"     BIGINT,   -- 2025.3.1..; time
    "end"       BIGINT,   -- 2025.3.1..; time
    eventClass  BIGINT,   -- 2025.3.1..
    globalTid   BIGINT,   -- 2025.3.1..; thread
    nameId      BIGINT,   -- 2025.3.1..; string
    callchainId BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.SYSCALL_CALLCHAINS (
    id         BIGINT,   -- 2025.3.1..
    stackDepth BIGINT,   -- 2025.3.1..
    symbol     BIGINT,   -- 2025.3.1..; string
    module     BIGINT,   -- 2025.3.1..; path
    unresolved BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.SCHED_EVENTS (
    _rowid      BIGINT,   -- rowid
    "start"     BIGINT,   -- 2021.3.3..; time
    cpu         BIGINT,   -- 2021.3.3..
    isSchedIn   BIGINT,   -- 2021.3.3..
    globalTid   BIGINT,   -- 2021.3.3..; thread
    threadState BIGINT,   -- 2025.3.1..
    threadBlock BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.COMPOSITE_EVENTS (
    _rowid      BIGINT,   -- rowid
    id          BIGINT,   -- 2021.3.3..
    "start"     BIGINT,   -- 2021.3.3..; time
    cpu         BIGINT,   -- 2021.3.3..
    threadState BIGINT,   -- 2021.3.3..
    globalTid   BIGINT,   -- 2021.3.3..; thread
    cpuCycles   BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.SAMPLING_CALLCHAINS (
    id           BIGINT,   -- 2021.3.3..
    symbol       BIGINT,   -- 2021.3.3..; string
    module       BIGINT,   -- 2021.3.3..; path
    kernelMode   BIGINT,   -- 2021.3.3..
    thumbCode    BIGINT,   -- 2021.3.3..
    unresolved   BIGINT,   -- 2021.3.3..
    specialEntry BIGINT,   -- 2021.3.3..
    originalIP   BIGINT,   -- 2021.3.3..
    unwindMethod BIGINT,   -- 2021.3.3..
    stackDepth   BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.UnwindMethodType (
    number BIGINT,   -- 2019.3.7..2023.2.3
    name   VARCHAR   -- 2019.3.7..2023.2.3
);

-- @was PERF_EVENT_CPU_RAW_EVENT
CREATE TABLE raw.PERF_EVENT_SOC_OR_CPU_RAW_EVENT (
    _rowid      BIGINT,   -- rowid
    "start"     BIGINT,   -- 2023.4.4..; time
    "end"       BIGINT,   -- 2023.4.4..; time
    vmId        BIGINT,   -- 2023.4.4..
    componentId BIGINT,   -- 2023.4.4..
    eventId     BIGINT,   -- 2023.4.4..
    count       BIGINT    -- 2023.4.4..
);

-- @was PERF_EVENT_CPU_METRIC_EVENT
CREATE TABLE raw.PERF_EVENT_SOC_OR_CPU_METRIC_EVENT (
    _rowid      BIGINT,   -- rowid
    "start"     BIGINT,   -- 2024.2.3..; time
    "end"       BIGINT,   -- 2024.2.3..; time
    vmId        BIGINT,   -- 2024.2.3..
    componentId BIGINT,   -- 2024.2.3..
    metricId    BIGINT,   -- 2024.2.3..
    value       DOUBLE    -- 2024.2.3..
);

CREATE TABLE raw.PERF_EVENT_CPU_COUNTER (
    _rowid      BIGINT,   -- rowid
    "start"     BIGINT,   -- 2023.2.3..2023.2.3; time
    "end"       BIGINT,   -- 2023.2.3..2023.2.3; time
    vmId        BIGINT,   -- 2023.2.3..2023.2.3
    componentId BIGINT,   -- 2023.2.3..2023.2.3
    counterId   BIGINT,   -- 2023.2.3..2023.2.3
    value       BIGINT    -- 2023.2.3..2023.2.3
);

-- @private data
CREATE TABLE raw.ETW_EVENTS (
    _rowid       BIGINT,   -- rowid
    rawTimestamp BIGINT,   -- 2025.3.1..
    timestamp    BIGINT,   -- 2023.2.3..; time
    typeId       BIGINT,   -- 2025.3.1..
    globalTid    BIGINT,   -- 2021.3.3..; thread
    opcode       BIGINT,   -- 2023.2.3..
    "start"      BIGINT,   -- 2021.3.3..2021.3.3; time
    "end"        BIGINT,   -- 2021.3.3..2021.3.3; time
    providerName BIGINT,   -- 2021.3.3..2021.3.3; string
    taskName     BIGINT,   -- 2021.3.3..2021.3.3; string
    description  BIGINT,   -- 2021.3.3..2021.3.3; string
    processId    BIGINT,   -- 2023.2.3..2024.2.3
    threadId     BIGINT,   -- 2023.2.3..2024.2.3
    providerId   BIGINT,   -- 2023.2.3..2024.2.3
    taskId       BIGINT,   -- 2023.2.3..2024.2.3
    eventId      BIGINT,   -- 2023.2.3..2024.2.3
    version      BIGINT    -- 2023.2.3..2024.2.3
);

CREATE TABLE raw.ETW_EVENTS_DEPRECATED_TABLE (
    _rowid       BIGINT,   -- rowid
    "start"      BIGINT,   -- 2022.4.2..2024.2.3; time
    "end"        BIGINT,   -- 2022.4.2..2024.2.3; time
    globalTid    BIGINT,   -- 2022.4.2..2024.2.3; thread
    providerName BIGINT,   -- 2022.4.2..2024.2.3; string
    taskName     BIGINT,   -- 2022.4.2..2024.2.3; string
    description  BIGINT    -- 2022.4.2..2024.2.3; string
);

CREATE TABLE raw.ETW_PROVIDERS (
    providerId     BIGINT,   -- 2023.2.3..
    providerNameId BIGINT,   -- 2023.2.3..; string
    guid           VARCHAR   -- 2023.2.3..
);

CREATE TABLE raw.ETW_TASKS (
    taskNameId BIGINT,   -- 2023.2.3..; string
    taskId     BIGINT,   -- 2023.2.3..
    providerId BIGINT    -- 2023.2.3..
);

-- ==== Sampled metrics =====================================================================================

CREATE TABLE raw.GPU_METRICS (
    _rowid       BIGINT,   -- rowid
    rawTimestamp BIGINT,   -- 2025.3.1..
    timestamp    BIGINT,   -- 2023.2.3..; time
    typeId       BIGINT,   -- 2023.2.3..
    metricId     BIGINT,   -- 2023.2.3..
    value        BIGINT    -- 2023.2.3..
);

CREATE TABLE raw.SOC_METRICS (
    _rowid       BIGINT,   -- rowid
    rawTimestamp BIGINT,   -- 2025.3.1..
    timestamp    BIGINT,   -- 2025.3.1..; time
    typeId       BIGINT,   -- 2025.3.1..
    metricId     BIGINT,   -- 2025.3.1..
    value        BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.TARGET_INFO_SOC_METRICS (
    typeId     BIGINT,   -- 2025.3.1..
    sourceId   BIGINT,   -- 2025.3.1..
    typeName   VARCHAR,  -- 2025.3.1..
    metricId   BIGINT,   -- 2025.3.1..
    metricName VARCHAR   -- 2025.3.1..
);

CREATE TABLE raw.GENERIC_EVENT_SOURCES (
    sourceId          BIGINT,   -- 2023.2.3..
    nameId            BIGINT,   -- 2025.3.1..; string
    timeSourceId      BIGINT,   -- 2025.3.1..
    sourceGroupId     BIGINT,   -- 2025.3.1..
    hyperType         VARCHAR,  -- 2025.3.1..
    hyperVersion      VARCHAR,  -- 2025.3.1..
    hyperStructPrefix VARCHAR,  -- 2025.3.1..
    hyperMacroPrefix  VARCHAR,  -- 2025.3.1..
    hyperFilterFlags  BIGINT,   -- 2025.3.1..
    hyperDomain       VARCHAR,  -- 2025.3.1..
    data              VARCHAR   -- 2023.2.3..
);

CREATE TABLE raw.GENERIC_EVENT_TYPES (
    typeId            BIGINT,   -- 2023.2.3..
    sourceId          BIGINT,   -- 2023.2.3..
    nameId            BIGINT,   -- 2025.3.1..; string
    hyperComment      VARCHAR,  -- 2025.3.1..
    ftraceFormat      VARCHAR,  -- 2025.3.1..
    etwProviderId     BIGINT,   -- 2025.3.1..
    etwProviderNameId BIGINT,   -- 2025.3.1..; string
    etwTaskId         BIGINT,   -- 2025.3.1..
    etwTaskNameId     BIGINT,   -- 2025.3.1..; string
    etwEventId        BIGINT,   -- 2025.3.1..
    etwVersion        BIGINT,   -- 2025.3.1..
    etwGuidHigh       BIGINT,   -- 2025.3.1..
    etwGuidLow        BIGINT,   -- 2025.3.1..
    etwGuid           VARCHAR,  -- 2025.3.1..
    data              VARCHAR   -- 2023.2.3..
);

CREATE TABLE raw.GENERIC_EVENT_TYPE_FIELDS (
    typeId               BIGINT,   -- 2025.3.1..
    fieldIdx             BIGINT,   -- 2025.3.1..
    fieldNameId          BIGINT,   -- 2025.3.1..; string
    "offset"             BIGINT,   -- 2025.3.1..
    size                 BIGINT,   -- 2025.3.1..
    type                 BIGINT,   -- 2025.3.1..
    hyperTypeName        VARCHAR,  -- 2025.3.1..
    hyperFormat          VARCHAR,  -- 2025.3.1..
    hyperComment         VARCHAR,  -- 2025.3.1..
    ftracePrefix         VARCHAR,  -- 2025.3.1..
    ftraceSuffix         VARCHAR,  -- 2025.3.1..
    etwFlags             BIGINT,   -- 2025.3.1..
    etwCountFieldIndex   BIGINT,   -- 2025.3.1..
    etwLengthFieldIndex  BIGINT,   -- 2025.3.1..
    etwType              BIGINT,   -- 2025.3.1..
    etwMapInfoFlags      BIGINT,   -- 2025.3.1..
    etwOrderedFieldIndex BIGINT    -- 2025.3.1..
);

CREATE TABLE raw.GENERIC_EVENT_TYPE_FIELD_MAP (
    typeId   BIGINT,   -- 2025.3.1..
    fieldIdx BIGINT,   -- 2025.3.1..
    enum     BIGINT,   -- 2025.3.1..
    name     VARCHAR,  -- 2025.3.1..
    nameId   BIGINT    -- 2025.3.1..; string
);

CREATE TABLE raw.GENERIC_EVENTS (
    _rowid         BIGINT,   -- rowid
    genericEventId BIGINT,   -- 2025.3.1..
    rawTimestamp   BIGINT,   -- 2023.2.3..
    timestamp      BIGINT,   -- 2023.2.3..; time
    typeId         BIGINT,   -- 2023.2.3..
    globalTid      BIGINT,   -- 2025.3.1..; thread
    data           VARCHAR   -- 2023.2.3..
);

CREATE TABLE raw.GENERIC_EVENT_DATA (
    genericEventId BIGINT,   -- 2025.3.1..
    fieldIdx       BIGINT,   -- 2025.3.1..
    intVal         BIGINT,   -- 2025.3.1..
    uintVal        BIGINT,   -- 2025.3.1..
    floatVal       DOUBLE,   -- 2025.3.1..
    doubleVal      DOUBLE    -- 2025.3.1..
);

-- ==== Communication =======================================================================================

CREATE TABLE raw.MPI_RANKS (
    globalTid BIGINT,   -- 2023.2.3..; thread
    rank      BIGINT    -- 2023.2.3..
);

CREATE TABLE raw.MPI_COMMUNICATORS (
    _rowid       BIGINT,   -- rowid
    rank         BIGINT,   -- 2023.2.3..
    timestamp    BIGINT,   -- 2023.2.3..; time
    commHandle   BIGINT,   -- 2023.2.3..
    parentHandle BIGINT,   -- 2023.2.3..
    localRank    BIGINT,   -- 2023.2.3..
    size         BIGINT,   -- 2023.2.3..
    groupRoot    BIGINT,   -- 2023.2.3..
    groupRootUid BIGINT,   -- 2023.2.3..
    members      VARCHAR,  -- 2023.2.3..
    commUid      BIGINT    -- 2026.4..
);

CREATE TABLE raw.MPI_P2P_EVENTS (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2023.2.3..; time
    "end"         BIGINT,   -- 2023.2.3..; time
    globalTid     BIGINT,   -- 2023.2.3..; thread
    textId        BIGINT,   -- 2023.2.3..; string
    commHandle    BIGINT,   -- 2023.2.3..
    commUid       BIGINT,   -- 2026.4..
    tag           BIGINT,   -- 2023.2.3..
    remoteRank    BIGINT,   -- 2023.2.3..
    size          BIGINT,   -- 2023.2.3..
    requestHandle BIGINT    -- 2023.2.3..
);

CREATE TABLE raw.MPI_COLLECTIVES_EVENTS (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2023.2.3..; time
    "end"         BIGINT,   -- 2023.2.3..; time
    globalTid     BIGINT,   -- 2023.2.3..; thread
    textId        BIGINT,   -- 2023.2.3..; string
    commHandle    BIGINT,   -- 2023.2.3..
    commUid       BIGINT,   -- 2026.4..
    rootRank      BIGINT,   -- 2023.2.3..
    size          BIGINT,   -- 2023.2.3..
    recvSize      BIGINT,   -- 2023.2.3..
    requestHandle BIGINT    -- 2023.2.3..
);

CREATE TABLE raw.MPI_START_WAIT_EVENTS (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2023.2.3..; time
    "end"         BIGINT,   -- 2023.2.3..; time
    globalTid     BIGINT,   -- 2023.2.3..; thread
    textId        BIGINT,   -- 2023.2.3..; string
    requestHandle BIGINT    -- 2023.2.3..
);

CREATE TABLE raw.MPI_OTHER_EVENTS (
    _rowid    BIGINT,   -- rowid
    "start"   BIGINT,   -- 2023.2.3..; time
    "end"     BIGINT,   -- 2023.2.3..; time
    globalTid BIGINT,   -- 2023.2.3..; thread
    textId    BIGINT    -- 2023.2.3..; string
);

CREATE TABLE raw.UCP_WORKERS (
    globalTid BIGINT,   -- 2023.4.4..; thread
    workerUid BIGINT    -- 2023.4.4..
);

CREATE TABLE raw.UCP_SUBMIT_EVENTS (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2023.4.4..; time
    "end"         BIGINT,   -- 2023.4.4..; time
    globalTid     BIGINT,   -- 2023.4.4..; thread
    textId        BIGINT,   -- 2023.4.4..; string
    bufferAddr    BIGINT,   -- 2023.4.4..
    packedSize    BIGINT,   -- 2023.4.4..
    peerWorkerUid BIGINT,   -- 2023.4.4..
    tag           BIGINT    -- 2023.4.4..
);

CREATE TABLE raw.UCP_PROGRESS_EVENTS (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2023.4.4..; time
    "end"         BIGINT,   -- 2023.4.4..; time
    globalTid     BIGINT,   -- 2023.4.4..; thread
    textId        BIGINT,   -- 2023.4.4..; string
    bufferAddr    BIGINT,   -- 2023.4.4..
    packedSize    BIGINT,   -- 2023.4.4..
    peerWorkerUid BIGINT,   -- 2023.4.4..
    tag           BIGINT    -- 2023.4.4..
);

CREATE TABLE raw.UCP_EVENTS (
    _rowid    BIGINT,   -- rowid
    "start"   BIGINT,   -- 2023.4.4..; time
    "end"     BIGINT,   -- 2023.4.4..; time
    globalTid BIGINT,   -- 2023.4.4..; thread
    textId    BIGINT    -- 2023.4.4..; string
);

CREATE TABLE raw.NET_NIC_METRIC (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2023.2.3..; time
    "end"         BIGINT,   -- 2023.2.3..; time
    globalId      VARCHAR,  -- 2023.2.3..; = keyed_hash(globalId)
    portId        BIGINT,   -- 2025.3.1..
    metricsListId BIGINT,   -- 2023.2.3..
    metricsIdx    BIGINT,   -- 2023.2.3..
    value         BIGINT    -- 2023.2.3..
);

CREATE TABLE raw.NET_IB_SWITCH_METRIC (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2023.2.3..; time
    "end"         BIGINT,   -- 2023.2.3..; time
    globalId      VARCHAR,  -- 2023.2.3..; = keyed_hash(globalId)
    portId        BIGINT,   -- 2025.3.1..
    metricsListId BIGINT,   -- 2023.2.3..
    metricsIdx    BIGINT,   -- 2023.2.3..
    value         BIGINT    -- 2023.2.3..
);

CREATE TABLE raw.NET_IB_SWITCH_CONGESTION_EVENT (
    _rowid              BIGINT,   -- rowid
    "start"             BIGINT,   -- 2025.3.1..; time
    globalId            VARCHAR,  -- 2025.3.1..; = keyed_hash(globalId)
    congestionType      BIGINT,   -- 2025.3.1..
    packetSLID          BIGINT,   -- 2025.3.1..
    packetDLID          BIGINT,   -- 2025.3.1..
    packetSL            BIGINT,   -- 2025.3.1..
    packetOpCode        BIGINT,   -- 2025.3.1..
    packetSourceQP      BIGINT,   -- 2025.3.1..
    packetDestinationQP BIGINT,   -- 2025.3.1..
    switchIngressPort   BIGINT,   -- 2025.3.1..
    switchEgressPort    BIGINT    -- 2025.3.1..
);

-- @private des
CREATE TABLE raw.NET_IB_DEVICE_INFO (
    networkId BIGINT,   -- 2024.2.3..
    guid      BIGINT,   -- 2024.2.3..
    name      VARCHAR,  -- 2024.2.3..
    lid       BIGINT    -- 2024.2.3..
);

CREATE TABLE raw.NET_IB_DEVICE_PORT_INFO (
    guid       BIGINT,   -- 2024.2.3..
    portNumber BIGINT,   -- 2024.2.3..
    portLabel  VARCHAR,  -- 2024.2.3..
    portLid    BIGINT    -- 2024.2.3..
);

CREATE TABLE raw.NET_IB_DEVICE_TYPE_MAP (
    guid       BIGINT,   -- 2024.2.3..
    deviceType BIGINT    -- 2024.2.3..
);

-- ==== OpenMP ==============================================================================================

CREATE TABLE raw.OPENMP_EVENT_KIND_CANCEL (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    taskId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_CRITICAL_SECTION (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    kind          BIGINT,   -- 2021.3.3..
    waitId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_DISPATCH (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    kind          BIGINT,   -- 2021.3.3..
    parallelId    BIGINT,   -- 2021.3.3..
    taskId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_FLUSH (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    threadId      BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_LOCK_DESTROY (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    kind          BIGINT,   -- 2021.3.3..
    waitId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_LOCK_INIT (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    kind          BIGINT,   -- 2021.3.3..
    waitId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_MASTER (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    parallelId    BIGINT,   -- 2021.3.3..
    taskId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_MUTEX_RELEASED (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    kind          BIGINT,   -- 2021.3.3..
    waitId        BIGINT,   -- 2021.3.3..
    taskId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_MUTEX_WAIT (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    kind          BIGINT,   -- 2021.3.3..
    waitId        BIGINT,   -- 2021.3.3..
    taskId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_PARALLEL (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    parallelId    BIGINT,   -- 2021.3.3..
    parentTaskId  BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_REDUCTION (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    parallelId    BIGINT,   -- 2021.3.3..
    taskId        BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_SYNC_REGION (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    parallelId    BIGINT,   -- 2021.3.3..
    taskId        BIGINT,   -- 2021.3.3..
    kind          BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_SYNC_REGION_WAIT (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    parallelId    BIGINT,   -- 2021.3.3..
    taskId        BIGINT,   -- 2021.3.3..
    kind          BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_TASK (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    parallelId    BIGINT,   -- 2021.3.3..
    taskId        BIGINT,   -- 2021.3.3..
    kind          BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_TASK_CREATE (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    parentTaskId  BIGINT,   -- 2021.3.3..
    newTaskId     BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_TASK_SCHEDULE (
    _rowid          BIGINT,   -- rowid
    "start"         BIGINT,   -- 2021.3.3..; time
    "end"           BIGINT,   -- 2021.3.3..; time
    eventClass      BIGINT,   -- 2021.3.3..
    globalTid       BIGINT,   -- 2021.3.3..; thread
    correlationId   BIGINT,   -- 2021.3.3..
    nameId          BIGINT,   -- 2021.3.3..; string
    eventKind       BIGINT,   -- 2021.3.3..
    parallelId      BIGINT,   -- 2021.3.3..
    priorTaskId     BIGINT,   -- 2021.3.3..
    priorTaskStatus BIGINT,   -- 2021.3.3..
    nextTaskId      BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_THREAD (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    threadId      BIGINT,   -- 2021.3.3..
    threadType    BIGINT    -- 2021.3.3..
);

CREATE TABLE raw.OPENMP_EVENT_KIND_WORKSHARE (
    _rowid        BIGINT,   -- rowid
    "start"       BIGINT,   -- 2021.3.3..; time
    "end"         BIGINT,   -- 2021.3.3..; time
    eventClass    BIGINT,   -- 2021.3.3..
    globalTid     BIGINT,   -- 2021.3.3..; thread
    correlationId BIGINT,   -- 2021.3.3..
    nameId        BIGINT,   -- 2021.3.3..; string
    eventKind     BIGINT,   -- 2021.3.3..
    kind          BIGINT,   -- 2021.3.3..
    parallelId    BIGINT,   -- 2021.3.3..
    taskId        BIGINT,   -- 2021.3.3..
    count         BIGINT    -- 2021.3.3..
);

-- ==== Graphics memory and debug ranges ====================================================================

CREATE TABLE raw.GPU_MEMORY_BUDGET_EVENTS (
    _rowid       BIGINT,   -- rowid
    timestamp    BIGINT,   -- 2022.4.2..2024.2.3; time
    globalTid    BIGINT,   -- 2022.4.2..2024.2.3; thread
    gpu          BIGINT,   -- 2022.4.2..2024.2.3
    newBudget    BIGINT,   -- 2022.4.2..2024.2.3
    segmentGroup BIGINT    -- 2022.4.2..2024.2.3
);

CREATE TABLE raw.GPU_MEMORY_USAGE_EVENTS (
    _rowid       BIGINT,   -- rowid
    timestamp    BIGINT,   -- 2022.4.2..2024.2.3; time
    globalTid    BIGINT,   -- 2022.4.2..2024.2.3; thread
    gpu          BIGINT,   -- 2022.4.2..2024.2.3
    newUsage     BIGINT,   -- 2022.4.2..2024.2.3
    segmentGroup BIGINT    -- 2022.4.2..2024.2.3
);

CREATE TABLE raw.DEMOTED_BYTES_EVENTS (
    _rowid     BIGINT,   -- rowid
    timestamp  BIGINT,   -- 2022.4.2..2024.2.3; time
    globalTid  BIGINT,   -- 2022.4.2..2024.2.3; thread
    gpu        BIGINT,   -- 2022.4.2..2024.2.3
    commitment BIGINT    -- 2022.4.2..2024.2.3
);

CREATE TABLE raw.TOTAL_BYTES_RESIDENT_IN_SEGMENT_EVENTS (
    _rowid             BIGINT,   -- rowid
    timestamp          BIGINT,   -- 2022.4.2..2024.2.3; time
    globalTid          BIGINT,   -- 2022.4.2..2024.2.3; thread
    gpu                BIGINT,   -- 2022.4.2..2024.2.3
    totalBytesResident BIGINT,   -- 2022.4.2..2024.2.3
    segmentGroup       BIGINT,   -- 2022.4.2..2024.2.3
    segmentId          BIGINT    -- 2022.4.2..2024.2.3
);

-- @was PIX_DEBUG_API
CREATE TABLE raw.D3D11_PIX_DEBUG_API (
    _rowid           BIGINT,   -- rowid
    "start"          BIGINT,   -- 2021.3.3..; time
    "end"            BIGINT,   -- 2021.3.3..; time
    globalTid        BIGINT,   -- 2021.3.3..; thread
    correlationId    BIGINT,   -- 2021.3.3..
    endCorrelationId BIGINT,   -- 2021.3.3..
    nameId           BIGINT,   -- 2021.3.3..; string
    shortContextId   BIGINT,   -- 2021.3.3..
    frameId          BIGINT,   -- 2021.3.3..
    color            BIGINT,   -- 2021.3.3..
    textId           BIGINT,   -- 2021.3.3..; string
    eventClass       BIGINT,   -- 2021.3.3..2021.3.3
    commandListType  BIGINT,   -- 2021.3.3..2021.3.3
    objectName       VARCHAR,  -- 2021.3.3..2021.3.3
    longContextId    BIGINT    -- 2021.3.3..2021.3.3
);

CREATE TABLE raw.D3D12_PIX_DEBUG_API (
    _rowid           BIGINT,   -- rowid
    "start"          BIGINT,   -- 2022.4.2..; time
    "end"            BIGINT,   -- 2022.4.2..; time
    globalTid        BIGINT,   -- 2022.4.2..; thread
    correlationId    BIGINT,   -- 2022.4.2..
    endCorrelationId BIGINT,   -- 2022.4.2..
    nameId           BIGINT,   -- 2022.4.2..; string
    shortContextId   BIGINT,   -- 2022.4.2..
    frameId          BIGINT,   -- 2022.4.2..
    color            BIGINT,   -- 2022.4.2..
    textId           BIGINT,   -- 2022.4.2..; string
    commandListType  BIGINT,   -- 2022.4.2..
    objectNameId     BIGINT,   -- 2022.4.2..; string
    longContextId    BIGINT,   -- 2022.4.2..
    objectName       VARCHAR   -- 2022.2.1..2022.2.1
);

CREATE TABLE raw.SLI_QUERIES (
    _rowid                  BIGINT,   -- rowid
    "start"                 BIGINT,   -- 2021.3.3..2025.3.1; time
    "end"                   BIGINT,   -- 2021.3.3..2025.3.1; time
    eventClass              BIGINT,   -- 2021.3.3..2025.3.1
    globalTid               BIGINT,   -- 2021.3.3..2025.3.1; thread
    gpu                     BIGINT,   -- 2021.3.3..2025.3.1
    frameId                 BIGINT,   -- 2021.3.3..2025.3.1
    occQueryIssued          BIGINT,   -- 2021.3.3..2025.3.1
    occQueryAsked           BIGINT,   -- 2021.3.3..2025.3.1
    eventQueryIssued        BIGINT,   -- 2021.3.3..2025.3.1
    eventQueryAsked         BIGINT,   -- 2021.3.3..2025.3.1
    numberOfTransferEvents  BIGINT,   -- 2021.3.3..2025.3.1
    amountOfTransferredData BIGINT    -- 2021.3.3..2025.3.1
);

CREATE TABLE raw.SLI_P2P (
    _rowid                    BIGINT,   -- rowid
    "start"                   BIGINT,   -- 2021.3.3..2025.3.1; time
    "end"                     BIGINT,   -- 2021.3.3..2025.3.1; time
    eventClass                BIGINT,   -- 2021.3.3..2025.3.1
    globalTid                 BIGINT,   -- 2021.3.3..2025.3.1; thread
    gpu                       BIGINT,   -- 2021.3.3..2025.3.1
    frameId                   BIGINT,   -- 2021.3.3..2025.3.1
    transferSkipped           BIGINT,   -- 2021.3.3..2025.3.1
    srcGpu                    BIGINT,   -- 2021.3.3..2025.3.1
    dstGpu                    BIGINT,   -- 2021.3.3..2025.3.1
    numSubResources           BIGINT,   -- 2021.3.3..2025.3.1
    resourceSize              BIGINT,   -- 2021.3.3..2025.3.1
    subResourceIdx            BIGINT,   -- 2021.3.3..2025.3.1
    smplWidth                 BIGINT,   -- 2021.3.3..2025.3.1
    smplHeight                BIGINT,   -- 2021.3.3..2025.3.1
    smplDepth                 BIGINT,   -- 2021.3.3..2025.3.1
    bytesPerElement           BIGINT,   -- 2021.3.3..2025.3.1
    dxgiFormat                BIGINT,   -- 2021.3.3..2025.3.1
    logSurfaceNames           VARCHAR,  -- 2021.3.3..2025.3.1
    transferInfo              BIGINT,   -- 2021.3.3..2025.3.1
    isEarlyPushManagedByNvApi BIGINT,   -- 2021.3.3..2025.3.1
    useAsyncP2pForResolve     BIGINT,   -- 2021.3.3..2025.3.1
    transferFuncName          VARCHAR,  -- 2021.3.3..2025.3.1
    regimeName                VARCHAR,  -- 2021.3.3..2025.3.1
    debugName                 VARCHAR,  -- 2021.3.3..2025.3.1
    bindType                  VARCHAR   -- 2021.3.3..2025.3.1
);

CREATE TABLE raw.SLI_STATS (
    _rowid             BIGINT,   -- rowid
    "start"            BIGINT,   -- 2021.3.3..2025.3.1; time
    "end"              BIGINT,   -- 2021.3.3..2025.3.1; time
    eventClass         BIGINT,   -- 2021.3.3..2025.3.1
    globalTid          BIGINT,   -- 2021.3.3..2025.3.1; thread
    gpu                BIGINT,   -- 2021.3.3..2025.3.1
    countComplexFrames BIGINT,   -- 2021.3.3..2025.3.1
    countStats         BIGINT,   -- 2021.3.3..2025.3.1
    totalInactiveTime  BIGINT,   -- 2021.3.3..2025.3.1
    minPbSize          BIGINT,   -- 2021.3.3..2025.3.1
    maxPbSize          BIGINT,   -- 2021.3.3..2025.3.1
    totalPbSize        BIGINT    -- 2021.3.3..2025.3.1
);
