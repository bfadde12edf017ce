"""Progress on standard error for steps that take longer than a second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_AFTER_S = 1.0
_EVERY_S = 0.1


def _can_draw() -> bool:
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class ProgressBars:
    """A progress bar for each file on a terminal, silence elsewhere; a context manager."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._shown: dict[Path, float] = {}
        self._tasks: dict[Path, TaskID] = {}
        self._bars: Progress | None = None

    def __enter__(self) -> ProgressBars:
        return self

    def of(self, path: Path) -> Callable[[str, int, int], None]:
        """What is to be called with (step, done, total) for the file at `path`; a total of 0 is not known."""
        return lambda step, done, total: self._update(path, step, done, total)

    def finish(self, path: Path) -> None:
        """Take away the bar of a file."""
        task = self._tasks.pop(path, None)
        if self._bars is not None and task is not None:
            self._bars.remove_task(task)

    def _update(self, path: Path, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if not _can_draw() or now - self._started < _AFTER_S or now - self._shown.get(path, 0.0) < _EVERY_S:
            return
        self._shown[path] = now
        bars = self._bars or self._start()
        if path not in self._tasks:
            self._tasks[path] = bars.add_task(path.name)
        bars.update(self._tasks[path], description=f"{path.name}: {step}", completed=done, total=total or None)

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import Progress

        self._bars = Progress(console=Console(stderr=True), transient=True)
        self._bars.start()
        return self._bars

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bars is not None:
            self._bars.stop()
