"""Made-up NVTX events and work on the GPU, with what nsys 2023.4.4 prints for them."""

from __future__ import annotations

from collections.abc import Sequence

from tests.made_up import MadeUp

PROCESS, OTHER_PROCESS = 1 << 48 | 5 << 24, 1 << 48 | 6 << 24
MAIN, HELPER, OTHER = PROCESS | 1, PROCESS | 2, OTHER_PROCESS | 3
PUSH, START, MARK, CREATE = 59, 60, 34, 75

Line = tuple[int | str, ...]


def _text(header: str, lines: Sequence[Line]) -> str:
    numbered = [",".join(map(str, (1, number, *line))) for number, line in enumerate(lines, 1)]
    return "\n".join([f"report_id,_rowid,{header}", *numbered])


def source(
    *events: Line,
    calls: Sequence[Line] = ((MAIN, 1, 20, 25),),
    kernels: Sequence[Line] = ((PROCESS, 1, 300, 400),),
) -> dict[str, str]:
    """Source rows of NVTX events (thread, kind, domain, start, end, text[, closing thread]), calls (thread, number, start,
    end) and kernels (process, number, start, end)."""
    names = "globalTid,eventType,domainId,start,end,text,endGlobalTid"
    return {
        "raw.NVTX_EVENTS": _text(names, [(*e, *("",) * (7 - len(e))) for e in events]),
        "raw.CUPTI_ACTIVITY_KIND_RUNTIME": _text(
            "globalTid,correlationId,start,end,nameId,eventClass", [(*c, 1, 0) for c in calls]
        ),
        "raw.CUPTI_ACTIVITY_KIND_KERNEL": _text(
            "globalPid,correlationId,start,end,demangledName,shortName,deviceId", [(*k, 0, 0, 0) for k in kernels]
        ),
        "raw.StringIds": "report_id,id,value\n1,0,f()\n1,1,cudaLaunchKernel_v7000",
    }


NVTX = {
    "two_creators": MadeUp(
        source(
            (MAIN, CREATE, 7, 0, "", "dom"),
            (HELPER, CREATE, 7, 1, "", "dom"),
            (MAIN, PUSH, 7, 5, 80, "a"),
            (MAIN, PUSH, 0, 12, 40, "in"),
            (MAIN, START, 7, 6, 70, "s"),
        ),
        printed={
            "nvtx_pushpop_sum": "84.3,150,2,75.0,75.0,75,75,0.0,dom:a\n15.7,28,1,28.0,28.0,28,28,0.0,in",
            "nvtx_startend_sum": "100.0,128,2,64.0,64.0,64,64,0.0,dom:s",
        },
        error={
            "nvtx_pushpop_trace": "UNIQUE constraint failed",
            "nvtx_gpu_proj_trace": "UNIQUE constraint failed",
            "nvtx_gpu_proj_sum": "UNIQUE constraint failed",
            "nvtx_kern_sum": "UNIQUE constraint failed",
        },
        ours={
            "nvtx_pushpop_sum": "72.8,75,1,75.0,75.0,75,75,0.0,dom:a\n27.2,28,1,28.0,28.0,28,28,0.0,in",
            "nvtx_startend_sum": "100.0,64,1,64.0,64.0,64,64,0.0,dom:s",
            "nvtx_pushpop_trace": "5,80,75,28,47,dom:a,5,1,0,1,3,,:3,dom:a\n12,40,28,0,28,in,5,1,1,0,4,3,:3:4,--in",
            "nvtx_gpu_proj_trace": "dom:a,300,100,5,75,PushPop,5,1,1,0,1,3,,:3\n"
            "dom:s,300,100,6,64,StartEnd,5,1,1,1,1,5,3,:3:5\n"
            "in,300,100,12,28,PushPop,5,1,1,2,0,4,5,:3:5:4",
            "nvtx_gpu_proj_sum": "dom:a,PushPop,100,75,1,100.0,100.0,100,100,0.0,1,1.0,0.0,1.0\n"
            "dom:s,StartEnd,100,64,1,100.0,100.0,100,100,0.0,1,1.0,1.0,1.0\n"
            "in,PushPop,100,28,1,100.0,100.0,100,100,0.0,1,1.0,2.0,0.0",
            "nvtx_kern_sum": "dom:a,PushPop,5,1,1,1,100,100.0,100.0,100,100,0.0,f()\n"
            "dom:s,StartEnd,5,1,1,1,100,100.0,100.0,100,100,0.0,f()\n"
            "in,PushPop,5,1,1,1,100,100.0,100.0,100,100,0.0,f()",
        },
    ),
    "one_creator_twice": MadeUp(
        source(
            (MAIN, CREATE, 7, 0, "", "dom"),
            (MAIN, CREATE, 7, 1, "", "dom"),
            (MAIN, PUSH, 7, 5, 80, "a"),
            (MAIN, PUSH, 0, 12, 40, "in"),
        ),
        printed={
            "nvtx_pushpop_trace": "5,80,75,28,47,dom:a,5,1,0,1,3,,:3,dom:a\n12,40,28,0,28,in,5,1,1,0,4,3,:3:4,--in",
            "nvtx_gpu_proj_trace": "dom:a,300,100,5,75,PushPop,5,1,1,0,1,3,,:3\nin,300,100,12,28,PushPop,5,1,1,1,0,4,3,:3:4",
        },
    ),
    "equal_bounds": MadeUp(
        source(
            (MAIN, PUSH, 0, 10, 50, "a"),
            (MAIN, PUSH, 0, 10, 50, "b"),
            (MAIN, PUSH, 0, 0, 90, "out"),
            (MAIN, PUSH, 0, 12, 40, "in"),
        ),
        printed={
            "nvtx_pushpop_trace": "0,90,90,0,90,out,5,1,0,0,3,,:3,out",
            "nvtx_gpu_proj_trace": "a,300,100,10,40,PushPop,5,1,1,,2,1,,\n"
            "b,300,100,10,40,PushPop,5,1,1,,1,2,,\n"
            "out,300,100,0,90,PushPop,5,1,1,0,0,3,,:3\n"
            "in,300,100,12,28,PushPop,5,1,1,,0,4,,",
            "nvtx_gpu_proj_sum": "a,PushPop,100,40,1,100.0,100.0,100,100,0.0,1,1.0,,2.0\n"
            "b,PushPop,100,40,1,100.0,100.0,100,100,0.0,1,1.0,,1.0\n"
            "in,PushPop,100,28,1,100.0,100.0,100,100,0.0,1,1.0,,0.0\n"
            "out,PushPop,100,90,1,100.0,100.0,100,100,0.0,1,1.0,0.0,0.0",
            "nvtx_kern_sum": "a,PushPop,5,1,1,1,100,100.0,100.0,100,100,0.0,f()\n"
            "b,PushPop,5,1,1,1,100,100.0,100.0,100,100,0.0,f()\n"
            "in,PushPop,5,1,1,1,100,100.0,100.0,100,100,0.0,f()\n"
            "out,PushPop,5,1,1,1,100,100.0,100.0,100,100,0.0,f()",
        },
        ours={
            "nvtx_pushpop_trace": "0,90,90,40,50,out,5,1,0,1,3,,:3,out\n"
            "10,50,40,40,0,a,5,1,1,1,1,3,:3:1,--a\n"
            "10,50,40,28,12,b,5,1,2,1,2,1,:3:1:2,----b\n"
            "12,40,28,0,28,in,5,1,3,0,4,2,:3:1:2:4,------in",
            "nvtx_gpu_proj_trace": "out,300,100,0,90,PushPop,5,1,1,0,1,3,,:3\n"
            "a,300,100,10,40,PushPop,5,1,1,1,1,1,3,:3:1\n"
            "b,300,100,10,40,PushPop,5,1,1,2,1,2,1,:3:1:2\n"
            "in,300,100,12,28,PushPop,5,1,1,3,0,4,2,:3:1:2:4",
            "nvtx_gpu_proj_sum": "a,PushPop,100,40,1,100.0,100.0,100,100,0.0,1,1.0,1.0,1.0\n"
            "b,PushPop,100,40,1,100.0,100.0,100,100,0.0,1,1.0,2.0,1.0\n"
            "in,PushPop,100,28,1,100.0,100.0,100,100,0.0,1,1.0,3.0,0.0\n"
            "out,PushPop,100,90,1,100.0,100.0,100,100,0.0,1,1.0,0.0,1.0",
        },
    ),
    "no_name": MadeUp(
        source(
            (MAIN, CREATE, 7, 0, "", "dom"),
            (MAIN, PUSH, 5, 0, 100, "of_no_domain"),
            (MAIN, PUSH, 0, 10, 50, ""),
            (MAIN, PUSH, 7, 12, 40, ""),
            (MAIN, PUSH, 7, 13, 39, "a"),
        ),
        printed={
            "nvtx_sum": "51.5,100,1,100.0,100.0,100,100,0.0,PushPop,of_no_domain\n"
            "35.1,68,2,34.0,34.0,28,40,8.5,PushPop,\n13.4,26,1,26.0,26.0,26,26,0.0,PushPop,dom:a",
            "nvtx_pushpop_trace": "0,100,100,40,60,of_no_domain,5,1,0,1,2,,:2,of_no_domain\n"
            "10,50,40,28,12,,5,1,1,1,3,2,:2:3,\n"
            "12,40,28,26,2,,5,1,2,1,4,3,:2:3:4,\n"
            "13,39,26,0,26,dom:a,5,1,3,0,5,4,:2:3:4:5,------dom:a",
            "nvtx_gpu_proj_trace": "of_no_domain,300,100,0,100,PushPop,5,1,1,0,1,2,,:2\n"
            ",300,100,10,40,PushPop,5,1,1,1,1,3,2,:2:3\n"
            ",300,100,12,28,PushPop,5,1,1,2,1,4,3,:2:3:4\n"
            "dom:a,300,100,13,26,PushPop,5,1,1,3,0,5,4,:2:3:4:5",
            "nvtx_gpu_proj_sum": "of_no_domain,PushPop,100,100,1,100.0,100.0,100,100,0.0,1,1.0,0.0,1.0\n"
            "dom:a,PushPop,100,26,1,100.0,100.0,100,100,0.0,1,1.0,3.0,0.0",
            "nvtx_kern_sum": ",PushPop,5,1,2,1,200,100.0,100.0,100,100,0.0,f()\n"
            "of_no_domain,PushPop,5,1,1,1,100,100.0,100.0,100,100,0.0,f()\n"
            "dom:a,PushPop,5,1,1,1,100,100.0,100.0,100,100,0.0,f()",
        },
        ours={
            "nvtx_gpu_proj_sum": "of_no_domain,PushPop,100,100,1,100.0,100.0,100,100,0.0,1,1.0,0.0,1.0\n"
            ",PushPop,200,68,2,100.0,100.0,100,100,0.0,2,1.0,1.5,1.0\n"
            "dom:a,PushPop,100,26,1,100.0,100.0,100,100,0.0,1,1.0,3.0,0.0",
        },
    ),
    "styles_in_each_other": MadeUp(
        source(
            (MAIN, PUSH, 0, 0, 90, "out"),
            (MAIN, START, 0, 5, 80, "between"),
            (MAIN, PUSH, 0, 12, 40, "in"),
            (MAIN, START, 0, 11, 60, "handed_over", HELPER),
        ),
        printed={
            "nvtx_startend_sum": "60.5,75,1,75.0,75.0,75,75,0.0,between\n39.5,49,1,49.0,49.0,49,49,0.0,handed_over",
            "nvtx_pushpop_trace": "0,90,90,28,62,out,5,1,0,1,1,,:1,out\n12,40,28,0,28,in,5,1,1,0,3,1,:1:3,--in",
            "nvtx_gpu_proj_trace": "out,300,100,0,90,PushPop,5,1,1,0,1,1,,:1\n"
            "between,300,100,5,75,StartEnd,5,1,1,1,1,2,1,:1:2\n"
            "in,300,100,12,28,PushPop,5,1,1,2,0,3,2,:1:2:3",
        },
    ),
    "no_end": MadeUp(
        source(
            (MAIN, PUSH, 0, 0, 90, "out"),
            (HELPER, PUSH, 0, 10, "", "open"),
            (MAIN, START, 0, 15, 120, "s"),
            (MAIN, MARK, 0, 200, "", "mark"),
            calls=((HELPER, 1, 20, 25),),
        ),
        printed={
            "nvtx_sum": "49.4,190,1,190.0,190.0,190,190,0.0,PushPop,open\n"
            "27.3,105,1,105.0,105.0,105,105,0.0,StartEnd,s\n23.4,90,1,90.0,90.0,90,90,0.0,PushPop,out",
            "nvtx_pushpop_sum": "67.9,190,1,190.0,190.0,190,190,0.0,open\n32.1,90,1,90.0,90.0,90,90,0.0,out",
            "nvtx_pushpop_trace": "0,90,90,0,90,out,5,1,0,0,1,,:1,out\n10,90,80,0,80,open,5,2,0,0,2,,:2,open",
            "nvtx_gpu_proj_trace": "open,300,100,10,110,PushPop,5,2,1,0,0,2,,:2",
        },
    ),
    "outside": MadeUp(
        source(
            (MAIN, PUSH, 0, 0, 30, "in"),
            calls=((MAIN, 1, 20, 25), (HELPER, 2, 11, 21), (OTHER, 2, 12, 22)),
            kernels=((PROCESS, 1, 300, 400), (PROCESS, 2, 100, 900), (OTHER_PROCESS, 2, 200, 500)),
        ),
        printed={
            "nvtx_gpu_proj_trace": "in,300,100,0,30,PushPop,5,1,1,0,0,1,,:1\n,100,800,,,,5,2,1,,0,,,",
            "nvtx_gpu_proj_sum": "in,PushPop,100,30,1,100.0,100.0,100,100,0.0,1,1.0,0.0,0.0",
        },
        ours={"nvtx_gpu_proj_trace": "in,300,100,0,30,PushPop,5,1,1,0,0,1,,:1\n,100,800,,,,5,2,2,,0,,,"},
    ),
}
