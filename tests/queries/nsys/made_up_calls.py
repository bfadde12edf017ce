"""Made-up calls of MPI, OpenACC and OpenMP, with what nsys 2023.4.4 prints for them."""

from __future__ import annotations

from tests.made_up import MadeUp

PROCESS, OTHER_PROCESS = 1 << 48 | 5 << 24, 1 << 48 | 6 << 24
MAIN, HELPER, OTHER = PROCESS | 1, PROCESS | 2, OTHER_PROCESS | 1
STRINGS = {
    "raw.StringIds": "report_id,id,value\n1,0,MPI_Send\n1,1,MPI_Recv\n1,2,MPI_Allreduce\n1,3,MPI_Wait\n1,4,MPI_Init\n"
    "1,5,a.c\n1,6,func\n1,7,Enter Data\n1,8,Wait\n1,9,Region\n1,10,Task\n1,11,Enter Data@a.c:5"
}
MPI = STRINGS | {
    "raw.MPI_P2P_EVENTS": "report_id,_rowid,start,end,globalTid,textId,commHandle,tag,remoteRank,size,requestHandle\n"
    f"1,1,10,30,{MAIN},0,7,3,1,1500000,\n1,2,12,40,{HELPER},1,7,3,0,,9\n1,3,15,,{MAIN},0,7,3,1,100,",
    "raw.MPI_COLLECTIVES_EVENTS": "report_id,_rowid,start,end,globalTid,textId,commHandle,rootRank,size,recvSize,requestHandle\n"
    f"1,1,50,80,{MAIN},2,7,0,2000000,1000000,\n1,2,55,82,{OTHER},2,7,,,,",
    "raw.MPI_START_WAIT_EVENTS": f"report_id,_rowid,start,end,globalTid,textId,requestHandle\n1,1,90,95,{MAIN},3,9",
    "raw.MPI_OTHER_EVENTS": f"report_id,_rowid,start,end,globalTid,textId\n1,1,1,9,{MAIN},4\n1,2,2,9,{OTHER},",
}
RANKS = {"raw.MPI_RANKS": f"report_id,globalTid,rank\n1,{MAIN},0\n1,{OTHER},1"}
_TRACE = (
    "1,9,8,MPI_Init,5,1,,{r},,,,,\n2,9,7,,6,1,,{o},,,,,\n10,30,20,MPI_Send,5,1,3,{r},1,,1.5,,\n12,40,28,MPI_Recv,5,2,3,{h},0,,,,\n"
    "15,,,MPI_Send,5,1,3,{r},1,,0.0,,\n50,80,30,MPI_Allreduce,5,1,,{r},,0,,2.0,1.0\n55,82,27,MPI_Allreduce,6,1,,{o},,,,,\n"
    "90,95,5,MPI_Wait,5,1,,{r},,,,,"
)
ACC = (
    "report_id,_rowid,start,end,nameId,globalTid,eventKind,DeviceType,lineNo,cuDeviceId,cuContextId,cuStreamId,srcFile,funcName"
)
OMP = "report_id,_rowid,start,end,eventClass,globalTid,correlationId,nameId,eventKind"

CALLS = {
    "mpi": MadeUp(
        MPI | RANKS,
        printed={"mpi_event_trace": _TRACE.format(r=0, o=1, h="")},
        ours={"mpi_event_trace": _TRACE.format(r=0, o=1, h=0)},
    ),
    "no_ranks": MadeUp(
        MPI,
        printed={},
        error={"mpi_event_trace": "no such table: MPI_RANKS"},
        ours={"mpi_event_trace": _TRACE.format(r="", o="", h="")},
    ),
    "openacc": MadeUp(
        STRINGS
        | {
            "raw.CUPTI_ACTIVITY_KIND_OPENACC_DATA": f"{ACC}\n1,1,0,10,7,{MAIN},11,4,5,0,1,7,5,6\n1,2,20,40,7,{MAIN},11,4,5,0,1,7,5,6\n"
            f"1,3,20,45,7,{MAIN},11,4,6,0,1,7,5,6\n1,4,50,60,7,{MAIN},11,4,5,0,1,7,,\n1,5,60,61,7,{MAIN},11,4,0,0,1,7,5,6\n"
            f"1,6,70,75,7,{MAIN},12,4,,0,1,7,5,6",
            "raw.CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH": f"{ACC}\n1,1,100,200,8,{MAIN},4,4,5,0,1,7,5,6",
            "raw.CUPTI_ACTIVITY_KIND_OPENACC_OTHER": f"{ACC}\n1,1,100,180,8,{MAIN},7,4,5,0,1,7,5,6\n1,2,100,180,,{MAIN},7,4,5,0,1,7,5,6\n"
            f"1,3,100,105,11,{MAIN},7,4,,0,1,7,,",
        },
        printed={
            "openacc_sum": "53.6,180,2,90.0,90.0,80,100,14.1,Wait@a.c:5\n25.3,85,2,42.5,42.5,5,80,53.0,\n"
            "10.4,35,3,11.7,10.0,5,20,7.6,Enter Data@a.c:5\n7.4,25,1,25.0,25.0,25,25,0.0,Enter Data@a.c:6\n"
            "3.0,10,1,10.0,10.0,10,10,0.0,Enter Data\n0.3,1,1,1.0,1.0,1,1,0.0,Enter Data@a.c:0"
        },
    ),
    "openmp": MadeUp(
        STRINGS
        | {
            "raw.OPENMP_EVENT_KIND_PARALLEL": f"{OMP}\n1,1,0,10,78,{MAIN},,9,28\n1,2,20,40,78,{MAIN},,9,28",
            "raw.OPENMP_EVENT_KIND_TASK": f"{OMP}\n1,1,0,16,78,{MAIN},,10,31\n1,2,0,16,78,{MAIN},,9,31",
            "raw.OPENMP_EVENT_KIND_FLUSH": f"{OMP}\n1,1,5,5,78,{MAIN},,9,26\n1,2,7,,78,{MAIN},,,26",
            "raw.OPENMP_EVENT_KIND_TASK_SCHEDULE": f"{OMP}\n1,1,5,7,78,{MAIN},,6,16",
            "raw.OPENMP_EVENT_KIND_DISPATCH": f"{OMP}\n1,1,5,9,78,{MAIN},,8,25",
        },
        printed={
            "openmp_sum": "44.1,30,2,15.0,15.0,10,20,7.1,Region\n23.5,16,1,16.0,16.0,16,16,0.0,Region\n"
            "23.5,16,1,16.0,16.0,16,16,0.0,Task\n5.9,4,1,4.0,4.0,4,4,0.0,Wait\n2.9,2,1,2.0,2.0,2,2,0.0,func\n"
            "0.0,0,1,0.0,0.0,0,0,0.0,Region\n,,1,,,,,0.0,"
        },
    ),
}
