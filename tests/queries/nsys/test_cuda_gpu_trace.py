"""cuda_gpu_trace on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

import pytest

from tests.blueprint import check

OPS = "report_id,op_id,process_id,device_id,context_id,green_context_id,stream_id,start_ns,dur_ns,correlation_id"
NOTHING = {"kernels": OPS, "memcpys": OPS, "memsets": OPS}
GPUS = {
    "process_gpus": "report_id,process_id,device_id,gpu_id\n1,5,0,1\n1,6,0,0\n1,7,0,2",
    "gpus": "report_id,gpu_id,name\n1,0,A100\n1,1,H200\n1,2,",
}


def test_every_kind_of_work() -> None:
    columns = "start_ns,dur_ns,correlation_id,grid_x,block_z,registers_per_thread,static_shared_bytes,dynamic_shared_bytes,size_bytes,throughput_bytes_per_s,src_kind,dst_kind,device,context_id,green_context_id,stream_id,name"
    check(
        rows=GPUS
        | {
            "kernels": f"{OPS},grid_x,block_z,registers_per_thread,static_shared_bytes,dynamic_shared_bytes,name\n1,8,5,0,1,,7,10,5,3,16,2,32,48,0,f()",
            "memcpys": f"{OPS},size_bytes,src_kind,dst_kind,label\n1,9,6,0,1,4,13,20,1000,4,500,pageable,device_static,Host-to-Device\n1,17,5,0,,,,30,1000,,4096,unknown,unknown,Unified Host-to-Device",
            "memsets": f"{OPS},size_bytes,memory_kind\n1,10,7,0,1,,7,40,10,5,8,managed",
        },
        query=f"SELECT {columns} FROM cuda_gpu_trace ORDER BY start_ns",
        expect=f"""{columns}
            10,5,3,16,2,32,48,0,,,,,H200 (0),1,,7,f()
            20,1000,4,,,,,,500,500000000.0,Pageable,Device Static,A100 (0),1,4,13,[CUDA memcpy Host-to-Device]
            30,1000,0,,,,,,4096,4096000000.0,Unknown,Unknown,H200 (0),,,,[CUDA memcpy Unified Host-to-Device]
            40,10,5,,,,,,8,800000000.0,Managed,,(0),1,,7,[CUDA memset]""",
    )


@pytest.mark.parametrize(
    ("dur_ns", "as_printed", "exact"),
    [
        (3, "333333333000.0", "333333333333.3333"),
        (500_000_001, "1000.0", "1999.999996000000"),
        (1_000_000_000, "1000.0", "1000.0"),
        (1_000_000_001, "0.0", "999.999999000"),
        (0, "", ""),
    ],
)
def test_throughput_of_1000_bytes(dur_ns: int, as_printed: str, exact: str) -> None:
    check(
        rows=NOTHING | GPUS | {"memsets": f"{OPS},size_bytes\n1,10,5,0,1,,7,40,{dur_ns},5,1000"},
        query=f"""SELECT throughput_bytes_per_s, abs(exact_bytes_per_s - {exact or "NULL"}) < 0.001 AS is_exact FROM cuda_gpu_trace""",
        expect=f"throughput_bytes_per_s,is_exact\n{as_printed},{True if exact else ''}",
    )


def test_a_copy_of_an_unknown_direction_has_no_name() -> None:
    check(
        rows=NOTHING | GPUS | {"memcpys": f"{OPS},size_bytes,src_kind\n1,9,5,0,1,,7,40,10,5,1000,"},
        query="SELECT size_bytes, src_kind, name FROM cuda_gpu_trace",
        expect="size_bytes,src_kind,name\n1000,,",
    )
