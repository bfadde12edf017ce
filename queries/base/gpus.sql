-- GPUs of a report: every one that the report lists, and one for each device of a process whose GPU is not known.
--
-- A GPU is a physical GPU or a MIG instance, whatever number a process gives to it. Mapping says how the processes'
-- device numbers were resolved (process_gpus), by the least certain of its processes.
--
-- @version 1
-- @grain   report_id, gpu_id
-- @column  report_id         INTEGER id    Report the row belongs to.
-- @column  gpu_id            INTEGER id    GPU, unique within the report, counted from 0.
-- @column  name              VARCHAR text  Product name; NULL if not recorded.
-- @column  mapping           VARCHAR text  reported, only_gpu, assumed or unknown; NULL if no process used it.
-- @column  hardware_id       BIGINT  id    Number of the GPU on its machine; NULL if the report does not list the GPU.
-- @column  machine_id        BIGINT  id    Machine and VM of the GPU.
-- @column  uuid              VARCHAR id    Keyed hash of the GPU's or MIG instance's UUID.
-- @column  bus_location      VARCHAR text  PCI address.
-- @column  process_count     BIGINT  count Processes that used it.
-- @column  compute_major     INTEGER -     Compute capability, major.
-- @column  compute_minor     INTEGER -     Compute capability, minor.
-- @column  sm_count          INTEGER count Streaming multiprocessors.
-- @column  memory_bytes      BIGINT  bytes Size of the GPU's memory.
-- @column  memory_bandwidth_bytes_per_s BIGINT bytes_per_s Peak memory bandwidth.
-- @column  l2_cache_bytes    BIGINT  bytes Size of the L2 cache.
-- @column  clock_rate_hz     BIGINT  hz    Maximum SM clock.
-- @order   report_id, gpu_id
-- @assert  mapping IN ('reported', 'only_gpu', 'assumed', 'unknown')
-- @example SELECT gpu_id, name, mapping FROM gpus
WITH devices AS (
    SELECT
        report_id, gpu_id, machine_id, hardware_id, instance,
        count(DISTINCT process_id) AS process_count,
        CASE max(list_position(['reported', 'only_gpu', 'assumed', 'unknown'], mapping))
            WHEN 1 THEN 'reported' WHEN 2 THEN 'only_gpu' WHEN 3 THEN 'assumed' WHEN 4 THEN 'unknown'
        END AS mapping
    FROM _device_gpus
    GROUP BY ALL
),

hardware AS (
    SELECT *
    FROM raw.TARGET_INFO_GPU
    QUALIFY row_number() OVER (PARTITION BY report_id, vmId, id ORDER BY uuid) = 1
),

older_hardware AS (
    SELECT *
    FROM raw.TARGET_INFO_CUDA_GPU
    QUALIFY row_number() OVER (PARTITION BY report_id, vmId, lower(pciBusId) ORDER BY pid, deviceId) = 1
)

SELECT
    d.report_id,
    d.gpu_id,
    coalesce(h.name, o.name) AS name,
    d.mapping,
    d.hardware_id,
    d.machine_id,
    coalesce(d.instance, h.uuid) AS uuid,
    nullif(h.busLocation, '') AS bus_location,
    d.process_count,
    TRY_CAST(coalesce(h.computeMajor, o.computeCapabilityMajor) AS INTEGER) AS compute_major,
    TRY_CAST(coalesce(h.computeMinor, o.computeCapabilityMinor) AS INTEGER) AS compute_minor,
    TRY_CAST(coalesce(h.smCount, o.numMultiprocessors) AS INTEGER) AS sm_count,
    coalesce(h.totalMemory, o.globalMemorySize * 1048576) AS memory_bytes,
    h.memoryBandwidth AS memory_bandwidth_bytes_per_s,
    coalesce(h.l2CacheSize, o.l2CacheSize) AS l2_cache_bytes,
    coalesce(h.clockRate, o.coreClockRate * 1000) AS clock_rate_hz
FROM devices AS d
LEFT JOIN hardware AS h
    ON h.report_id = d.report_id AND h.vmId = d.machine_id AND h.id = d.hardware_id
LEFT JOIN older_hardware AS o
    ON o.report_id = h.report_id AND o.vmId = h.vmId AND lower(o.pciBusId) = lower(h.busLocation)
