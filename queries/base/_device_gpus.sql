-- Which GPU a process means by a CUDA device number, and the GPUs that no process used.
--
-- The rules stand in process_gpus. Computed once per report: every relation of GPU work joins it.
--
-- @version 1
-- @kind    table
-- @grain   report_id, process_id, device_id, gpu_id
-- @column  report_id   INTEGER id   Report the row belongs to.
-- @column  process_id  BIGINT  id   Process that uses the device; NULL in the row that every listed GPU has of its own.
-- @column  device_id   INTEGER id   CUDA device number in that process; NULL if process_id is.
-- @column  gpu_id      INTEGER id   GPU, unique within the report, counted from 0.
-- @column  mapping     VARCHAR text How the GPU was found: reported, only_gpu, assumed or unknown; NULL if process_id is.
-- @column  machine_id  BIGINT  id   Machine and VM of the GPU; NULL if the report does not list the GPU.
-- @column  hardware_id BIGINT  id   Number of the GPU on its machine; NULL if the report does not list the GPU.
-- @column  instance    VARCHAR id   Keyed hash of the MIG instance; NULL for a whole GPU.
-- @column  is_used     BOOLEAN bool The process worked on it, or worked nowhere; NULL if process_id is.
-- @assert  mapping IN ('reported', 'only_gpu', 'assumed', 'unknown')
-- @assert  gpu_id >= 0
-- @example SELECT process_id, device_id, gpu_id, mapping FROM process_gpus
WITH seen AS (
    SELECT report_id, coalesce(globalPid, 0) AS process_id, deviceId, TRUE AS has_work FROM raw.CUPTI_ACTIVITY_KIND_KERNEL
    UNION
    SELECT report_id, coalesce(globalPid, 0), deviceId, TRUE FROM raw.CUPTI_ACTIVITY_KIND_MEMCPY
    UNION
    SELECT report_id, coalesce(globalPid, 0), deviceId, TRUE FROM raw.CUPTI_ACTIVITY_KIND_MEMSET
    UNION
    SELECT report_id, coalesce(globalPid, 0), nullif(deviceId, 2147483647), TRUE FROM raw.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
    UNION
    SELECT report_id, coalesce(globalPid, 0), deviceId, TRUE FROM raw.CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS
    UNION
    SELECT report_id, _process_id(hwId, vmId, processId), deviceId, FALSE FROM raw.TARGET_INFO_CUDA_CONTEXT_INFO
),

process_devices AS (
    SELECT
        report_id,
        process_id,
        deviceId AS device_id,
        (process_id >> 24) & 16777215 AS pid,
        process_id & (-281474976710656)::BIGINT AS machine_id,
        bool_or(has_work) OR NOT bool_or(bool_or(has_work)) OVER (PARTITION BY report_id, process_id) AS is_used
    FROM seen
    WHERE TRY_CAST(deviceId AS INTEGER) IS NOT NULL
    GROUP BY report_id, process_id, deviceId
),

hardware AS (
    SELECT
        report_id,
        vmId AS machine_id,
        id AS hardware_id,
        any_value(uuid ORDER BY uuid) AS uuid,
        any_value(cuDevice ORDER BY cuDevice) AS driver_number,
        count(*) OVER (PARTITION BY report_id, vmId) AS machine_gpu_count,
        min(vmId) OVER (PARTITION BY report_id) = max(vmId) OVER (PARTITION BY report_id) AS is_only_machine
    FROM raw.TARGET_INFO_GPU
    GROUP BY report_id, vmId, id
),

reported AS (
    SELECT
        report_id,
        pid,
        cudaId AS device_id,
        any_value(gpuId) AS hardware_id,
        any_value(uuid) AS device_uuid
    FROM (
        SELECT report_id, pid, cudaId, gpuId, uuid FROM raw.TARGET_INFO_CUDA_DEVICE
        UNION ALL
        SELECT c.report_id, c.pid, c.deviceId, g.id, NULL
        FROM raw.TARGET_INFO_CUDA_GPU AS c
        INNER JOIN raw.TARGET_INFO_GPU AS g
            ON g.report_id = c.report_id AND g.vmId = c.vmId AND lower(g.busLocation) = lower(c.pciBusId)
    )
    GROUP BY report_id, pid, cudaId
    HAVING count(DISTINCT gpuId) = 1 AND count(DISTINCT uuid) <= 1
),

candidates AS (
    SELECT
        d.report_id, d.process_id, d.device_id, h.machine_id, h.hardware_id,
        CASE
            WHEN h.hardware_id = r.hardware_id THEN 'reported'
            WHEN h.machine_gpu_count = 1 THEN 'only_gpu'
            WHEN h.driver_number = d.device_id THEN 'assumed'
        END AS mapping,
        CASE WHEN h.hardware_id = r.hardware_id AND r.device_uuid <> h.uuid THEN r.device_uuid END AS instance
    FROM process_devices AS d
    INNER JOIN hardware AS h
        ON h.report_id = d.report_id AND (h.machine_id = d.machine_id OR h.is_only_machine)
    LEFT JOIN reported AS r ON r.report_id = d.report_id AND r.pid = d.pid AND r.device_id = d.device_id
),

chosen AS (
    SELECT *
    FROM candidates
    WHERE mapping IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY report_id, process_id, device_id
        ORDER BY CASE mapping WHEN 'reported' THEN 1 WHEN 'only_gpu' THEN 2 ELSE 3 END, hardware_id) = 1
),

numbered AS (
    SELECT
        d.report_id, d.process_id, d.device_id,
        coalesce(c.mapping, 'unknown') AS mapping,
        c.machine_id, c.hardware_id, c.instance,
        CASE WHEN c.mapping IS NULL THEN d.process_id END AS own_process_id,
        CASE WHEN c.mapping IS NULL THEN d.device_id END AS own_device_id,
        d.is_used
    FROM process_devices AS d
    LEFT JOIN chosen AS c USING (report_id, process_id, device_id)
    UNION ALL
    SELECT report_id, NULL, NULL, NULL, machine_id, hardware_id, NULL, NULL, NULL, NULL
    FROM hardware
)

SELECT
    report_id,
    process_id,
    CAST(device_id AS INTEGER) AS device_id,
    CAST(dense_rank() OVER (
        PARTITION BY report_id
        ORDER BY
            hardware_id IS NULL, instance IS NOT NULL, machine_id, hardware_id, instance,
            own_process_id, own_device_id) - 1 AS INTEGER) AS gpu_id,
    mapping,
    machine_id,
    hardware_id,
    instance,
    is_used
FROM numbered
