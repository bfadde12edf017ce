"""Progress on standard error for steps that take longer than a second."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_AFTER_S = 1.0
_EVERY_S = 0.1


def _can_draw() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class ProgressLine:
    """A progress bar on a terminal, silence elsewhere; a context manager that is called with (step, done, total)."""

    def __init__(self, label: str) -> None:
        self.label = label
        self._started = self._shown = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> ProgressLine:
        return self

    def __call__(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if not _can_draw() or now - self._started < _AFTER_S or now - self._shown < _EVERY_S:
            return
        self._shown = now
        bar = self._bar or self._start()
        bar.update(bar.task_ids[0], description=f"{self.label}: {step}", completed=done, total=total or None)

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(console=Console(stderr=True), transient=True)
        self._bar.add_task(self.label)
        self._bar.start()
        return self._bar

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
