"""um_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check

MOVES = "report_id,op_id,is_migration,direction,virtual_address,size_bytes,dur_ns\n"
FAULTS = "report_id,fault_id,side,address,fault_count\n"
COLUMNS = "report_id,address,htod_bytes,dtoh_bytes,cpu_fault_count,gpu_fault_count,throughput_bytes_per_s"


def test_faults_and_migrations_meet_by_address() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "memcpys": MOVES
            + "1,1,true,HtoD,4096,100,200\n1,2,true,HtoD,4096,20,100\n1,3,true,DtoH,4096,30,100\n1,4,true,DtoH,8192,7,1000\n"
            + "1,5,true,DtoD,8192,9,10\n1,6,false,HtoD,,99,10\n2,1,true,HtoD,4096,1,1",
            "um_faults": FAULTS
            + "1,2,cpu,4096,1\n1,4,cpu,4096,1\n1,3,gpu,4096,5\n1,5,gpu,12288,2\n1,7,gpu,12288,3\n1,6,cpu,16384,1",
        },
        query=f"SELECT {COLUMNS} FROM um_sum ORDER BY report_id, address",
        # 150 bytes by 10^9 // 400
        expect=f"""{COLUMNS}
            1,4096,120,30,2,5,375000000.0
            1,8192,,7,,,7000000.0
            1,12288,,,,5,
            1,16384,,,1,,
            2,4096,1,,,,1000000000.0""",
    )


def test_the_printed_throughput_is_too_low() -> None:
    check(
        rows={"memcpys": MOVES + "1,1,true,HtoD,4096,3000,600000000", "um_faults": FAULTS},
        query="SELECT throughput_bytes_per_s, exact_bytes_per_s FROM um_sum",
        expect="throughput_bytes_per_s,exact_bytes_per_s\n3000.0,5000.0",
    )
