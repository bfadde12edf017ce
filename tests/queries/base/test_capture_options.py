"""capture_options: rows as they are, without what may be private."""

from __future__ import annotations

from tests.blueprint import check
from tests.brute import rows_of
from tests.queries.conftest import Traced, each_export


def test_names_may_repeat() -> None:
    check(
        rows={
            "raw.META_DATA_CAPTURE": "report_id,_rowid,name,value\n1,3,CAPTURE_EVENT_TYPE,Cuda\n1,2,CAPTURE_EVENT_TYPE,NvtxEvents\n1,9,RATE_HZ,"
        },
        query="SELECT position, name, value FROM capture_options ORDER BY ALL",
        expect="position,name,value\n2,CAPTURE_EVENT_TYPE,NvtxEvents\n3,CAPTURE_EVENT_TYPE,Cuda\n9,RATE_HZ,",
    )


@each_export("privacy", "mpi_openacc_4proc", "wddm_windows", "nccl_payload_2026_2")
def test_rows_are_those_of_the_source_without_private_ones(traced: Traced) -> None:
    source = {(r["_rowid"], r["name"], r["value"]) for r in rows_of(traced.export, "META_DATA_CAPTURE")}
    rows = traced.rows("capture_options", "position, name, value")
    assert set(rows) <= source
    withheld = {name for _, name, _ in source} - {name for _, name, _ in rows}
    assert not any("COLLECT_" in name or name == "CAPTURE_EVENT_TYPE" for name in withheld)
    for word in ("ARGUMENT", "COMMAND", "WORKING_DIR", "USER_NAME", "DISPLAY_NAME", "UUID"):
        assert not any(word in name for _, name, _ in rows)
