"""diagnostics: severities, sources, whose clock."""

from __future__ import annotations

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export

NO_PROCESS = -144115188075855872


def test_cases() -> None:
    process = (1 << 48) + (5 << 24)
    check(
        rows={
            "raw.DIAGNOSTIC_EVENT": f"""report_id,_rowid,timestamp,timestampType,source,severity,text,globalPid
                1,1,10,1,1,2,lost,{process}
                1,2,20,2,3,1,counted,{NO_PROCESS}
                1,3,-5,1,2,3,failed,{1 << 48}
                1,4,0,0,0,0,what,
                1,5,0,1,9,4,chatter,"""
        },
        query="SELECT diagnostic_id, severity, source, process_id, time_ns, text FROM diagnostics ORDER BY ALL",
        expect=f"""diagnostic_id,severity,source,process_id,time_ns,text
            1,warning,injection,{process},10,lost
            2,info,analysis,,,counted
            3,error,daemon,,-5,failed
            4,unknown,unknown,,,what
            5,verbose,unknown,,0,chatter""",
    )


@each_export("file_access_2025_5", "empty_2026_1", "jetson_2024_5", "wddm_windows", "gpu_metrics_a100")
def test_equals_a_loop_over_the_source(traced: Traced) -> None:
    severities = {1: "info", 2: "warning", 3: "error", 4: "verbose"}
    expected = sorted(
        (
            d["_rowid"],
            severities[d["severity"]],
            d["globalPid"] if d["globalPid"] >> 24 & 0xFFFFFF else None,
            d["timestamp"] if d["timestampType"] == 1 else None,
        )
        for d in rows_of(traced.export, "DIAGNOSTIC_EVENT")
    )
    assert traced.rows("diagnostics", "diagnostic_id, severity, process_id, time_ns") == expected


def test_the_worst_come_first(db) -> None:
    severities = [row[2] for row in db.query("diagnostics").fetchall()]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)
    assert severities[0] == "warning"
