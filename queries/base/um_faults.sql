-- Page faults of unified memory, on the CPU and on the GPU.
--
-- A fault on the CPU is a point in time, one on the GPU a group of faults on one page that were served together. What was
-- moved because of them is in memcpys (is_migration).
--
-- @version 1
-- @grain   report_id, fault_id
-- @source  CUDA_UM_CPU_PAGE_FAULT_EVENTS, CUDA_UM_GPU_PAGE_FAULT_EVENTS
-- @trace   *COLLECT_UVM_*_PAGE_FAULTS=true --trace=cuda --cuda-um-cpu-page-faults=true --cuda-um-gpu-page-faults=true
-- @column  report_id   INTEGER id    Report the row belongs to.
-- @column  fault_id    BIGINT  id    Row, unique within the report.
-- @column  side        VARCHAR text  cpu or gpu: who touched the page.
-- @column  process_id  BIGINT  id    Process of the memory.
-- @column  gpu_id      INTEGER id(gpus.gpu_id) GPU that touched it; NULL on the CPU.
-- @column  device_id   INTEGER id    CUDA device number in that process; NULL on the CPU.
-- @column  start_ns    BIGINT  ns    Start on the report's time axis.
-- @column  end_ns      BIGINT  ns    End on the report's time axis; NULL on the CPU.
-- @column  dur_ns      BIGINT  ns    end_ns - start_ns.
-- @column  address     UBIGINT id    Address that was touched.
-- @column  fault_count BIGINT  count Faults in the group; 1 on the CPU.
-- @column  access      VARCHAR text  read, write, atomic or prefetch; NULL on the CPU or if not known.
-- @column  instruction VARCHAR text  Function on the CPU that touched it, or its address if that has no symbol; NULL on the GPU.
-- @column  module      VARCHAR text  File of that function; NULL on the GPU.
-- @column  source_file VARCHAR text  Source file of that function; NULL on the GPU or if not recorded.
-- @column  source_line INTEGER -     Line in it.
-- @order   report_id, start_ns, fault_id
-- @assert  end_ns = start_ns + dur_ns
-- @assert  fault_count >= 1
-- @example SELECT side, access, sum(fault_count) AS fault_count FROM um_faults GROUP BY ALL
WITH faults AS (
    SELECT
        report_id, _rowid * 2 AS fault_id, 'cpu' AS side, globalPid, NULL AS deviceId, start, NULL AS "end", address,
        1 AS fault_count, NULL AS access, CpuInstruction, module, sourceFile, sourceLine
    FROM raw.CUDA_UM_CPU_PAGE_FAULT_EVENTS
    UNION ALL
    SELECT
        report_id, _rowid * 2 + 1, 'gpu', globalPid, deviceId, start, "end", address,
        numberOfPageFaults,
        CASE faultAccessType WHEN 1 THEN 'read' WHEN 2 THEN 'write' WHEN 3 THEN 'atomic' WHEN 4 THEN 'prefetch' END,
        NULL, NULL, NULL, NULL
    FROM raw.CUDA_UM_GPU_PAGE_FAULT_EVENTS
)

SELECT
    f.report_id,
    f.fault_id,
    f.side,
    f.globalPid AS process_id,
    d.gpu_id,
    TRY_CAST(f.deviceId AS INTEGER) AS device_id,
    f.start AS start_ns,
    f.end AS end_ns,
    f.end - f.start AS dur_ns,
    CAST(CAST(f.address AS HUGEINT) & 18446744073709551615 AS UBIGINT) AS address,
    f.fault_count,
    f.access,
    i.value AS instruction,
    m.value AS module,
    s.value AS source_file,
    TRY_CAST(f.sourceLine AS INTEGER) AS source_line
FROM faults AS f
LEFT JOIN _device_gpus AS d
    ON d.report_id = f.report_id AND d.process_id = f.globalPid AND d.device_id = f.deviceId
LEFT JOIN raw.StringIds AS i ON i.report_id = f.report_id AND i.id = f.CpuInstruction
LEFT JOIN raw.StringIds AS m ON m.report_id = f.report_id AND m.id = f.module
LEFT JOIN raw.StringIds AS s ON s.report_id = f.report_id AND s.id = f.sourceFile
