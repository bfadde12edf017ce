"""`nsysql stats` and `analyze` against NVIDIA's: eight reports in one call, two rules in another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from measure import NO_NSYS, OURS, Cost, Row, best_of, spend

REPORTS = (
    *("cuda_api_sum", "cuda_gpu_kern_sum", "cuda_kern_exec_sum", "cuda_gpu_trace"),
    *("nvtx_sum", "nvtx_pushpop_trace", "nvtx_gpu_proj_sum", "nvtx_kern_sum"),
)
RULES = ("gpu_gaps", "gpu_time_util")
ALONE = "cuda_gpu_kern_sum"
SMALL_MEMORY = "500MB"


def rows(costs: dict[str, Cost], rounds: int, database: Path, export: Path, nsys: str | None) -> Iterator[Row]:
    """The ingested file, its ingest with it, and the export itself, against NVIDIA's tools on the export.

    `costs` gets what the rows are made of.
    """
    ours = best_of(rounds, _jobs("nsysql", OURS, database) | _jobs("nsysql on the export", OURS, export))
    costs |= ours
    theirs = None
    if nsys:
        nvidias = best_of(1, _jobs("nsys", [nsys], export))
        costs |= nvidias
        theirs = sum(cost.cpu_s for cost in nvidias.values())
    name = f"{len(REPORTS)} reports and {len(RULES)} rules"
    spent, spent_on_export = (
        sum(ours[f"{tool} {command}"].cpu_s for command in ("stats", "analyze")) for tool in ("nsysql", "nsysql on the export")
    )
    with_ingest = spent + costs["ingest"].cpu_s
    for label, cpu_s in ((name, spent), (f"ingest, {name}", with_ingest), (f"{name} on the export", spent_on_export)):
        yield Row(f"{label}, CPU / nsys stats + analyze CPU", theirs and cpu_s / theirs, "", None, NO_NSYS)
    yield _row_alone(rounds, export, nsys)


def _row_alone(rounds: int, export: Path, nsys: str | None) -> Row:
    """One report of few columns on the export: little of it has to be loaded."""
    tools: dict[str, list[str | Path]] = {"ours": OURS} | ({"theirs": [nsys]} if nsys else {})

    def job(tool: list[str | Path]) -> Callable[[], Cost]:
        return lambda: spend([*tool, "stats", "--report", ALONE, "--format", "csv", export])

    costs = best_of(rounds, {name: job(tool) for name, tool in tools.items()})
    ratio = costs["ours"].cpu_s / costs["theirs"].cpu_s if nsys else None
    return Row(f"{ALONE} alone on the export, CPU / nsys stats CPU", ratio, "", 3, NO_NSYS)


def large_rows(costs: dict[str, Cost], database: Path, export: Path, copies: int) -> Iterator[Row]:
    """The same on as many copies of the input: what they cost, and that little memory is enough."""
    large = best_of(1, _jobs("nsysql", OURS, database))
    costs |= {f"{name}, {copies} copies": cost for name, cost in large.items()}
    ratio = sum(cost.cpu_s for cost in large.values()) / sum(costs[name].cpu_s for name in large)
    yield Row(f"stats and analyze CPU at {copies} copies / at 1", ratio, "x", copies + 1)
    yield Row(f"stats and analyze peak memory, {copies} copies", max(c.peak_mb for c in large.values()), "MB", 1500)
    for where, source in (("", database), (" on the export", export)):
        small = best_of(1, _jobs("nsysql", OURS, source, "--memory-limit", SMALL_MEMORY))
        name = f"stats and analyze{where} peak memory, {copies} copies, --memory-limit {SMALL_MEMORY}"
        yield Row(name, max(cost.peak_mb for cost in small.values()), "MB", 1500)


def _jobs(name: str, tool: list[str | Path], source: Path, *options: str) -> dict[str, Callable[[], Cost]]:
    """The two calls of a tool on an input, rows as CSV."""
    calls = {"stats": ("--report", ",".join(REPORTS)), "analyze": ("--rule", ",".join(RULES))}

    def job(command: str) -> Callable[[], Cost]:
        return lambda: spend([*tool, command, *calls[command], "--format", "csv", *options, source])

    return {f"{name} {command}": job(command) for command in calls}
