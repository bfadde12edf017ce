-- Calls of MPI functions.
--
-- A wait for several requests (MPI_Waitall) is a row for each request, of equal times: a sum over rows counts it more than once.
-- nsys up to 2022 recorded MPI as NVTX ranges of domain MPI; those are no rows here.
--
-- @version 1
-- @grain   report_id, call_id
-- @source  MPI_P2P_EVENTS, MPI_COLLECTIVES_EVENTS, MPI_START_WAIT_EVENTS, MPI_OTHER_EVENTS
-- @trace   *COLLECT_MPI_TRACE=true --trace=mpi
-- @column  report_id      INTEGER id    Report the row belongs to.
-- @column  call_id        BIGINT  id    Call, unique within the report.
-- @column  kind           VARCHAR text  p2p, collective, start_wait (of a request) or other.
-- @column  name           VARCHAR text  Function.
-- @column  process_id     BIGINT  id    Process that called.
-- @column  thread_id      BIGINT  id(threads.thread_id) Thread that called.
-- @column  rank           INTEGER id    Rank of the process in MPI_COMM_WORLD; NULL if not recorded.
-- @column  start_ns       BIGINT  ns    Start on the report's time axis.
-- @column  end_ns         BIGINT  ns    End on the report's time axis; NULL if it did not end.
-- @column  dur_ns         BIGINT  ns    end_ns - start_ns.
-- @column  peer_rank      INTEGER id    Rank at the other end, within the communicator; NULL but for p2p.
-- @column  tag            BIGINT  id    Tag of the message; NULL but for p2p.
-- @column  root_rank      INTEGER id    Root of a collective, within the communicator; NULL for others.
-- @column  size_bytes     BIGINT  bytes Bytes sent; for a receive the bytes received; NULL if not recorded.
-- @column  recv_bytes     BIGINT  bytes Bytes received in a collective; NULL for others.
-- @column  comm_handle    BIGINT  id    Communicator, unique only within its process and time; NULL if not recorded.
-- @column  request_handle BIGINT  id    Request, unique only within its process and time; NULL for blocking calls.
-- @order   dur_ns DESC
-- @assert  end_ns = start_ns + dur_ns
-- @assert  kind IN ('p2p', 'collective', 'start_wait', 'other')
-- @example SELECT name, count(*) AS call_count, sum(dur_ns) AS dur_ns FROM mpi_calls GROUP BY ALL
WITH calls AS (
    SELECT
        report_id, _rowid * 4 AS call_id, 'p2p' AS kind, textId, globalTid, start, "end", remoteRank, tag,
        NULL AS rootRank, size, NULL AS recvSize, commHandle, requestHandle
    FROM raw.MPI_P2P_EVENTS
    UNION ALL
    SELECT
        report_id, _rowid * 4 + 1, 'collective', textId, globalTid, start, "end", NULL, NULL, rootRank, size, recvSize,
        commHandle, requestHandle
    FROM raw.MPI_COLLECTIVES_EVENTS
    UNION ALL
    SELECT
        report_id, _rowid * 4 + 2, 'start_wait', textId, globalTid, start, "end", NULL, NULL, NULL, NULL, NULL, NULL,
        requestHandle
    FROM raw.MPI_START_WAIT_EVENTS
    UNION ALL
    SELECT
        report_id, _rowid * 4 + 3, 'other', textId, globalTid, start, "end", NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM raw.MPI_OTHER_EVENTS
),

ranks AS (
    SELECT report_id, globalTid & (-16777216)::BIGINT AS process_id, min(rank) AS rank
    FROM raw.MPI_RANKS
    GROUP BY ALL
    HAVING min(rank) = max(rank)
)

SELECT
    c.report_id,
    c.call_id,
    c.kind,
    s.value AS name,
    c.globalTid & (-16777216)::BIGINT AS process_id,
    c.globalTid AS thread_id,
    TRY_CAST(r.rank AS INTEGER) AS rank,
    c.start AS start_ns,
    c.end AS end_ns,
    c.end - c.start AS dur_ns,
    TRY_CAST(c.remoteRank AS INTEGER) AS peer_rank,
    c.tag,
    TRY_CAST(c.rootRank AS INTEGER) AS root_rank,
    c.size AS size_bytes,
    c.recvSize AS recv_bytes,
    c.commHandle AS comm_handle,
    c.requestHandle AS request_handle
FROM calls AS c
LEFT JOIN raw.StringIds AS s ON s.report_id = c.report_id AND s.id = c.textId
LEFT JOIN ranks AS r ON r.report_id = c.report_id AND r.process_id = c.globalTid & (-16777216)::BIGINT
