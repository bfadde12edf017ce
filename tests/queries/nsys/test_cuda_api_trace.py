"""cuda_api_trace on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check

P = 5 << 24
CALLS = "report_id,_rowid,globalTid,eventClass,correlationId,nameId,start,end,returnValue\n"


def test_calls_with_their_threads() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "raw.CUPTI_ACTIVITY_KIND_RUNTIME": CALLS
            + f"1,1,{P + 7},0,11,1,10,30,0\n1,2,{P + 7},1,12,2,12,20,999\n1,3,{P + 8},0,,3,40,41,0\n2,1,{P + 8},0,13,3,50,60,0",
            "raw.StringIds": "report_id,id,value\n1,1,cudaMalloc_v3020\n1,2,cuInit\n1,3,cudaGraphLaunch_v10000\n1,4,main\n2,3,f\n2,4,other",
            "raw.ThreadNames": f"report_id,nameId,priority,globalTid\n1,4,20,{P + 7}\n2,4,10,{P + 8}",
        },
        query="""SELECT report_id, start_ns, dur_ns, name, result, correlation_id, pid, tid, thread_priority, thread_name
            FROM cuda_api_trace ORDER BY report_id, start_ns""",
        expect="""report_id,start_ns,dur_ns,name,result,correlation_id,pid,tid,thread_priority,thread_name
            1,10,20,cudaMalloc,0,11,5,7,20,main
            1,12,8,cuInit,999,12,5,7,20,main
            1,40,1,cudaGraphLaunch_v10000,0,0,5,8,,
            2,50,10,f,0,13,5,8,10,other""",
    )


def test_a_thread_of_several_names_does_not_multiply_its_calls() -> None:
    check(
        rows={
            "raw.CUPTI_ACTIVITY_KIND_RUNTIME": CALLS + f"1,1,{P + 7},0,11,1,10,30,0",
            "raw.StringIds": "report_id,id,value\n1,1,f\n1,2,python3\n1,3,pt_main_thread",
            "raw.ThreadNames": f"report_id,nameId,priority,globalTid\n1,3,10,{P + 7}\n1,2,20,{P + 7}",
        },
        query="SELECT name, thread_priority, thread_name FROM cuda_api_trace",
        expect="name,thread_priority,thread_name\nf,20,python3",
    )
