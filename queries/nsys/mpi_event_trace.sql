-- NVIDIA's report mpi_event_trace: MPI calls one by one.
--
-- A wait for several requests is a row for each (mpi_calls). Other than NVIDIA's, calls of all threads of a process have its
-- rank, not only those of the thread that initialized MPI, and a report without ranks has rows.
--
-- @version 1
-- @grain   report_id, call_id
-- @needs   mpi_calls
-- @column  report_id  INTEGER id    Report the row belongs to.
-- @column  start_ns   BIGINT  ns    Start on the report's time axis.
-- @column  end_ns     BIGINT  ns    End on the report's time axis; NULL if it did not end.
-- @column  dur_ns     BIGINT  ns    end_ns - start_ns.
-- @column  name       VARCHAR text  Function.
-- @column  pid        INTEGER id    Process id of the operating system.
-- @column  tid        INTEGER id    Thread id of the operating system.
-- @column  tag        BIGINT  id    Tag of the message; NULL but for p2p.
-- @column  rank       INTEGER id    Rank of the process in MPI_COMM_WORLD; NULL if not recorded.
-- @column  peer_rank  INTEGER id    Rank at the other end, within the communicator; NULL but for p2p.
-- @column  root_rank  INTEGER id    Root of a collective, within the communicator; NULL for others.
-- @column  size_bytes BIGINT  bytes Bytes of a message; NULL but for p2p.
-- @column  sent_bytes BIGINT  bytes Bytes sent in a collective; NULL for others.
-- @column  recv_bytes BIGINT  bytes Bytes received in a collective; NULL for others.
-- @column  call_id    BIGINT  id(mpi_calls.call_id) Call.
-- @title   MPI Event Trace
-- @print   start_ns Start; end_ns End; dur_ns Duration; name Event; pid Pid; tid Tid; tag Tag; rank Rank; peer_rank PeerRank;
--     root_rank RootRank; size_bytes Size; sent_bytes CollSendSize; recv_bytes CollRecvSize
-- @skip    MPI event data
-- @order   report_id, start_ns
-- @assert  end_ns = start_ns + dur_ns
-- @example SELECT start_ns, name, rank, peer_rank, size_bytes FROM mpi_event_trace ORDER BY start_ns LIMIT 5
SELECT
    report_id,
    start_ns,
    end_ns,
    dur_ns,
    name,
    CAST((thread_id >> 24) & 16777215 AS INTEGER) AS pid,
    CAST(thread_id & 16777215 AS INTEGER) AS tid,
    tag,
    rank,
    peer_rank,
    root_rank,
    CASE WHEN kind = 'p2p' THEN size_bytes END AS size_bytes,
    CASE WHEN kind = 'collective' THEN size_bytes END AS sent_bytes,
    recv_bytes,
    call_id
FROM mpi_calls
