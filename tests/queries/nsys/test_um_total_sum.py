"""um_total_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check

MOVES = "report_id,op_id,is_migration,direction,virtual_address,size_bytes,dur_ns\n"
FAULTS = "report_id,fault_id,side,address,fault_count\n"
COLUMNS = "report_id,htod_bytes,dtoh_bytes,cpu_fault_count,gpu_fault_count,min_address,max_address"


def test_totals() -> None:
    check(
        reports="report_id\n1\n2\n3",
        rows={
            "memcpys": MOVES
            + "1,1,true,HtoD,4096,100,200\n1,2,true,HtoD,8192,20,100\n1,3,true,DtoH,4096,30,100\n1,4,true,DtoD,99,9,10\n"
            + "1,5,false,HtoD,,99,10\n2,1,true,HtoD,4096,1,1\n3,1,false,HtoD,,99,10",
            "um_faults": FAULTS + "1,2,cpu,18446744073709547520,1\n1,4,cpu,5000,1\n1,3,gpu,5000,5\n1,5,gpu,12288,2",
        },
        query=f"SELECT {COLUMNS} FROM um_total_sum ORDER BY report_id",
        expect=f"{COLUMNS}\n1,120,30,2,7,4096,18446744073709547520\n2,1,,,,4096,4096",
    )
