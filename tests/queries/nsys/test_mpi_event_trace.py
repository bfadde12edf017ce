"""mpi_event_trace by hand; against NVIDIA's own numbers see test_oracle and test_made_up."""

from __future__ import annotations

from tests.blueprint import check

COLUMNS = "start_ns,end_ns,dur_ns,name,pid,tid,tag,rank,peer_rank,root_rank,size_bytes,sent_bytes,recv_bytes,call_id"
MAIN = 5 << 24 | 6


def test_sizes_by_kind() -> None:
    check(
        rows={
            "mpi_calls": "report_id,call_id,kind,name,thread_id,rank,start_ns,end_ns,dur_ns,peer_rank,tag,root_rank,size_bytes,recv_bytes\n"
            f"1,4,p2p,MPI_Send,{MAIN},3,10,15,5,1,7,,4096,\n1,5,collective,MPI_Gather,{MAIN},3,20,30,10,,,0,64,128\n"
            f"1,6,start_wait,MPI_Wait,{MAIN},3,40,,,,,,,"
        },
        query=f"SELECT {COLUMNS} FROM mpi_event_trace ORDER BY start_ns",
        expect=f"""{COLUMNS}
            10,15,5,MPI_Send,5,6,7,3,1,,4096,,,4
            20,30,10,MPI_Gather,5,6,,3,,0,,64,128,5
            40,,,MPI_Wait,5,6,,3,,,,,,6""",
    )
