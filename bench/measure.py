"""What a process costs, and a line of the table about it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

OURS: list[str | Path] = [sys.executable, "-m", "nsysql"]
NO_NSYS = "no nsys: name one with NSYSQL_NSYS or have it on PATH"


@dataclass(frozen=True)
class Cost:
    """What a process cost: CPU seconds and its largest resident memory."""

    cpu_s: float
    peak_mb: float


@dataclass(frozen=True)
class Row:
    """A line of the table. Without a limit it only informs; without a measurement it was skipped, and says why."""

    name: str
    measured: float | None
    unit: str = ""
    limit: float | None = None
    reason: str = ""

    @property
    def is_missed(self) -> bool:
        """True if there is a limit and the measurement is above it."""
        return self.measured is not None and self.limit is not None and self.measured > self.limit

    def cells(self) -> tuple[str, str, str, str]:
        """The line as text: name, measured, limit, ok."""
        limit = "-" if self.limit is None else _text(self.limit, self.unit)
        if self.measured is None:
            return self.name, "skipped", limit, f"- ({self.reason})"
        verdict = "info" if self.limit is None else "MISSED" if self.is_missed else "ok"
        return self.name, _text(self.measured, self.unit), limit, verdict


def _text(value: float, unit: str) -> str:
    return f"{value:.0f} MB" if unit == "MB" else f"{value:.3g}{unit}"


def spend(command: list[str | Path], statements: list[str] | None = None) -> Cost:
    """Run a command to its end, output thrown away; raises RuntimeError with its messages if it fails."""
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as messages:
        given.writelines(f"{s}\n" for s in statements or [])
        given.seek(0)
        process = subprocess.Popen(command, stdin=given, stdout=subprocess.DEVNULL, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            messages.seek(0)
            raise RuntimeError(f"{Path(command[0]).name} ended with {process.returncode}: {messages.read()}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)


def nsysql(*arguments: str | Path) -> Cost:
    """Cost of one nsysql command."""
    return spend([*OURS, *arguments])


def best_of(rounds: int, jobs: dict[str, Callable[[], Cost]]) -> dict[str, Cost]:
    """Least CPU and largest memory of each job. A round runs every job once, so that a busy spell hits all of them."""
    costs: dict[str, list[Cost]] = {name: [] for name in jobs}
    for number in range(rounds):
        for name, job in jobs.items():
            progress(f"round {number + 1} of {rounds}: {name}")
            costs[name].append(job())
    return {n: Cost(min(c.cpu_s for c in all_), max(c.peak_mb for c in all_)) for n, all_ in costs.items()}


def progress(text: str) -> None:
    """Say on a terminal what is being done."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
