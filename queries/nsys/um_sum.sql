-- NVIDIA's report um_sum: page faults and migrations of unified memory by address.
--
-- By the exact address, of all processes together: a fault names the address that was touched, a migration where the memory
-- that moved begins, so that the two of one allocation rarely share a row. Migrations between devices are not here. The
-- throughput is NVIDIA's: bytes times 10^9 divided by the time in whole numbers, which is up to half too low;
-- exact_bytes_per_s is right. The tool has rows only for exports with faults of the CPU and of the GPU and with copies, here
-- each alone will do.
--
-- @version 1
-- @grain   report_id, address
-- @needs   any of um_faults, memcpys
-- @column  report_id              INTEGER id          Report the row belongs to.
-- @column  address                UBIGINT address     Virtual address.
-- @column  htod_bytes             BIGINT  bytes       Bytes that moved to a device; NULL for none.
-- @column  dtoh_bytes             BIGINT  bytes       Bytes that moved to the host; NULL for none.
-- @column  cpu_fault_count        BIGINT  count       Page faults on the CPU; NULL for none.
-- @column  gpu_fault_count        BIGINT  count       Page faults on the GPU; NULL for none.
-- @column  throughput_bytes_per_s DOUBLE  bytes_per_s Throughput of the migrations as NVIDIA computes it; NULL without any.
-- @column  exact_bytes_per_s      DOUBLE  bytes_per_s Their bytes by their time; not printed.
-- @title   Unified Memory Analysis Summary
-- @print   address Virtual Address; htod_bytes HtoD Migration size; dtoh_bytes DtoH Migration size; cpu_fault_count CPU Page Faults;
--     gpu_fault_count GPU Page Faults; throughput_bytes_per_s Migration Throughput
-- @skip    CUDA Unified Memory page faults or migrations
-- @rows    10
-- @order   throughput_bytes_per_s DESC NULLS LAST, address
-- @assert  throughput_bytes_per_s <= exact_bytes_per_s
-- @example SELECT address, htod_bytes, dtoh_bytes, exact_bytes_per_s FROM um_sum ORDER BY htod_bytes DESC LIMIT 5
WITH migrations AS (
    SELECT
        report_id, virtual_address AS address,
        CAST(sum(CASE WHEN direction = 'HtoD' THEN size_bytes END) AS BIGINT) AS htod_bytes,
        CAST(sum(CASE WHEN direction = 'DtoH' THEN size_bytes END) AS BIGINT) AS dtoh_bytes,
        CAST(sum(size_bytes) AS DOUBLE) AS size_bytes,
        CAST(sum(dur_ns) AS BIGINT) AS dur_ns
    FROM memcpys
    WHERE is_migration AND direction IN ('HtoD', 'DtoH')
    GROUP BY report_id, virtual_address
),

faults AS (
    SELECT
        report_id, address,
        CAST(sum(CASE WHEN side = 'cpu' THEN fault_count END) AS BIGINT) AS cpu_fault_count,
        CAST(sum(CASE WHEN side = 'gpu' THEN fault_count END) AS BIGINT) AS gpu_fault_count
    FROM um_faults
    GROUP BY report_id, address
)

SELECT
    report_id,
    address,
    m.htod_bytes,
    m.dtoh_bytes,
    f.cpu_fault_count,
    f.gpu_fault_count,
    m.size_bytes * (1000000000 // nullif(m.dur_ns, 0)) AS throughput_bytes_per_s,
    m.size_bytes * 1e9 / nullif(m.dur_ns, 0) AS exact_bytes_per_s
FROM migrations AS m
FULL JOIN faults AS f USING (report_id, address)
