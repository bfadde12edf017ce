"""processes: the parts of a global process id."""

from __future__ import annotations

import nsysql

from tests.blueprint import check


def test_parts_of_the_id() -> None:
    process = 3 << 56 | 2 << 48 | 77 << 24
    negative = (200 << 56) - (1 << 64) | 5 << 24
    check(
        rows={
            "raw.PROCESSES": f"report_id,globalPid,name\n1,{process},trainer\n1,{process},trainer",
            "raw.ThreadNames": f"report_id,globalTid\n1,{process + 80}\n1,{negative + 6}",
            "process_gpus": "report_id,process_id",
        },
        query="SELECT process_id, pid, vm_id, hw_id, name FROM processes ORDER BY pid",
        expect=f"process_id,pid,vm_id,hw_id,name\n{negative},5,0,200,\n{process},77,2,3,trainer",
    )


def test_a_process_that_only_an_event_mentions() -> None:
    check(
        rows={
            "raw.NVTX_EVENTS": f"report_id,globalTid\n1,{7 << 24 | 9}\n1,",
            "raw.OPENMP_EVENT_KIND_TASK": f"report_id,globalTid\n1,{8 << 24 | 8}",
            "raw.SYSCALL": f"report_id,globalTid\n2,{7 << 24 | 3}",
        },
        query="SELECT report_id, pid, name FROM processes ORDER BY ALL",
        expect="report_id,pid,name\n1,7,\n1,8,\n2,7,",
        reports="report_id\n1\n2",
    )


def test_names_are_file_names_whole(db: nsysql.Database) -> None:
    names = {name for (name,) in db.sql("SELECT DISTINCT name FROM processes WHERE name IS NOT NULL").fetchall()}
    assert {"python3", "demo", "pipeline"} <= names  # recorded as ./demo and ./pipeline
    assert not {n for n in names if "/" in n or n.startswith(".")}
