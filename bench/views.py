"""The analyses one by one: what each view costs, all of them against NVIDIA's reports, and on more rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

VIEWS = (
    "gap_causes",
    "idle_by_cause",
    "phases",
    "api_hw_overlap",
    "waits",
    "sync_waits",
    "sync_wall",
    "first_launches",
    "slow_launches",
    "pending_launches",
    "queue_depth",
    "kernel_launches",
    "kernel_families",
    "tensor_core_use",
    "kernel_names",
    "unclassified_kernels",
    "op_ranges",
    "nvtx_gpu_projection",
    "nvtx_coverage",
    "nvtx_kernels",
    "nvtx_rank",
    "iterations",
    "iteration_children",
    "copies",
    "copy_compute_overlap",
    "copy_compute_overlap_by_direction",
    "comm_overlap",
    "comm_overlap_by_range",
    "verdicts",
)
REPORTS = ("cuda_gpu_kern_sum", "cuda_kern_exec_sum")


class Spent(Protocol):
    """What a process cost."""

    @property
    def cpu_s(self) -> float:
        """CPU seconds."""


def jobs(database: Path, nsysql: Callable[..., Spent]) -> dict[str, Callable[[], Spent]]:
    """The first rows of every view, a process each."""

    def job(view: str) -> Callable[[], Spent]:
        return lambda: nsysql("query", view, "--db", database, "--limit", "5", "--format", "csv")

    return {view: job(view) for view in VIEWS}


def _ask_all(database: Path) -> None:
    """The first rows of every view, as a notebook asks for them: one process, one connection."""
    import nsysql

    with nsysql.open(database) as db:
        for view in VIEWS:
            db.query(view, limit=5).fetchall()


def worst(large: Mapping[str, Spent], small: Mapping[str, Spent]) -> Iterator[tuple[str, float]]:
    """Views by how much more they take on the larger input, the worst first."""
    ratios = {view: large[view].cpu_s / small[view].cpu_s for view in VIEWS}
    yield from sorted(ratios.items(), key=lambda item: -item[1])


if __name__ == "__main__":
    _ask_all(Path(sys.argv[1]))
