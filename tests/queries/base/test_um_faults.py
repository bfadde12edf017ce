"""um_faults: both tables in one relation."""

from __future__ import annotations

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

COLUMNS = "fault_id,side,device_id,start_ns,end_ns,dur_ns,address,fault_count,access,instruction,module,source_file,source_line"


def test_cpu_and_gpu() -> None:
    check(
        rows={
            "raw.CUDA_UM_CPU_PAGE_FAULT_EVENTS": "report_id,_rowid,start,globalPid,address,CpuInstruction,module,sourceFile,sourceLine\n1,1,10,9,-1,0,1,2,33\n1,2,11,9,4096,0,1,,",
            "raw.CUDA_UM_GPU_PAGE_FAULT_EVENTS": "report_id,_rowid,start,end,globalPid,deviceId,address,numberOfPageFaults,faultAccessType\n1,1,20,25,9,0,4096,4,2\n1,2,20,25,9,0,4096,1,0",
            "raw.StringIds": "report_id,id,value\n1,0,memset\n1,1,libc.so\n1,2,main.c\n2,0,other",
        },
        query=f"SELECT {COLUMNS} FROM um_faults ORDER BY fault_id",
        expect=f"""{COLUMNS}
            2,cpu,,10,,,{2**64 - 1},1,,memset,libc.so,main.c,33
            3,gpu,0,20,25,5,4096,4,write,,,,
            4,cpu,,11,,,4096,1,,memset,libc.so,,
            5,gpu,0,20,25,5,4096,1,,,,,""",
    )


@each_export("um_faults")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    cpu = [
        ("cpu", f["start"], f["address"], 1, texts[f["CpuInstruction"]])
        for f in rows_of(traced.export, "CUDA_UM_CPU_PAGE_FAULT_EVENTS")
    ]
    gpu = [
        ("gpu", f["start"], f["address"], f["numberOfPageFaults"], None)
        for f in rows_of(traced.export, "CUDA_UM_GPU_PAGE_FAULT_EVENTS")
    ]
    rows = traced.rows("um_faults", "side, start_ns, address, fault_count, instruction")
    assert rows == sorted(cpu) + sorted(gpu)
