"""cuda_gpu_mem_size_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check


def test_megabytes_are_millions_and_not_rounded() -> None:
    check(
        rows={
            "memcpys": "report_id,op_id,label,size_bytes\n1,9,Device-to-Host,1000000\n1,17,Device-to-Host,2000004\n1,33,,99",
            "memsets": "report_id,op_id,size_bytes\n1,10,4",
        },
        query="SELECT total_mb, op_count, mean_mb, median_mb, min_mb, max_mb, round(stddev_mb, 9) AS s, operation FROM cuda_gpu_mem_size_sum ORDER BY total_mb DESC",
        expect="""total_mb,op_count,mean_mb,median_mb,min_mb,max_mb,s,operation
            3.000004,2,1.500002,1.500002,1.0,2.000004,0.70710961,[CUDA memcpy Device-to-Host]
            4e-06,1,4e-06,4e-06,4e-06,4e-06,0.0,[CUDA memset]""",
    )
