"""mpi_calls: four tables in one relation, the rank of the process."""

from __future__ import annotations

from nsysql.database import Database

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

MAIN, HELPER, OTHER = (5 << 24) + 5, (5 << 24) + 6, (9 << 24) + 9
COLUMNS = (
    "call_id,kind,name,rank,start_ns,end_ns,dur_ns,peer_rank,tag,root_rank,size_bytes,recv_bytes,comm_handle,request_handle"
)


def test_four_tables() -> None:
    check(
        rows={
            "raw.MPI_P2P_EVENTS": f"report_id,_rowid,start,end,globalTid,textId,commHandle,tag,remoteRank,size,requestHandle\n1,1,10,15,{MAIN},0,77,3,1,4096,8",
            "raw.MPI_COLLECTIVES_EVENTS": f"report_id,_rowid,start,end,globalTid,textId,commHandle,rootRank,size,recvSize\n1,1,20,30,{HELPER},1,77,0,64,128",
            "raw.MPI_START_WAIT_EVENTS": f"report_id,_rowid,start,end,globalTid,textId,requestHandle\n1,1,30,,{OTHER},2,8",
            "raw.MPI_OTHER_EVENTS": f"report_id,_rowid,start,end,globalTid,textId\n1,1,1,2,{MAIN},3",
            "raw.MPI_RANKS": f"report_id,globalTid,rank\n1,{MAIN},4\n1,{MAIN},4\n1,{OTHER},6\n1,{OTHER + 1},7",
            "raw.StringIds": "report_id,id,value\n1,0,MPI_Isend\n1,1,MPI_Gather\n1,2,MPI_Wait\n1,3,MPI_Init",
        },
        query=f"SELECT {COLUMNS} FROM mpi_calls ORDER BY call_id",
        expect=f"""{COLUMNS}
            4,p2p,MPI_Isend,4,10,15,5,1,3,,4096,,77,8
            5,collective,MPI_Gather,4,20,30,10,,,0,64,128,77,
            6,start_wait,MPI_Wait,,30,,,,,,,,,8
            7,other,MPI_Init,4,1,2,1,,,,,,,""",
    )


@each_export("mpi_openacc_4proc")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    calls = [r for t in ("P2P", "COLLECTIVES", "START_WAIT", "OTHER") for r in rows_of(traced.export, f"MPI_{t}_EVENTS")]
    ranks = {r["globalTid"] >> 24: r["rank"] for r in rows_of(traced.export, "MPI_RANKS")}
    expected = sorted(
        (texts[c["textId"]], c["start"], c["end"], c["globalTid"], ranks.get(c["globalTid"] >> 24)) for c in calls
    )
    assert traced.rows("mpi_calls", "name, start_ns, end_ns, thread_id, rank") == expected


def test_a_wait_for_two_requests_is_two_rows(db: Database) -> None:
    report = db.report_ids(["mpi_openmp"])[0]
    query = f"""SELECT process_id, start_ns, end_ns, count(*), count(DISTINCT request_handle) FROM mpi_calls
        WHERE report_id = {report} AND name = 'MPI_Waitall' GROUP BY ALL"""
    assert [row[3:] for row in db.sql(query).fetchall()] == [(2, 2)] * 6
