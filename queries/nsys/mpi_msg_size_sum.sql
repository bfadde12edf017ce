-- NVIDIA's report mpi_msg_size_sum: sizes of MPI messages by source and function.
--
-- All ranks of the report together; a message counts where it is sent and where it is received. Calls whose size was not
-- recorded are left out.
--
-- @version 1
-- @grain   report_id, source, name
-- @needs   mpi_calls
-- @column  report_id    INTEGER id    Report the row belongs to.
-- @column  total_bytes  BIGINT  bytes Sum.
-- @column  instances    BIGINT  count Messages.
-- @column  mean_bytes   DOUBLE  bytes Mean.
-- @column  median_bytes DOUBLE  bytes Median.
-- @column  min_bytes    BIGINT  bytes Smallest.
-- @column  max_bytes    BIGINT  bytes Largest.
-- @column  stddev_bytes DOUBLE  bytes Sample standard deviation; 0 for one.
-- @column  source       VARCHAR text  p2p, coll_send or coll_recv: of messages, and of what collectives send and receive.
-- @column  name         VARCHAR text  Function.
-- @title   MPI Message Size Summary
-- @print   total_bytes Total Message Volume; instances Instances; mean_bytes Avg; median_bytes Med; min_bytes Min; max_bytes Max;
--     stddev_bytes StdDev; source Source; name Name
-- @skip    MPI event data
-- @order   total_bytes DESC
-- @assert  min_bytes <= median_bytes AND median_bytes <= max_bytes
-- @unverified No tool that prints this report was at hand: columns and sources are from its description.
-- @example SELECT source, name, instances, total_bytes FROM mpi_msg_size_sum ORDER BY total_bytes DESC LIMIT 5
WITH messages AS (
    SELECT report_id, 'p2p' AS source, name, size_bytes
    FROM mpi_calls
    WHERE kind = 'p2p'
    UNION ALL
    SELECT report_id, 'coll_send', name, size_bytes
    FROM mpi_calls
    WHERE kind = 'collective'
    UNION ALL
    SELECT report_id, 'coll_recv', name, recv_bytes
    FROM mpi_calls
    WHERE kind = 'collective'
)

SELECT
    report_id,
    CAST(sum(size_bytes) AS BIGINT) AS total_bytes,
    count(*) AS instances,
    avg(size_bytes) AS mean_bytes,
    median(size_bytes) AS median_bytes,
    min(size_bytes) AS min_bytes,
    max(size_bytes) AS max_bytes,
    stddev_or_zero(size_bytes) AS stddev_bytes,
    source,
    name
FROM messages
WHERE size_bytes IS NOT NULL
GROUP BY report_id, source, name
