"""cuda_gpu_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check


def test_kernels_and_memory_by_name() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "kernels": "report_id,op_id,process_id,name,short_name,dur_ns\n1,8,5,f(int),f,10\n1,16,6,f(int),f,30\n1,24,5,f(long),f,5\n2,8,5,f(int),f,1",
            "memcpys": "report_id,op_id,label,dur_ns\n1,9,Host-to-Device,40\n1,17,,99",
            "memsets": "report_id,op_id,dur_ns\n1,10,15",
        },
        query="""SELECT report_id, time_percent, total_ns, instances, mean_ns, median_ns, min_ns, max_ns, stddev_ns, category, name
            FROM cuda_gpu_sum ORDER BY report_id, total_ns DESC, category""",
        expect="""report_id,time_percent,total_ns,instances,mean_ns,median_ns,min_ns,max_ns,stddev_ns,category,name
            1,40.0,40,2,20.0,20.0,10,30,14.1,CUDA_KERNEL,f(int)
            1,40.0,40,1,40.0,40.0,40,40,0.0,MEMORY_OPER,[CUDA memcpy Host-to-Device]
            1,15.0,15,1,15.0,15.0,15,15,0.0,MEMORY_OPER,[CUDA memset]
            1,5.0,5,1,5.0,5.0,5,5,0.0,CUDA_KERNEL,f(long)
            2,100.0,1,1,1.0,1.0,1,1,0.0,CUDA_KERNEL,f(int)""",
    )


def test_short_names() -> None:
    check(
        rows={
            "kernels": "report_id,op_id,process_id,name,short_name,dur_ns\n1,8,5,f(int),f,10\n1,24,5,f(long),f,5",
            "memcpys": "report_id,op_id",
            "memsets": "report_id,op_id",
        },
        query="SELECT total_ns, instances, name FROM cuda_gpu_sum (name_form := 'base')",
        expect="total_ns,instances,name\n15,2,f",
    )
