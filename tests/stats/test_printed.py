"""`nsysql stats` and `analyze` print what NVIDIA's tools print, to the letter."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.printed import COMMANDS, kept, run

OURS = [sys.executable, "-m", "nsysql"]


def as_printed(text: str) -> list[str]:
    """The lines, those with equal totals in any order: only the order of the totals is defined."""
    return sorted(text.splitlines())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_text(name: str, tmp_path: Path) -> None:
    printed = run(OURS, f"{COMMANDS[name]} --like 2023.4", tmp_path)
    assert as_printed(printed) == as_printed(kept(name))


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_kept_is_what_the_tool_prints(name: str, nsys: str, tmp_path: Path) -> None:
    assert as_printed(run([nsys], COMMANDS[name], tmp_path)) == as_printed(kept(name))


def test_the_default_reports_in_the_order_of_the_tool(tmp_path: Path) -> None:
    printed = run(OURS, "stats tiny.sqlite", tmp_path)
    assert re.findall(r"with \[(\w+)\.py\]", printed)[:6] == [
        *("nvtx_sum", "osrt_sum", "cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum")
    ]
    assert "SKIPPED: vulkan_marker_sum is about events that nsysql does not read." in printed


def test_the_default_list_is_that_of_the_tool(nsys: str, tmp_path: Path) -> None:
    for command in ("stats tiny.sqlite", "analyze tiny.sqlite"):
        names = [re.findall(r"with \[([\w.]+?)(?:\.py)?\]", run(tool, command, tmp_path)) for tool in (OURS, [nsys])]
        assert names[0] == names[1]
