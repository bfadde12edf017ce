"""Where `nsysql stats` and `analyze` print other than NVIDIA's tools, as docs/nsys-stats.md says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.docs import ROOT
from tests.printed import run

PAGE = " ".join((ROOT / "docs" / "nsys-stats.md").read_text().split())
CASES = {
    "ranges keep their domain in names": (
        "stats -q -r nvtx_sum -f csv --filter-time 100ms/ nvtx_edges.sqlite",
        "42966990,0.0,PushPop,open_push_app\n",
        "42966990,0.0,PushPop,app:open_push_app\n",
    ),
    "counts page faults of the CPU": (
        "stats -q -r um_cpu_page_faults_sum -f csv --filter-time /3.752s um_faults.sqlite",
        "29,0x7fbe0c5a1efa\n",
        "14,0x7fbe0c5a1efa\n",
    ),
    "`gputrace`": ("stats -q -r gputrace -f csv um_faults.sqlite", "Device,Ctx,Strm,Name\n", "Device,Ctx,GreenCtx,Strm,Name\n"),
    "`cuda-async-memcpy`": (
        "analyze -q -r cuda-async-memcpy -f csv um_faults.sqlite",
        "Device ID,Context ID,Stream ID",
        "Device ID,Context ID,Green Context ID,Stream ID",
    ),
    "`cuda-sync-memcpy`": (
        "analyze -q -r cuda-sync-memcpy -f csv um_faults.sqlite",
        "Device ID,Context ID,Stream ID",
        "Device ID,Context ID,Green Context ID,Stream ID",
    ),
    "`cuda-sync-memset`": (
        "analyze -q -r cuda-sync-memset -f csv um_faults.sqlite",
        "Device ID,Context ID,Stream ID",
        "Device ID,Context ID,Green Context ID,Stream ID",
    ),
    "`nvtxgpuproj`": (
        "stats -q -r nvtxgpuproj -f csv um_faults.sqlite",
        "RangeStack\npageable,",
        "RangeStack\n,3728376003,27016469,,,,999,999,4,,0,,,\npageable,",
    ),
    "`nvtxpptrace`": (
        "stats -q -r nvtxpptrace -f csv train_bad.sqlite",
        ",step_0\n10720268084,10749204082,28935998,28888239,47759,step_1,",
        ",step_0\n10311572769,10335246500,23673731,0,23673731,data_load,",
    ),
    "`um_sum` and `um_total_sum`": (
        "stats -r um_sum train_bad.sqlite",
        "SKIPPED: train_bad.sqlite does not contain CUDA Unified Memory CPU page faults data.\n",
        "Report was successfully run, but no data was returned.\n",
    ),
}
"""What the page says: a command line, a part of what NVIDIA's tool prints, a part of what nsysql prints."""


@pytest.mark.parametrize("said", CASES)
def test_ours_alone(said: str, tmp_path: Path) -> None:
    command, theirs, ours = CASES[said]
    printed = run([sys.executable, "-m", "nsysql"], f"{command} --like 2023.4", tmp_path)
    assert (said in PAGE, ours in printed, theirs in printed) == (True, True, False), printed


@pytest.mark.parametrize("said", CASES)
def test_theirs_alone(said: str, nsys: str, tmp_path: Path) -> None:
    command, theirs, ours = CASES[said]
    printed = run([nsys], command, tmp_path)
    assert (theirs in printed, ours in printed) == (True, False), printed


def test_halves_of_2025(tmp_path: Path) -> None:
    """95.7 % of tiny: 6795651 ns in 20 kernels, 339782.55 on average."""
    recorded = (Path(__file__).parents[1] / "oracle" / "tiny" / "cuda_gpu_kern_sum.csv").read_text()
    printed = run([sys.executable, "-m", "nsysql"], "stats -q -r cuda_gpu_kern_sum -f csv --like 2025.3 tiny.sqlite", tmp_path)
    assert "339782.55 is 339782.6. nsys 2025.3 rounds the binary number nearest to it, and prints 339782.5." in PAGE
    assert "\n95.7,6795651,20,339782.5," in recorded
    assert "\n95.7,6795651,20,339782.6," in printed
