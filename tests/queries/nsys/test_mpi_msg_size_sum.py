"""mpi_msg_size_sum by hand and against a loop over the source rows; no tool at hand prints it."""

from __future__ import annotations

from collections import defaultdict

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export


def test_messages_and_both_sides_of_collectives() -> None:
    check(
        rows={
            "mpi_calls": "report_id,call_id,kind,name,size_bytes,recv_bytes\n1,4,p2p,MPI_Send,30,\n1,8,p2p,MPI_Send,50,\n"
            "1,12,p2p,MPI_Recv,,\n1,5,collective,MPI_Gather,8,16\n1,9,collective,MPI_Gather,8,\n1,6,start_wait,MPI_Wait,,"
        },
        query="SELECT total_bytes, instances, mean_bytes, median_bytes, min_bytes, max_bytes, round(stddev_bytes, 3) AS s, source, name FROM mpi_msg_size_sum ORDER BY ALL DESC",
        expect="""total_bytes,instances,mean_bytes,median_bytes,min_bytes,max_bytes,s,source,name
            80,2,40.0,40.0,30,50,14.142,p2p,MPI_Send
            16,2,8.0,8.0,8,8,0.0,coll_send,MPI_Gather
            16,1,16.0,16.0,16,16,0.0,coll_recv,MPI_Gather""",
    )


@each_export("mpi_openacc_4proc")
def test_like_a_loop(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    sizes = defaultdict(list)
    for source, table, column in (
        ("p2p", "P2P", "size"),
        ("coll_send", "COLLECTIVES", "size"),
        ("coll_recv", "COLLECTIVES", "recvSize"),
    ):
        for row in rows_of(traced.export, f"MPI_{table}_EVENTS"):
            if row[column] is not None:
                sizes[source, texts[row["textId"]]].append(row[column])
    found = traced.rows("mpi_msg_size_sum", "source, name, instances, total_bytes, min_bytes, max_bytes")
    assert found == sorted((*key, len(n), sum(n), min(n), max(n)) for key, n in sizes.items())
