"""nvtx_kern_sum by hand; against NVIDIA's own numbers see test_oracle."""

from __future__ import annotations

from tests.blueprint import check

P = 1 << 48 | 5 << 24


def test_every_range_no_range_and_no_call() -> None:
    check(
        rows={
            "raw.NVTX_EVENTS": f"report_id,_rowid,globalTid,eventType,domainId,start,end,text\n1,1,{P + 1},59,0,0,100,a\n1,2,{P + 1},59,0,5,50,a",
            "raw.CUPTI_ACTIVITY_KIND_RUNTIME": f"report_id,_rowid,globalTid,correlationId,start,end\n1,1,{P + 1},7,10,20\n1,2,{P + 1},8,200,210",
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": f"report_id,_rowid,globalPid,deviceId,correlationId,start,end,demangledName\n1,1,{P},0,7,300,310,0\n1,2,{P},0,8,400,430,0\n1,3,{P},0,9,500,550,0",
            "raw.StringIds": "report_id,id,value\n1,0,f()",
        },
        query="SELECT range_name, style, pid, tid, range_count, kernel_count, total_ns, mean_ns FROM nvtx_kern_sum ORDER BY total_ns",
        expect="range_name,style,pid,tid,range_count,kernel_count,total_ns,mean_ns\na,PushPop,5,1,2,1,20,10.0\n,,5,1,0,1,30,30.0\n,,,,0,1,50,50.0",
    )
