"""cuda_gpu_kern_gb_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

import pytest
from nsysql.database import Database

from tests.blueprint import check

KERNELS = "report_id,op_id,name,grid_x,grid_y,grid_z,block_x,block_y,block_z,dur_ns\n"


def test_a_name_has_a_row_for_each_size() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "kernels": KERNELS
            + "1,8,f(),16384,1,1,128,1,1,10\n1,16,f(),16384,1,1,128,1,1,20\n1,24,f(),1,528,1,128,1,1,60\n1,32,g(),1,528,1,128,1,1,10\n2,8,f(),1,1,1,1,1,1,3"
        },
        query="""SELECT report_id, time_percent, total_ns, instances, '<' || grid_xyz || '>' AS grid, '<' || block_xyz || '>' AS block, name
            FROM cuda_gpu_kern_gb_sum ORDER BY report_id, total_ns DESC""",
        expect="""report_id,time_percent,total_ns,instances,grid,block,name
            1,60.0,60,1,<   1  528    1>,< 128    1    1>,f()
            1,30.0,30,2,<16384    1    1>,< 128    1    1>,f()
            1,10.0,10,1,<   1  528    1>,< 128    1    1>,g()
            2,100.0,3,1,<   1    1    1>,<   1    1    1>,f()""",
    )


@pytest.mark.parametrize("form", ["demangled", "base", "mangled"])
def test_sizes_divide_the_rows_of_the_sum(db: Database, form: str) -> None:
    sums = "report_id, name, sum(total_ns), sum(instances)"
    found, want = (
        db.sql(f"SELECT {sums} FROM {view}(name_form := '{form}') GROUP BY ALL ORDER BY ALL").fetchall()
        for view in ("cuda_gpu_kern_gb_sum", "cuda_gpu_kern_sum")
    )
    assert found == want and want
