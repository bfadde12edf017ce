"""cuda_gpu_kern_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check


def test_gpus_and_processes_together() -> None:
    check(
        rows={
            "kernels": "report_id,op_id,process_id,gpu_id,name,dur_ns\n1,8,5,0,f(int),10\n1,16,6,1,f(int),11\n1,24,5,0,g(),63\n2,8,5,0,g(),1"
        },
        reports="report_id\n1\n2",
        query="SELECT report_id, time_percent, total_ns, instances, mean_ns, median_ns, min_ns, max_ns, stddev_ns, name FROM cuda_gpu_kern_sum ORDER BY report_id, total_ns DESC",
        expect="""report_id,time_percent,total_ns,instances,mean_ns,median_ns,min_ns,max_ns,stddev_ns,name
            1,75.0,63,1,63.0,63.0,63,63,0.0,g()
            1,25.0,21,2,10.5,10.5,10,11,0.7,f(int)
            2,100.0,1,1,1.0,1.0,1,1,0.0,g()""",
    )
