"""nvtx_marks: points in time, never ranges."""

from __future__ import annotations

from nsysql.database import Database

from tests.blueprint import check


def test_marks_and_imported_marks() -> None:
    check(
        rows={
            "raw.NVTX_EVENTS": "report_id,_rowid,globalTid,eventType,domainId,start,end,text,textId\n1,1,7,34,0,20,,loss,\n1,2,7,65,0,30,,,0\n1,3,7,59,0,40,50,range,",
            "raw.StringIds": "report_id,id,value\n1,0,registered",
        },
        query="SELECT mark_id, name, start_ns, is_imported FROM nvtx_marks ORDER BY mark_id",
        expect="mark_id,name,start_ns,is_imported\n1,loss,20,False\n2,registered,30,True",
    )


def test_real_files(db: Database) -> None:
    counts = dict(db.sql("SELECT r.name, count(*) FROM nvtx_marks JOIN reports r USING (report_id) GROUP BY ALL").fetchall())
    assert counts == {"train_bad": 50, "nvtx_osrt": 3, "nvtx_edges": 34, "nvtx_coarse": 34}
