"""syscalls: the rows of the table, by hand; no recording has any."""

from __future__ import annotations

from tests.blueprint import check


def test_rows_with_their_names() -> None:
    check(
        rows={
            "raw.SYSCALL": f"report_id,_rowid,start,end,eventClass,globalTid,nameId\n1,3,10,25,107,{5 << 24 | 6},0\n2,3,1,2,107,7,9",
            "raw.StringIds": "report_id,id,value\n1,0,futex",
        },
        query="SELECT report_id, call_id, name, process_id, thread_id, start_ns, end_ns, dur_ns FROM syscalls ORDER BY ALL",
        expect="report_id,call_id,name,process_id,thread_id,start_ns,end_ns,dur_ns\n"
        f"1,3,futex,{5 << 24},{5 << 24 | 6},10,25,15\n2,3,,0,7,1,2,1",
    )
