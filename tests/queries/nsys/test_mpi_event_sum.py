"""mpi_event_sum by hand and against a loop over the source rows; no tool at hand prints it."""

from __future__ import annotations

from collections import defaultdict

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export


def test_by_source_and_function() -> None:
    check(
        rows={
            "mpi_calls": "report_id,call_id,kind,name,dur_ns\n"
            "1,4,p2p,MPI_Send,30\n1,8,p2p,MPI_Send,50\n1,5,collective,MPI_Bcast,10\n1,6,start_wait,MPI_Wait,6\n1,7,other,MPI_Init,4"
        },
        query="SELECT time_percent, total_ns, instances, mean_ns, median_ns, min_ns, max_ns, stddev_ns, source, name, q1_ns, q3_ns FROM mpi_event_sum ORDER BY total_ns DESC",
        expect="""time_percent,total_ns,instances,mean_ns,median_ns,min_ns,max_ns,stddev_ns,source,name,q1_ns,q3_ns
            80.0,80,2,40.0,40.0,30,50,14.1,p2p,MPI_Send,30.0,50.0
            10.0,10,1,10.0,10.0,10,10,0.0,collectives,MPI_Bcast,10.0,10.0
            6.0,6,1,6.0,6.0,6,6,0.0,start-wait,MPI_Wait,6.0,6.0
            4.0,4,1,4.0,4.0,4,4,0.0,other,MPI_Init,4.0,4.0""",
    )


TABLES = {"p2p": "P2P", "collectives": "COLLECTIVES", "start-wait": "START_WAIT", "other": "OTHER"}


@each_export("mpi_openacc_4proc")
def test_like_a_loop(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    lengths = defaultdict(list)
    for source, table in TABLES.items():
        for row in rows_of(traced.export, f"MPI_{table}_EVENTS"):
            lengths[source, texts[row["textId"]]].append(row["end"] - row["start"])
    found = traced.rows("mpi_event_sum", "source, name, instances, total_ns, min_ns, max_ns")
    assert found == sorted((*key, len(ns), sum(ns), min(ns), max(ns)) for key, ns in lengths.items())
