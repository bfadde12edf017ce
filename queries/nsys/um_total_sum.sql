-- NVIDIA's report um_total_sum: page faults and migrations of unified memory, all together.
--
-- A report with neither has no row. The lowest and the highest address are those of any fault or migration; NVIDIA's tool
-- leaves both out if one of the four, migrations either way and faults on either side, did not happen. Migrations between
-- devices are not here.
--
-- @version 1
-- @grain   report_id
-- @needs   any of um_faults, memcpys
-- @column  report_id       INTEGER id      Report the row belongs to.
-- @column  htod_bytes      BIGINT  bytes   Bytes that moved to a device; NULL for none.
-- @column  dtoh_bytes      BIGINT  bytes   Bytes that moved to the host; NULL for none.
-- @column  cpu_fault_count BIGINT  count   Page faults on the CPU; NULL for none.
-- @column  gpu_fault_count BIGINT  count   Page faults on the GPU; NULL for none.
-- @column  min_address     UBIGINT address Lowest virtual address.
-- @column  max_address     UBIGINT address Highest virtual address.
-- @title   Unified Memory Totals Summary
-- @print   htod_bytes Total HtoD Migration Size; dtoh_bytes Total DtoH Migration Size; cpu_fault_count Total CPU Page Faults;
--     gpu_fault_count Total GPU PageFaults; min_address Minimum Virtual Address; max_address Maximum Virtual Address
-- @skip    CUDA Unified Memory page faults or migrations
-- @order   report_id
-- @assert  min_address <= max_address
-- @example SELECT htod_bytes, dtoh_bytes, cpu_fault_count, gpu_fault_count FROM um_total_sum
SELECT
    report_id,
    CAST(sum(htod_bytes) AS BIGINT) AS htod_bytes,
    CAST(sum(dtoh_bytes) AS BIGINT) AS dtoh_bytes,
    CAST(sum(cpu_fault_count) AS BIGINT) AS cpu_fault_count,
    CAST(sum(gpu_fault_count) AS BIGINT) AS gpu_fault_count,
    min(address) AS min_address,
    max(address) AS max_address
FROM um_sum
GROUP BY report_id
