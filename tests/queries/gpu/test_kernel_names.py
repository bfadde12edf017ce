"""kernel_names on rows that can be checked by eye, and against a loop over the source rows."""

from __future__ import annotations

from collections import defaultdict

from tests.blueprint import check
from tests.brute import family_of, rows_of
from tests.queries.conftest import Traced, each_export


def test_a_name_is_one_row_whatever_the_gpu() -> None:
    check(
        rows={
            "kernels": "report_id,op_id,gpu_id,name_id,name,short_name,dur_ns\n1,8,0,1,f<int>(),f,10\n1,16,1,1,f<int>(),f,30\n1,24,0,2,f<char>(),f,60\n1,32,0,,,,100",
            "nsysql_meta.kernel_names": "report_id,name_id,is_own,line,pattern,family,operation,precision,tensor_cores\n1,1,true,2,int,mine,,,yes\n1,2,,,,,,,",
        },
        query="FROM kernel_names ORDER BY dur_ns",
        expect="""report_id,short_name,kernel_count,dur_ns,dur_ratio,family,operation,precision,tensor_cores,rule_source,rule_line,rule,name
            1,f,2,40,0.2,mine,,,yes,own,2,int,f<int>()
            1,f,1,60,0.3,,,,unknown,,,,f<char>()
            1,,1,100,0.5,,,,unknown,,,,""",
    )


@each_export("families", "nccl_payload_2026_2", "cudf_2020", "lanl_2021_5")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    times: dict[str, list[int]] = defaultdict(list)
    for k in rows_of(traced.export, "CUPTI_ACTIVITY_KIND_KERNEL"):
        times[texts[k["demangledName"]]].append(k["end"] - k["start"])
    expected = {(n, len(d), sum(d), family_of(n)[0], *family_of(n)[1]) for n, d in times.items()}
    columns = "name, kernel_count, dur_ns, rule_line, family, operation, precision, tensor_cores"
    assert set(traced.db.sql(f"SELECT {columns} FROM kernel_names WHERE report_id = {traced.report_id}").fetchall()) == expected
