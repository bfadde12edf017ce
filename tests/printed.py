"""What NVIDIA's own tool prints for a command line, kept in tests/oracle/printed: the command, an empty line, the output.

`python -m tests.printed NSYS` makes the files anew with a real nsys 2023.4.4.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import FIXTURES

FOLDER = Path(__file__).parent / "oracle" / "printed"
_MEM = "stats -r cuda_gpu_mem_time_sum,cuda_gpu_mem_size_sum,osrt_sum"
_LAYOUTS = (
    *("column", "table", "csv", "tsv", "json", "htable", "csv:nohdr", "csv:nohdrunit", "csv:time=us", "csv:dur=ms:mem=KiB"),
    *("tsv:mem=MiB", "column:nohdr", "column:colmax=20:autolines=2", "table:time=sec:mem=GiB"),
    *("csv:foo", "csv:", "csv:time=s", "csv:dur=us:dur=usec:nohdr=1", "json:nohdr"),
    *("htable:nohdr", "column:colmax=abc:autolines=-1", "column:wide:-1:10::4:"),
)
_FAULTS = "stats -f csv -r nope,cuda_api_sum:foo,nvtx_sum,cuda_gpu_mem_time_sum.py"
COMMANDS = {
    **{f"layout {layout}": f"{_MEM} -f {layout} train_bad.sqlite" for layout in _LAYOUTS},
    "document": "stats -r cuda_gpu_mem_size_sum -f hdoc train_bad.sqlite",
    "quiet": f"{_MEM} -q train_bad.sqlite",
    "timeunit before units": f"{_MEM} --timeunit us -f csv:dur=ms:ts=sec,csv train_bad.sqlite",
    "as recorded": "stats -r osrt_sum,um_total_sum -f csv:noconv:dur=ms,csv:mem=KiB:noconv --timeunit us um_faults.sqlite",
    "timeunit of the default": f"{_MEM} --timeunit ns -f csv:time=ms train_bad.sqlite",
    "timeunit": f"{_MEM} --timeunit micro train_bad.sqlite",
    "triples": "stats -r cuda_gpu_mem_size_sum,osrt_sum,nvtx_sum -f json,csv -o -,. pipeline.sqlite",
    "file exists": "stats -r osrt_sum -o .,nvtx -r osrt_sum,osrt_sum -o . -f csv pipeline.sqlite",
    "command": "stats -r osrt_sum -f csv -o @tail pipeline.sqlite",
    "nothing": "stats -r cuda_gpu_kern_sum -f column --filter-time 0/1 pipeline.sqlite",
    "nothing in csv": "stats -r cuda_gpu_kern_sum -f csv --filter-time 0/1 pipeline.sqlite",
    "time": "stats -r osrt_sum,nvtx_sum,cuda_gpu_kern_sum,cuda_kern_exec_sum --filter-time 0.6s5us/700ms pipeline.sqlite",
    "until": "stats -r osrt_sum,nvtx_sum,cuda_api_sum,nvtx_gpu_proj_sum --filter-time /650ms pipeline.sqlite",
    "range": "stats -r osrt_sum,nvtx_sum,cuda_gpu_kern_sum,cuda_kern_exec_sum --filter-nvtx starved_3 pipeline.sqlite",
    "range by number": "stats -r osrt_sum,nvtx_sum --filter-nvtx step_0/1 nvtx_osrt.sqlite",
    "no such range": "stats -r osrt_sum,nvtx_sum --filter-nvtx step_0/9 nvtx_osrt.sqlite",
    "range never closed": "stats -r nvtx_sum --filter-nvtx never_popped nvtx_osrt.sqlite",
    "after the start of what was never closed": "stats -r nvtx_sum,nvtx_pushpop_trace --filter-time 160ms/ nvtx_osrt.sqlite",
    "range of a launch before": "stats -f csv -r cuda_gpu_kern_sum:nvtx-name:base,cuda_gpu_trace:nvtx-name:base --filter-nvtx step_2 train_bad.sqlite",
    "in a time without ranges": "stats -f csv -r nvtx_gpu_proj_trace,nvtx_gpu_proj_sum --filter-time 3.73s/ um_faults.sqlite",
    "lacking": "stats -r nvtx_kern_sum,nvtx_gpu_proj_sum,cuda_kern_exec_sum,cuda_api_sum,nvtx_sum -f csv nocuda.sqlite",
    "lacking CUDA": "stats -r nvtx_gpu_proj_trace,nvtx_gpu_proj_sum -f csv nvtx_osrt.sqlite",
    "rule": "analyze -r gpu_gaps:gap=1:rows=3 -f csv train_bad.sqlite",
    "times of their own": "stats -f csv -r osrt_sum:start=600000000,nvtx_sum:nvtx=starved_3,nvtx_sum:end=7 pipeline.sqlite",
    "time and one of its own": (
        "stats -f csv -r cuda_gpu_kern_sum:start=629492163,osrt_sum:end=629492163,osrt_sum:nvtx=starved_3,osrt_sum:end=1,"
        "osrt_sum:nvtx=none --filter-time 0.62s/0.64s pipeline.sqlite"
    ),
    "range and a time": (
        "stats -f csv -r cuda_gpu_kern_sum:start=629492163,osrt_sum:end=629492163,osrt_sum:nvtx=starved_2,osrt_sum:start=0 "
        "--filter-nvtx starved_3 pipeline.sqlite"
    ),
    "traces": "stats -f csv -r cuda_gpu_trace,cuda_kern_exec_trace,nvtx_pushpop_trace,nvtx_gpu_proj_trace pipeline.sqlite",
    "forms of names": "stats -r cuda_gpu_kern_sum:base,cuda_gpu_kern_sum:mangled,cuda_gpu_kern_gb_sum:nvtx-name:base train_bad.sqlite",
    "memory": "stats -f csv -r um_sum,um_sum:rows=3,um_total_sum,um_cpu_page_faults_sum,cuda_gpu_sum um_faults.sqlite",
    "rules": "analyze -f csv -r cuda_memcpy_async,cuda_memcpy_sync,cuda_memset_sync,cuda_api_sync,gpu_time_util:chunks=10 pipeline.sqlite",
    "rule in a range": "analyze -f csv -r cuda_api_sync,gpu_gaps:gap=1,cuda_memset_sync --filter-nvtx starved_3 pipeline.sqlite",
    "rule in a file": "analyze -r gpu_gaps:gap=1:rows=-1 -f csv -o . train_bad.sqlite",
    "faults": f"{_FAULTS} tiny.sqlite",
    "faults in files": f"{_FAULTS} -o x tiny.sqlite",
    "skipped to a command": "stats -f csv -r nvtx_sum,cuda_api_sum:foo -o @wc tiny.sqlite",
    "no folder": "stats -f csv -r nvtx_sum,cuda_gpu_mem_time_sum,cuda_gpu_mem_time_sum -o no/x,no/,- tiny.sqlite",
    "paths as they are typed": "stats -f csv -r cuda_gpu_mem_time_sum,nvtx_sum -o .,./o ./tiny.sqlite",
    "no base name": "stats -f csv -r cuda_gpu_mem_time_sum -o ,- tiny.sqlite",
}
"""Command lines, by the name of the file that holds what they print."""


def run(tool: list[str], command: str, folder: Path) -> str:
    """Standard output of a command line in a folder with the exports that it names, and the files that it wrote."""
    for name in re.findall(r"\w+\.sqlite", command):
        shutil.copy(FIXTURES / name, folder)
    known = set(folder.iterdir())
    done = subprocess.run([*tool, *command.split()], capture_output=True, cwd=folder, check=False)
    assert b"Traceback (most recent call last):\n  File" not in done.stderr or b"hashlib" in done.stderr, done.stderr
    parts = [re.sub(r"with \[[^\]]*?/?(\w+)\.py\]", r"with [\1.py]", done.stdout.decode())]
    for path in sorted(set(folder.iterdir()) - known):
        parts.append(f"--- {path.name}\n{path.read_text()}")
    return "".join(parts)


def kept(name: str) -> str:
    """What NVIDIA's tool printed for a command of COMMANDS."""
    command, _, output = _path(name).read_text().partition("\n\n")
    assert command == COMMANDS[name]
    return output


def _path(name: str) -> Path:
    return FOLDER / (re.sub(r"\W+", "_", name) + ".txt")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, command in COMMANDS.items():
        with tempfile.TemporaryDirectory() as folder:
            _path(name).write_text(f"{command}\n\n{run(sys.argv[1:], command, Path(folder))}")
