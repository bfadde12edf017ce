"""The names of kernels in NVIDIA's reports, by hand; against what its tool prints see test_live."""

from __future__ import annotations

import nsysql
import pytest
from nsysql.errors import UsageError

from tests.blueprint import check

P = 1 << 48 | 5 << 24
T = P + 1
NAMES = "report_id,id,value\n1,0,f<int>(int)\n1,1,f\n1,2,_Z1fi"
KERNELS = "report_id,_rowid,globalPid,deviceId,correlationId,start,end,demangledName,shortName,mangledName\n"


@pytest.mark.parametrize(
    ("form", "expect"),
    [
        ("demangled", "1,f<int>(int)\n2,f<int>(int)\n3,f"),
        ("base", "1,f\n2,f<int>(int)\n3,f"),
        ("mangled", "1,_Z1fi\n2,f<int>(int)\n3,f"),
    ],
)
def test_a_form_that_was_not_recorded_is_the_full_name(form: str, expect: str) -> None:
    check(
        rows={
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": KERNELS + f"1,1,{P},0,7,0,9,0,1,2\n1,2,{P},0,8,0,9,0,,\n1,3,{P},0,9,0,9,,1,",
            "raw.StringIds": NAMES,
        },
        query=f"SELECT op_id // 8 AS row, name FROM _named_kernels (name_form := '{form}') ORDER BY ALL",
        expect=f"row,name\n{expect}",
    )


RANGES = "report_id,_rowid,globalTid,eventType,domainId,start,end,text\n"


@pytest.mark.parametrize(
    ("ranges", "expect"),
    [
        pytest.param(f"1,1,{T},59,0,0,100,outer\n1,2,{T},59,0,5,50,inner", "inner/f<int>(int)", id="nested"),
        pytest.param(f"1,1,{T},59,0,5,90,mine\n1,2,{T},59,3,0,50,library", "mine/f<int>(int)", id="no domain is named"),
        pytest.param(
            f"1,1,{T},59,0,0,40,short\n1,2,{T},60,0,5,900,late", "late/f<int>(int)", id="the last to start, not the shortest"
        ),
        pytest.param(f"1,1,{T},59,0,0,40,named\n1,2,{T},59,0,5,30,", "f<int>(int)", id="without a name"),
        pytest.param(f"1,1,{T},59,0,0,15,ends in the call\n1,2,{T + 1},59,0,0,90,other thread", "f<int>(int)", id="none"),
        pytest.param(f"1,1,{T},59,0,10,20,exactly", "exactly/f<int>(int)", id="both ends belong to it"),
    ],
)
def test_the_range_around_the_launch(ranges: str, expect: str) -> None:
    check(
        rows={
            "raw.NVTX_EVENTS": RANGES + ranges,
            "raw.CUPTI_ACTIVITY_KIND_RUNTIME": f"report_id,_rowid,globalTid,correlationId,start,end\n1,1,{T},7,10,20",
            "raw.CUPTI_ACTIVITY_KIND_KERNEL": KERNELS + f"1,1,{P},0,7,300,310,0,1,2\n1,2,{P},0,8,0,9,0,1,2",
            "raw.StringIds": NAMES,
        },
        query="SELECT name FROM _named_kernels (has_range := TRUE) ORDER BY op_id",
        expect=f"name\n{expect}\nf<int>(int)",
    )


def test_reports_print_the_names_that_are_asked_for(db: nsysql.Database) -> None:
    for view in ("cuda_gpu_kern_sum", "cuda_kern_exec_sum", "nvtx_kern_sum"):
        name = "name" if view == "cuda_gpu_kern_sum" else "kernel_name"
        found = [
            {row[0] for row in db.sql(f"SELECT DISTINCT {name} FROM {view}(name_form := '{form}')").fetchall()}
            for form in ("demangled", "base", "mangled")
        ]
        kernels = [{row[0] for row in db.sql(f"SELECT {form} FROM kernels").fetchall()} for form in ("name", "short_name")]
        assert found[1] <= kernels[1]
        assert found[0] <= kernels[0]
        assert any(n.startswith("_Z") for n in found[2])


def test_other_forms_are_refused(db: nsysql.Database) -> None:
    with pytest.raises(UsageError, match="requires name_form IN"):
        db.query("cuda_gpu_kern_sum", {"name_form": "short"})
    assert db.query("cuda_gpu_kern_sum", {"has_range": True}, limit=1).fetchall()
