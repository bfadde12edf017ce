"""graph_nodes: one row a node, whichever table and however many events."""

from __future__ import annotations

import pytest

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

THREAD = (5 << 24) + 7
HEADER = "report_id,start,eventClass,globalTid,graphNodeId,originalGraphNodeId\n"
NODE = 1 << 32


@pytest.mark.parametrize("table", ["CUDA_GRAPH_NODE_EVENTS", "CUDA_GRAPH_EVENTS"])
def test_a_node_is_one_row(table: str) -> None:
    events = f"""1,10,77,{THREAD},{NODE},
        1,20,77,{THREAD},{2 * NODE},
        1,21,77,{THREAD},{2 * NODE},{NODE}
        1,15,111,{THREAD + 1},{2 * NODE},
        1,30,94,{THREAD},,
        2,5,77,{THREAD},{NODE},"""
    check(
        rows={f"raw.{table}": HEADER + events},
        query="SELECT report_id, process_id, graph_node_id, graph_id, original_node_id, thread_id, created_ns FROM graph_nodes ORDER BY ALL",
        expect=f"""report_id,process_id,graph_node_id,graph_id,original_node_id,thread_id,created_ns
            1,{5 << 24},{NODE},1,,{THREAD},10
            1,{5 << 24},{2 * NODE},2,{NODE},{THREAD},20
            2,{5 << 24},{NODE},1,,{THREAD},5""",
    )


def test_the_same_number_in_two_processes() -> None:
    check(
        rows={"raw.CUDA_GRAPH_NODE_EVENTS": f"{HEADER}1,10,77,{5 << 24},{NODE},\n1,11,77,{6 << 24},{NODE},"},
        query="SELECT process_id, created_ns FROM graph_nodes ORDER BY ALL",
        expect=f"process_id,created_ns\n{5 << 24},10\n{6 << 24},11",
    )


@each_export()
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    nodes: dict[tuple[int, int], tuple[int, int | None]] = {}
    for e in rows_of(traced.export, "CUDA_GRAPH_NODE_EVENTS"):
        key = e["globalTid"] & ~0xFFFFFF, e["graphNodeId"]
        start, original = nodes.get(key, (e["start"], None))
        nodes[key] = min(start, e["start"]), original if e["originalGraphNodeId"] is None else e["originalGraphNodeId"]
    rows = traced.rows("graph_nodes", "process_id, graph_node_id, created_ns, original_node_id")
    assert rows == sorted((*key, *value) for key, value in nodes.items())


def test_work_on_the_gpu_names_a_node_that_was_made_from_another(db) -> None:
    rows = db.sql(
        """SELECT count(*), count(n.original_node_id) FROM kernels k
        JOIN reports r USING (report_id)
        LEFT JOIN graph_nodes n USING (report_id, process_id, graph_node_id)
        WHERE r.name = 'graphs_node' AND k.graph_node_id IS NOT NULL"""
    ).fetchall()
    assert rows == [(270, 270)]
