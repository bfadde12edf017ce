"""cuda_kern_exec_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from nsysql.catalog import load_catalog

from tests.blueprint import check

KERNELS = "report_id,op_id,process_id,device_id,correlation_id,start_ns,end_ns,dur_ns,name\n"
CALLS = "report_id,call_id,process_id,pid,tid,correlation_id,raw_name,start_ns,end_ns,dur_ns\n"


def test_phases_of_launches() -> None:
    columns = (
        "launch_count, queued_count, total_mean_ns, api_mean_ns, queue_mean_ns, queue_min_ns, queue_stddev_ns, kernel_mean_ns"
    )
    check(
        rows={
            "_api_rows": CALLS
            + "1,1,5,50,51,7,f_v7000,10,20,10\n1,2,5,50,51,8,f_v7000,30,50,20\n1,3,5,50,51,9,f_v7000,60,61,1",
            "kernels": KERNELS + "1,8,5,0,7,25,40,15,k()\n1,16,5,0,8,45,48,3,k()\n1,24,5,0,9,61,70,9,k()",
        },
        query=f"SELECT {columns}, api_name, kernel_name FROM cuda_kern_exec_sum",
        # total 30, 20, 10; queue 5, none since the kernel starts inside the call, 0
        expect=f"{columns.replace(' ', '')},api_name,kernel_name\n3,2,20.0,10.3,2.5,0,3.5,9.0,f,k()",
    )


def test_no_queue_is_null_with_a_deviation_of_0() -> None:
    columns = "queued_count, queue_mean_ns, queue_median_ns, queue_min_ns, queue_max_ns, queue_stddev_ns"
    check(
        rows={"_api_rows": CALLS + "1,1,5,50,51,7,f,10,20,10", "kernels": KERNELS + "1,8,5,0,7,15,40,25,k()"},
        query=f"SELECT {columns} FROM cuda_kern_exec_sum",
        expect=f"{columns.replace(' ', '')}\n0,,,,,0.0",
    )


def test_what_pairs() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "_api_rows": CALLS
            + "1,1,5,50,51,7,f,10,20,10\n1,2,6,60,61,7,g,10,20,10\n1,3,5,50,51,8,h,1,2,1\n1,4,5,50,51,8,hh,1,2,1\n1,5,5,50,51,,f,1,2,1",
            "kernels": KERNELS
            + "1,8,6,1,7,25,40,15,k()\n1,16,5,0,8,25,40,15,k()\n1,24,5,0,,25,40,15,k()\n1,32,5,0,99,25,40,15,k()\n2,8,5,0,7,25,40,15,k()",
        },
        query="SELECT report_id, pid, tid, device_id, launch_count, api_name FROM cuda_kern_exec_sum ORDER BY ALL",
        expect="report_id,pid,tid,device_id,launch_count,api_name\n1,50,51,0,1,h\n1,50,51,0,1,hh\n1,60,61,1,1,g",
    )


def test_kernels_of_a_graph_share_their_call() -> None:
    check(
        rows={
            "_api_rows": CALLS + "1,1,5,50,51,7,cudaGraphLaunch_v10000,10,20,10",
            "kernels": KERNELS + "1,8,5,0,7,25,30,5,k()\n1,16,5,0,7,40,42,2,k()",
        },
        query="SELECT launch_count, queue_min_ns, queue_max_ns, total_max_ns, api_name FROM cuda_kern_exec_sum",
        expect="launch_count,queue_min_ns,queue_max_ns,total_max_ns,api_name\n2,5,20,32,cudaGraphLaunch_v10000",
    )


def test_what_is_left_out_is_counted() -> None:
    (beware,) = load_catalog().views["cuda_kern_exec_sum"].bewares
    check(
        rows={
            "_api_rows": "report_id,call_id,process_id,correlation_id,api\n1,1,5,7,runtime\n1,2,5,8,backtrace\n1,3,6,9,runtime",
            # 8 and 16 have a row, if only that of a backtrace; 24 is of another process than the call; 32 bears no number
            "_kernel_ops": "report_id,op_id,process_id,correlation_id\n1,8,5,7\n1,16,5,8\n1,24,5,9\n1,32,5,\n2,8,5,7",
        },
        query=f"FROM ( {beware} ) AS left_out (report_id, message) ORDER BY report_id",
        expect="report_id,message\n1,2 kernels without a recorded call are left out\n2,1 kernels without a recorded call are left out",
    )
