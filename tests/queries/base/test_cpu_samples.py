"""cpu_samples: samples and stacks of a switch, the function at the top."""

from __future__ import annotations

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

SAMPLES = "report_id,_rowid,id,start,cpu,globalTid,cpuCycles\n"
STACKS = "report_id,id,stackDepth,symbol,module,unresolved,kernelMode\n"
COLUMNS = "sample_id,process_id,time_ns,cpu,is_sample,symbol,module,is_resolved,is_kernel"


def test_cases() -> None:
    thread = (5 << 24) + 7
    check(
        rows={
            "raw.COMPOSITE_EVENTS": f"{SAMPLES}1,1,11,100,3,{thread},1\n1,2,12,200,3,{thread},0\n1,3,13,300,4,{thread},1\n1,4,14,400,4,{thread},",
            "raw.SAMPLING_CALLCHAINS": f"{STACKS}1,11,1,1,2,,\n1,11,0,0,2,0,0\n1,12,0,3,2,1,1\n1,13,1,0,2,,\n1,14,0,0,2,,\n1,14,0,0,2,,\n2,13,0,0,2,,",
            "raw.StringIds": "report_id,id,value\n1,0,leaf\n1,1,caller\n1,2,lib.so\n1,3,0x7f\n2,0,other",
        },
        query=f"SELECT {COLUMNS} FROM cpu_samples ORDER BY sample_id",
        expect=f"""{COLUMNS}
            1,{5 << 24},100,3,True,leaf,lib.so,True,False
            2,{5 << 24},200,3,False,0x7f,lib.so,False,True
            3,{5 << 24},300,4,True,,,,
            4,{5 << 24},400,4,False,leaf,lib.so,True,False""",
    )


@each_export("cpu_samples", "lanl_2021_5", "saxpy_mpi_2022_2", "gpu_metrics_a100", "file_access_2025_5", "wddm_windows")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    texts = {r["id"]: r["value"] for r in rows_of(traced.export, "StringIds")}
    leaves = {f["id"]: f for f in rows_of(traced.export, "SAMPLING_CALLCHAINS") if f["stackDepth"] == 0}
    expected = []
    for s in rows_of(traced.export, "COMPOSITE_EVENTS"):
        leaf = leaves[s["id"]]
        file = texts[leaf["module"]].replace("\\", "/").split("/")[-1]
        flags = s["cpuCycles"] > 0, not leaf["unresolved"], bool(leaf["kernelMode"])
        expected.append((s["_rowid"], s["start"], s["globalTid"], texts[leaf["symbol"]], file, *flags))
    columns = "sample_id, time_ns, thread_id, symbol, module, is_sample, is_resolved, is_kernel"
    assert traced.rows("cpu_samples", columns) == sorted(expected)
