-- Threads that the report names or that events mention, once each; with what was not recorded as NULL.
--
-- @version 1
-- @grain   report_id, thread_id
-- @column  report_id INTEGER id Report the row belongs to.
-- @column  thread_id BIGINT  id Thread.
SELECT report_id, thread_id FROM _thread_names
UNION
SELECT report_id, globalTid FROM raw.CUPTI_ACTIVITY_KIND_RUNTIME
UNION
SELECT report_id, globalTid FROM raw.NVTX_EVENTS
UNION
SELECT report_id, endGlobalTid FROM raw.NVTX_EVENTS
UNION
SELECT report_id, globalTid FROM raw.OSRT_API WHERE eventClass = 27
UNION
SELECT report_id, globalTid FROM raw.SCHED_EVENTS
UNION
SELECT report_id, globalTid FROM raw.COMPOSITE_EVENTS
UNION
SELECT report_id, globalTid FROM raw.PROFILER_OVERHEAD
UNION
SELECT report_id, globalTid FROM raw.CUPTI_ACTIVITY_KIND_OVERHEAD
UNION
SELECT report_id, globalTid FROM raw.CUDA_GRAPH_EVENTS
UNION
SELECT report_id, globalTid FROM raw.CUDA_GRAPH_NODE_EVENTS
UNION
SELECT report_id, globalTid FROM raw.MPI_P2P_EVENTS
UNION
SELECT report_id, globalTid FROM raw.MPI_COLLECTIVES_EVENTS
UNION
SELECT report_id, globalTid FROM raw.MPI_START_WAIT_EVENTS
UNION
SELECT report_id, globalTid FROM raw.MPI_OTHER_EVENTS
UNION
SELECT report_id, thread_id FROM openacc_events
UNION
SELECT report_id, thread_id FROM openmp_events
UNION
SELECT report_id, thread_id FROM syscalls
