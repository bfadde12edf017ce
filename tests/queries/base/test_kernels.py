"""kernels: names, sentinels, identity."""

from __future__ import annotations

import nsysql

from tests.blueprint import check

KERNELS = "raw.CUPTI_ACTIVITY_KIND_KERNEL"


def test_names_and_times() -> None:
    check(
        rows={
            KERNELS: "report_id,_rowid,globalPid,deviceId,start,end,demangledName,shortName,mangledName,correlationId\n1,3,9,0,10,25,1,0,,77",
            "raw.StringIds": "report_id,id,value\n1,0,f\n1,1,f(int)\n2,0,other",
        },
        query="SELECT op_id, gpu_id, dur_ns, name, short_name, mangled_name, correlation_id FROM kernels",
        expect="op_id,gpu_id,dur_ns,name,short_name,mangled_name,correlation_id\n24,0,15,f(int),f,,77",
    )


def test_sentinels_become_null() -> None:
    check(
        rows={
            KERNELS: "report_id,_rowid,globalPid,deviceId,start,end,greenContextId,correlationId,clusterX,clusterY,clusterZ\n1,1,9,0,1,2,0,0,0,0,0"
        },
        query="SELECT green_context_id, correlation_id, cluster_x, name FROM kernels",
        expect="green_context_id,correlation_id,cluster_x,name\n,,,",
    )


def test_missing_full_name_falls_back_to_the_short_one() -> None:
    check(
        rows={
            KERNELS: "report_id,_rowid,globalPid,deviceId,start,end,demangledName,shortName\n1,1,9,0,1,2,99,0",
            "raw.StringIds": "report_id,id,value\n1,0,f",
        },
        query="SELECT name, short_name FROM kernels",
        expect="name,short_name\nf,f",
    )


def test_kernels_as_operations_are_the_same_kernels(db: nsysql.Database) -> None:
    """_kernel_ops reads the table once more, for the views that need no full names."""
    schema = db.catalog.schema
    columns = ", ".join(c.name for c in db.catalog.views["_kernel_ops"].columns)
    full, lean = f"SELECT {columns} FROM kernels", f"SELECT {columns} FROM {schema}._kernel_ops"
    assert db.sql("SELECT count(*) FROM kernels").fetchall()[0][0] > 0
    assert db.sql(f"({full} EXCEPT ALL {lean}) UNION ALL ({lean} EXCEPT ALL {full})").fetchall() == []
