-- Nodes of CUDA graphs: when each was made, by which thread, and from which other node.
--
-- Instantiating or cloning a graph makes a new node out of each node: work on the GPU (kernels.graph_node_id) names the
-- node of the instantiated graph, original_node_id the node that the program made or captured. Recorded when graphs are
-- traced node by node; changes of a node's parameters are left out. nsys up to 2023.4 keeps the same rows in another table.
--
-- @version 1
-- @grain   report_id, process_id, graph_node_id
-- @source  CUDA_GRAPH_NODE_EVENTS
-- @trace   *CUDA_GRAPH_TRACE_OPTIONS:MODE=Node --trace=cuda --cuda-graph-trace=node
-- @column  report_id        INTEGER id Report the row belongs to.
-- @column  process_id       BIGINT  id Process of the graph.
-- @column  graph_node_id    BIGINT  id Node, unique only within its process.
-- @column  graph_id         BIGINT  id Graph or instantiated graph that holds it: the upper half of graph_node_id.
-- @column  original_node_id BIGINT  id Node that it was made from; NULL if the program made or captured it.
-- @column  thread_id        BIGINT  id(threads.thread_id) Thread that made it.
-- @column  created_ns       BIGINT  ns When it was made.
-- @order   report_id, process_id, graph_node_id
-- @assert  original_node_id <> graph_node_id
-- @example SELECT graph_id, count(*) AS node_count FROM graph_nodes GROUP BY ALL
WITH events AS (
    SELECT report_id, start, globalTid, eventClass, graphNodeId, originalGraphNodeId
    FROM raw.CUDA_GRAPH_NODE_EVENTS
    UNION ALL
    SELECT report_id, start, globalTid, eventClass, graphNodeId, originalGraphNodeId
    FROM raw.CUDA_GRAPH_EVENTS
)

SELECT
    report_id,
    globalTid & (-16777216)::BIGINT AS process_id,
    graphNodeId AS graph_node_id,
    graphNodeId >> 32 AS graph_id,
    min(originalGraphNodeId) AS original_node_id,
    arg_min(globalTid, start) AS thread_id,
    min(start) AS created_ns
FROM events
WHERE graphNodeId IS NOT NULL AND eventClass IS DISTINCT FROM 111
GROUP BY ALL
