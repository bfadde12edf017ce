"""cuda_kern_exec_trace on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

import nsysql

from tests.blueprint import check

KERNELS = "report_id,op_id,process_id,device_id,correlation_id,start_ns,end_ns,dur_ns,grid_x,grid_y,grid_z,block_x,block_y,block_z,name\n"
CALLS = "report_id,call_id,process_id,pid,tid,correlation_id,raw_name,start_ns,end_ns,dur_ns\n"
COLUMNS = "api_start_ns,api_ns,queue_start_ns,queue_ns,kernel_start_ns,kernel_ns,total_ns,pid,tid,device_id,api_name"


def test_phases_of_a_launch() -> None:
    check(
        rows={
            "_api_rows": CALLS
            + "1,1,5,50,51,7,f_v7000,10,20,10\n1,2,5,50,52,8,f_v7000,30,50,20\n1,3,5,50,51,9,f_v7000,60,70,10",
            "kernels": KERNELS
            + "1,8,5,0,7,25,40,15,2,3,4,5,6,7,k()\n1,16,5,1,8,45,48,3,1,1,1,1,1,1,k()\n1,24,5,0,9,70,75,5,1,1,1,1,1,1,k()",
        },
        query=f"SELECT {COLUMNS} FROM cuda_kern_exec_trace ORDER BY api_start_ns",
        # queued for 5; begun inside the call and over before its end; begun as the call returned
        expect=f"{COLUMNS}\n10,10,20,5,25,15,30,50,51,0,f\n30,20,,,45,3,20,50,52,1,f\n60,10,70,0,70,5,15,50,51,0,f",
    )


def test_sizes_and_names() -> None:
    check(
        rows={
            "_api_rows": CALLS + "1,1,5,50,51,7,f_v7000,10,20,10",
            "kernels": KERNELS + "1,8,5,0,7,25,40,15,16384,30,4,512,6,7,k()",
        },
        query="SELECT '<' || grid_xyz || '>' AS grid, '<' || block_xyz || '>' AS block, kernel_name FROM cuda_kern_exec_trace",
        expect="grid,block,kernel_name\n<16384   30    4>,< 512    6    7>,k()",
    )


def test_what_pairs() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "_api_rows": CALLS
            + "1,1,5,50,51,7,f,10,20,10\n1,2,6,60,61,7,g,10,20,10\n1,3,5,50,51,8,h,1,2,1\n1,4,5,50,51,8,i,1,2,1",
            "kernels": KERNELS
            + "1,8,6,1,7,25,40,15,1,1,1,1,1,1,k()\n1,16,5,0,8,25,40,15,1,1,1,1,1,1,k()\n1,24,5,0,9,25,40,15,1,1,1,1,1,1,k()\n2,8,5,0,7,25,40,15,1,1,1,1,1,1,k()",
        },
        query="SELECT report_id, op_id, call_id, api_name FROM cuda_kern_exec_trace ORDER BY ALL",
        expect="report_id,op_id,call_id,api_name\n1,8,2,g\n1,16,3,h\n1,16,4,i",
    )


def test_the_sum_is_over_these_rows(db: nsysql.Database) -> None:
    key = "report_id, pid, tid, device_id, api_name, kernel_name"
    query = f"SELECT {key}, count(*), count(queue_ns), max(total_ns) FROM cuda_kern_exec_trace GROUP BY ALL ORDER BY ALL"
    sums = f"SELECT {key}, launch_count, queued_count, total_max_ns FROM cuda_kern_exec_sum ORDER BY ALL"
    assert db.sql(query).fetchall() == db.sql(sums).fetchall() != []
