"""cuda_gpu_mem_time_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check


def test_copies_by_label_and_memsets() -> None:
    check(
        rows={
            "memcpys": "report_id,op_id,label,dur_ns\n1,9,Host-to-Device,10\n1,17,Unified Host-to-Device,20\n1,25,Host-to-Device,13\n1,33,,99",
            "memsets": "report_id,op_id,dur_ns\n1,10,57",
        },
        query="SELECT time_percent, total_ns, op_count, mean_ns, median_ns, min_ns, max_ns, stddev_ns, operation FROM cuda_gpu_mem_time_sum ORDER BY total_ns DESC",
        expect="""time_percent,total_ns,op_count,mean_ns,median_ns,min_ns,max_ns,stddev_ns,operation
            57.0,57,1,57.0,57.0,57,57,0.0,[CUDA memset]
            23.0,23,2,11.5,11.5,10,13,2.1,[CUDA memcpy Host-to-Device]
            20.0,20,1,20.0,20.0,20,20,0.0,[CUDA memcpy Unified Host-to-Device]""",
    )
