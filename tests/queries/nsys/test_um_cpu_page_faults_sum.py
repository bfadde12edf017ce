"""um_cpu_page_faults_sum on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool."""

from __future__ import annotations

from tests.blueprint import check


def test_faults_of_the_cpu_by_instruction() -> None:
    check(
        reports="report_id\n1\n2",
        rows={
            "um_faults": "report_id,fault_id,side,instruction,fault_count\n1,2,cpu,main,1\n1,4,cpu,main,1\n1,6,cpu,0x7f,1\n1,8,cpu,,1\n1,3,gpu,,5\n2,2,cpu,main,1"
        },
        query="SELECT report_id, fault_count, instruction FROM um_cpu_page_faults_sum ORDER BY ALL",
        expect="report_id,fault_count,instruction\n1,1,0x7f\n1,1,\n1,2,main\n2,1,main",
    )
