"""nvtx_domains: one row however many threads created a domain."""

from __future__ import annotations

from nsysql.database import Database

from tests.blueprint import check


def test_two_threads_create_one_domain() -> None:
    process, other = 1 << 48 | 5 << 24, 1 << 48 | 6 << 24
    check(
        rows={
            "raw.NVTX_EVENTS": "report_id,_rowid,globalTid,eventType,domainId,start,text\n"
            f"1,1,{process + 6},75,1,20,late\n1,2,{process + 7},75,1,10,early\n1,3,{process + 7},75,2,30,NCCL\n1,4,{other + 1},75,1,5,other\n1,5,{other + 1},59,1,6,range"
        },
        query="SELECT process_id, domain_id, domain, is_library, created_ns, create_count FROM nvtx_domains ORDER BY ALL",
        expect=f"process_id,domain_id,domain,is_library,created_ns,create_count\n{process},1,early,False,10,2\n{process},2,NCCL,True,30,1\n{other},1,other,False,5,1",
    )


def test_a_real_file(db: Database) -> None:
    rows = db.sql(
        "SELECT domain, is_library, create_count FROM nvtx_domains JOIN reports r USING (report_id) WHERE r.name = 'nvtx_edges' AND create_count > 1"
    ).fetchall()
    assert ("twice", False, 2) in rows
