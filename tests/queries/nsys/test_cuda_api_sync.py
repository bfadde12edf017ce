"""cuda_api_sync on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

import pytest

from tests.blueprint import check

CALLS = "report_id,call_id,pid,tid,raw_name,start_ns,dur_ns\n"
ROWS = (
    CALLS
    + "1,1,5,7,cudaDeviceSynchronize_v3020,10,1\n1,2,5,8,cudaStreamSynchronize_ptsz_v7000,20,50\n1,3,5,7,cudaEventSynchronize_v3020,30,9\n"
    + "1,4,6,7,cudaStreamSynchronize_v3020,40,5\n1,5,5,7,cuStreamSynchronize,50,9\n1,6,5,7,cudaMemcpy_v3020,60,9\n2,1,5,7,cudaDeviceSynchronize_v3020,10,2"
)


def test_two_functions_of_the_runtime() -> None:
    check(
        reports="report_id\n1\n2",
        rows={"_api_rows": ROWS},
        query="SELECT report_id, dur_ns, start_ns, pid, tid, api_name FROM cuda_api_sync ORDER BY report_id, dur_ns DESC",
        expect="""report_id,dur_ns,start_ns,pid,tid,api_name
            1,50,20,5,8,cudaStreamSynchronize_ptsz_v7000
            1,5,40,6,7,cudaStreamSynchronize_v3020
            1,1,10,5,7,cudaDeviceSynchronize_v3020
            2,2,10,5,7,cudaDeviceSynchronize_v3020""",
    )


@pytest.mark.parametrize(
    ("given", "calls"),
    [("of_pid := 5", "1\n2"), ("of_tid := 7", "1\n4"), ("of_pid := 6, of_tid := 8", ""), ("of_pid := -1, of_tid := 8", "2")],
)
def test_of_a_process_or_a_thread(given: str, calls: str) -> None:
    check(
        reports="report_id\n1\n2",
        rows={"_api_rows": ROWS},
        query=f"SELECT call_id FROM cuda_api_sync ({given}) WHERE report_id = 1 ORDER BY call_id",
        expect=f"call_id\n{calls}",
    )
