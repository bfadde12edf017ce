"""openacc_events: three tables in one relation."""

from __future__ import annotations

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

MAIN = (5 << 24) + 5
COMMON = "report_id,_rowid,start,end,nameId,globalTid,lineNo,cuDeviceId,cuContextId,cuStreamId,srcFile,funcName,correlationId"
COLUMNS = (
    "event_id,kind,name,file_name,line,function_name,start_ns,end_ns,dur_ns,device_id,context_id,stream_id,correlation_id,"
    "size_bytes,variable_name,kernel_name,gang_count,worker_count,vector_length"
)


def test_three_tables() -> None:
    check(
        rows={
            "raw.CUPTI_ACTIVITY_KIND_OPENACC_DATA": f"{COMMON},bytes,varName\n1,1,10,15,0,{MAIN},51,2,1,7,4,5,0,1600,6",
            "raw.CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH": f"{COMMON},kernelName,numGangs,numWorkers,vectorLength\n"
            f"1,1,20,30,1,{MAIN},55,2,1,7,4,5,99,3,4,1,128",
            "raw.CUPTI_ACTIVITY_KIND_OPENACC_OTHER": f"{COMMON}\n1,1,1,2,2,{MAIN},,,,,,,",
            "raw.StringIds": "report_id,id,value\n1,0,Alloc\n1,1,Enqueue Launch\n1,2,Device Init\n1,3,k\n1,4,a.f90\n1,5,main\n1,6,x",
        },
        query=f"SELECT {COLUMNS} FROM openacc_events ORDER BY event_id",
        expect=f"""{COLUMNS}
            4,data,Alloc,a.f90,51,main,10,15,5,2,1,7,,1600,x,,,,
            5,launch,Enqueue Launch,a.f90,55,main,20,30,10,2,1,7,99,,,k,4,1,128
            6,other,Device Init,,,,1,2,1,,,,,,,,,,""",
    )


@each_export("mpi_openacc_4proc")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    expected = [
        (texts[r["nameId"]], texts[r["srcFile"]], r["lineNo"], r["start"], r["end"], r["globalTid"], r.get("bytes"))
        for kind in ("DATA", "LAUNCH", "OTHER")
        for r in rows_of(traced.export, f"CUPTI_ACTIVITY_KIND_OPENACC_{kind}")
    ]
    found = traced.rows("openacc_events", "name, file_name, line, start_ns, end_ns, thread_id, size_bytes")
    assert sorted(found, key=str) == sorted(expected, key=str)
