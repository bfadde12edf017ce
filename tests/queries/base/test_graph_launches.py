"""graph_launches: executions of whole graphs, and whether their nodes were traced too."""

from __future__ import annotations

from tests.blueprint import check

GRAPHS = "raw.CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
HEADER = "report_id,_rowid,globalPid,deviceId,correlationId,graphId,start,end\n"
QUERY = "SELECT op_id, start_ns, dur_ns, graph_id, is_expanded FROM graph_launches ORDER BY op_id"


def test_a_launch_whose_nodes_have_rows_is_expanded() -> None:
    check(
        rows={
            GRAPHS: HEADER + "1,1,9,0,50,4,10,20\n1,2,9,0,51,4,30,40",
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": "report_id,globalPid,correlationId,graphNodeId\n1,9,50,1\n1,9,50,2\n1,9,51,\n1,8,51,3",
        },
        query=QUERY,
        expect="op_id,start_ns,dur_ns,graph_id,is_expanded\n11,10,10,4,True\n19,30,10,4,False",
    )


def test_correlation_id_0_matches_nothing() -> None:
    check(
        rows={
            GRAPHS: HEADER + "1,1,9,0,0,4,10,20",
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": "report_id,globalPid,correlationId,graphNodeId\n1,9,0,1",
        },
        query=QUERY,
        expect="op_id,start_ns,dur_ns,graph_id,is_expanded\n11,10,10,4,False",
    )


def test_a_graph_that_begins_on_the_host_has_no_times() -> None:
    check(
        rows={GRAPHS: HEADER + "1,1,9,2147483647,50,4,0,0"},
        query="SELECT op_id, device_id, start_ns, end_ns, dur_ns FROM graph_launches",
        expect="op_id,device_id,start_ns,end_ns,dur_ns\n11,,,,",
    )


def test_a_graph_that_begins_on_the_host_is_on_no_gpu_and_said_unless_its_nodes_are_there() -> None:
    rows = {
        GRAPHS: HEADER + "1,1,9,2147483647,50,4,0,0\n1,2,9,2147483647,51,4,0,0\n1,3,9,2147483647,52,4,0,0",
        "raw.CUPTI_ACTIVITY_KIND_MEMSET": "report_id,_rowid,globalPid,deviceId,correlationId,graphNodeId,start,end\n1,1,9,3,52,1,10,20",
    }
    check(rows=rows, query="SELECT device_id FROM process_gpus", expect="device_id\n3")
    check(rows=rows, query="SELECT kind, op_count FROM _unplaced_ops", expect="kind,op_count\ngraph_launch,2")
