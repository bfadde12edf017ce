"""cuda_api_gpu_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check


def test_calls_beside_work() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "_api_rows": "report_id,call_id,raw_name,dur_ns\n1,1,cudaLaunchKernel_v7000,10\n1,2,cudaLaunchKernel_v3020,20\n1,3,cuInit_v2,10\n2,1,cuInit_v2,7",
            "kernels": "report_id,op_id,name,dur_ns\n1,8,f(int),50",
            "memcpys": "report_id,op_id,label,dur_ns\n1,9,Device-to-Host,8",
            "memsets": "report_id,op_id,dur_ns\n1,10,2",
        },
        query="""SELECT report_id, time_percent, total_ns, instances, mean_ns, stddev_ns, category, name FROM cuda_api_gpu_sum
            ORDER BY report_id, total_ns DESC""",
        expect="""report_id,time_percent,total_ns,instances,mean_ns,stddev_ns,category,name
            1,50.0,50,1,50.0,0.0,CUDA_KERNEL,f(int)
            1,30.0,30,2,15.0,7.1,CUDA_API,cudaLaunchKernel
            1,10.0,10,1,10.0,0.0,CUDA_API,cuInit_v2
            1,8.0,8,1,8.0,0.0,MEMORY_OPER,[CUDA memcpy Device-to-Host]
            1,2.0,2,1,2.0,0.0,MEMORY_OPER,[CUDA memset]
            2,100.0,7,1,7.0,0.0,CUDA_API,cuInit_v2""",
    )
