"""gpu_gaps on rows that can be checked by eye; test_oracle.py compares it with NVIDIA's tool.

What an overhead does and which context it shows was seen in the output of `nsys analyze` 2023.4.4 for an export to which
such rows had been added.
"""

from __future__ import annotations

import pytest

from tests.blueprint import check

MS = 1_000_000
OPS = "report_id,op_id,process_id,device_id,context_id,start_ns,end_ns\n"


def gaps(expect: str, gap_ms: int = 1, kernels: str = "", memcpys: str = "", memsets: str = "", overheads: str = "") -> None:
    """Compare the gaps; times of operations (process, device, context, start, end) and overheads are ms, those expected too."""
    rows = {}
    for name, text in {"kernels": kernels, "memcpys": memcpys, "memsets": memsets}.items():
        rows[name] = OPS + "\n".join(_line(number, line) for number, line in enumerate(text.splitlines(), start=1))
    rows["overheads"] = "report_id,overhead_id,process_id,name,start_ns,end_ns\n" + "\n".join(
        _line(number, line) for number, line in enumerate(overheads.splitlines(), start=1)
    )
    check(
        rows=rows,
        query=f"""SELECT pid, device_id, context_id, start_ns / {MS} AS start_ms, dur_ns / {MS} AS dur_ms
            FROM gpu_gaps (gap_ms := {gap_ms}) ORDER BY dur_ns DESC, start_ns""",
        expect=f"pid,device_id,context_id,start_ms,dur_ms\n{expect}",
    )


def _line(number: int, line: str) -> str:
    *cells, start, end = line.split(",")
    return ",".join(["1", str(number), *cells, str(int(float(start) * MS)), str(int(float(end) * MS))])


def test_kinds_streams_and_contexts_cover_together() -> None:
    gaps(
        "5,0,3,50.0,50.0\n5,0,2,30.0,5.0",
        kernels="83886080,0,1,10,20\n83886080,0,3,40,50\n83886080,0,1,100,101",
        memcpys="83886080,0,2,15,30",
        memsets="83886080,0,1,35,41",
    )


def test_processes_and_devices_apart() -> None:
    gaps(
        "6,0,1,20.0,20.0\n5,0,1,20.0,10.0\n5,1,1,20.0,5.0",
        kernels="83886080,0,1,10,20\n83886080,0,1,30,40\n100663296,0,1,10,20\n100663296,0,1,40,50\n83886080,1,1,10,20\n83886080,1,1,25,60",
    )


@pytest.mark.parametrize(("end", "expect"), [(30, ""), (30.000001, "5,0,1,20.0,10.000001")])
def test_longer_than_the_threshold(end: float, expect: str) -> None:
    gaps(expect, gap_ms=10, kernels=f"83886080,0,1,10,20\n83886080,0,1,{end},40")


def test_the_default_is_half_a_second() -> None:
    check(
        rows={
            "kernels": OPS
            + f"1,8,83886080,0,1,{MS},{2 * MS}\n1,16,83886080,0,1,{502 * MS + 1},{600 * MS}\n1,24,83886080,0,1,{1100 * MS},{1101 * MS}",
            "memcpys": OPS,
            "memsets": OPS,
            "overheads": "report_id,overhead_id",
        },
        query="SELECT start_ns, dur_ns FROM gpu_gaps",
        expect=f"start_ns,dur_ns\n{2 * MS},{500 * MS + 1}",
    )


def test_operations_at_time_0_are_not_looked_at() -> None:
    gaps("", kernels="83886080,0,1,0,1\n83886080,0,1,30,40")


def test_migrations_have_context_0() -> None:
    gaps("5,0,0,20.0,10.0", memcpys="83886080,0,,10,20\n83886080,0,,30,31")


OVERHEAD = "CUDA profiling data flush overhead"


@pytest.mark.parametrize(
    ("overhead", "expect"),
    [
        pytest.param(f"83886080,{OVERHEAD},30,40", "5,0,2,40.0,60.0\n5,0,1,20.0,10.0", id="flush: shows the last context"),
        pytest.param("83886080,CUDA profiling stop overhead,30,40", "5,0,2,40.0,60.0\n5,0,1,20.0,10.0", id="stop"),
        pytest.param("83886080,CUDA profiling overhead,30,40", "5,0,2,40.0,60.0\n5,0,1,20.0,10.0", id="overhead"),
        pytest.param("83886080,CUPTI Buffer flush,30,40", "5,0,1,20.0,80.0", id="another name"),
        pytest.param(f"100663296,{OVERHEAD},30,40", "5,0,1,20.0,80.0", id="another process"),
        pytest.param(f"83886080,{OVERHEAD},10,40", "5,0,1,20.0,80.0", id="begins with the first operation"),
        pytest.param(f"83886080,{OVERHEAD},30,110", "5,0,1,20.0,80.0", id="ends with the last operation"),
    ],
)
def test_overheads_inside_count_as_busy(overhead: str, expect: str) -> None:
    gaps(expect, kernels="83886080,0,1,10,20\n83886080,0,2,100,110", overheads=overhead)


def test_an_overhead_is_on_every_device_of_its_process() -> None:
    gaps(
        "5,1,4,40.0,80.0\n5,0,2,40.0,60.0\n5,1,3,20.0,10.0",
        kernels="83886080,0,1,10,30\n83886080,0,2,100,110\n83886080,1,3,10,20\n83886080,1,4,120,130",
        overheads=f"83886080,{OVERHEAD},30,40",
    )


def test_a_device_that_is_not_known_is_one_too() -> None:
    gaps("5,,3,20.0,30.0\n5,0,1,2.0,9.0", kernels="83886080,,3,10,20\n83886080,,3,50,60\n83886080,0,1,1,2\n83886080,0,1,11,12")
