"""coverage: findings by hand, and counts that a loop over the source gives too."""

from __future__ import annotations

from pathlib import Path

import pytest
from nsysql.database import Database

from tests.blueprint import check
from tests.brute import OP_TABLES, rows_of
from tests.conftest import EXPORTS


def test_every_topic() -> None:
    check(
        reports="report_id,name\n1,x",
        rows={
            "_captures": "report_id,duration_ns,start_ns,end_ns\n1,1000,0,1000",
            "trace_states": "report_id,source,state,row_count,trace_option\n1,kernels,recorded,2,--trace=cuda\n1,osrt_calls,not_traced,0,--trace=osrt",
            "absent": "report_id,table_name,column_name,state,row_count\n1,WDDM,,not_loaded,7\n1,KERNEL,x,absent,0",
            "api_ops": "report_id,op_id,call_id,match,reason\n1,8,1,matched,\n1,16,,op_without_call,call_not_recorded\n1,,2,call_without_op,op_missing\n1,,3,call_without_op,launches_nothing",
            "gpu_ops": "report_id,op_id,kind\n1,8,kernel\n1,16,kernel",
            "_unplaced_ops": "report_id,kind,op_count\n1,memcpy,4",
            "api_calls": "report_id,call_id,name\n1,1,cudaLaunchKernel\n1,2,cudaLaunchKernel\n1,3,cudaMalloc",
            "diagnostics": "report_id,diagnostic_id,severity,text\n1,1,warning,dropped\n1,2,info,fine",
            "overheads": "report_id,overhead_id,kind,is_profiler_cost,thread_id,start_ns,end_ns\n1,1,resource,true,7,0,100\n1,2,buffer_flush,true,7,50,120\n1,3,module_load,false,7,200,300",
        },
        query="SELECT topic, item, state, row_count, dur_ns, dur_ratio, advice FROM coverage ORDER BY ALL",
        expect="""topic,item,state,row_count,dur_ns,dur_ratio,advice
            calls,cudaLaunchKernel,op_missing,1,,,
            diagnostics,dropped,warning,1,,,
            gpu_work,kernel,call_not_recorded,1,,,
            gpu_work,kernel,matched,1,,,
            gpu_work,memcpy,not_placed,4,,,
            not_loaded,WDDM,not_loaded,7,,,
            overhead,any,profiler_cost,2,120,0.12,
            overhead,buffer_flush,profiler_cost,1,70,0.07,
            overhead,resource,profiler_cost,1,100,0.1,
            traced,kernels,recorded,2,,,
            traced,osrt_calls,not_traced,0,,,nsys profile --trace=osrt""",
    )


@pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)
def test_every_operation_is_in_it_once(db: Database, export: Path) -> None:
    report = db.report_ids([export.stem])[0]
    query = f"SELECT coalesce(sum(row_count), 0) FROM coverage WHERE report_id = {report} AND topic = 'gpu_work'"
    assert db.sql(query).fetchall() == [(sum(len(rows_of(export, f"CUPTI_ACTIVITY_KIND_{t}")) for t in OP_TABLES),)]
