"""trace_states: recorded, none, not_traced, unknown."""

from __future__ import annotations

import nsysql
import pytest

from tests.blueprint import check


@pytest.mark.parametrize(
    ("row_count", "capture", "state"),
    [
        (5, "1,CAPTURE_EVENT_TYPE,NvtxEvents", "recorded"),
        (0, "1,CAPTURE_EVENT_TYPE,Cuda", "none"),
        (0, "1,CAPTURE_EVENT_TYPE,NvtxEvents", "not_traced"),
        (0, "", "unknown"),
    ],
)
def test_states(row_count: int, capture: str, state: str) -> None:
    check(
        rows={
            "nsysql_meta.trace_sources": "view_name,table_name,option_key,option_value,trace_option\nkernels,K,CAPTURE_EVENT_TYPE,Cuda,--trace=cuda",
            "nsysql_meta.source_tables": f"report_id,table_name,row_count\n1,K,{row_count}",
            "raw.META_DATA_CAPTURE": f"report_id,name,value\n{capture}",
        },
        query="SELECT source, state, row_count, trace_option FROM trace_states",
        expect=f"source,state,row_count,trace_option\nkernels,{state},{row_count},--trace=cuda",
    )


def test_real_files(db: nsysql.Database) -> None:
    states = {
        (r, s): t
        for r, s, t in db.sql("SELECT name, source, state FROM trace_states JOIN reports USING (report_id)").fetchall()
    }
    assert states["train_bad", "kernels"] == "recorded"
    assert states["train_bad", "graph_launches"] == "none"
    assert states["nocuda", "kernels"] == "not_traced"
