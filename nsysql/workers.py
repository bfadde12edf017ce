"""Processes that load and merge for the one that the user started: a crash of DuckDB there is a message here.

A worker reads requests from standard input and writes replies to standard output, a line of JSON each. It ends with its
input; in the middle of a job too, for then whoever asked is gone.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from . import errors

Progress = Callable[[str, int, int], None]
"""Called with (step, done, total); total 0 means not known."""

_END_S = 10
_HAS_GROUPS = hasattr(os, "killpg")


class WorkerDiedError(errors.InputError):
    """The worker ended in the middle of a job; `code` is its exit code, negative for the signal that ended it."""

    def __init__(self, code: int) -> None:
        self.code = code
        self.how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        super().__init__(f"a process of nsysql was ended {self.how}; the reports in the database are unharmed.")


class Worker:
    """A process that runs functions of nsysql's modules, one at a time; started when needed, anew if it died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def run(self, function: str, progress: Progress | None = None, **arguments: Any) -> Any:
        """Result of `function`, given as module.name, of `arguments` that JSON can hold.

        Raises the NsysqlError that the function raised, WorkerDiedError if the process ended instead of answering.
        """
        process = self._process = self._process or _start()
        assert process.stdin is not None and process.stdout is not None
        with suppress(BrokenPipeError):  # the worker is gone: its replies end
            print(json.dumps([function, arguments]), file=process.stdin, flush=True)
        for line in process.stdout:
            try:
                kind, *content = json.loads(line)
            except (ValueError, TypeError):
                continue  # something that the interpreter printed while it started
            if kind == "result":
                return content[0]
            if kind == "error":
                raise getattr(errors, content[0])(content[1])
            if kind == "bug":
                raise RuntimeError(content[0])
            if progress:
                progress(*content)
        code = process.wait()
        self.close()
        raise WorkerDiedError(code)

    def close(self) -> None:
        """End the process; a job that it is at is broken off."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None and process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            _kill(process.pid)
            process.wait()
        with suppress(RuntimeError):  # another thread reads it: it ends with the process
            process.stdout.close()


def _start() -> subprocess.Popen[str]:
    # It imports from where this process does, whatever lies in the current folder. In a session of its own, so that Ctrl-C
    # reaches only the process that the user started.
    places = [str(Path(place).absolute()) for place in sys.path]
    code = f"import sys; sys.path[:] = {places!r}; from nsysql.workers import serve; serve()"
    command = [sys.executable, "-c", code]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=_HAS_GROUPS
    )


def _kill(pid: int) -> None:
    if _HAS_GROUPS:
        os.killpg(pid, signal.SIGKILL)
    else:
        os.kill(pid, signal.SIGTERM)


def serve() -> None:
    """Answer requests until there are no more: what a worker process does."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    busy = threading.Event()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests, busy), daemon=True).start()
    while request := requests.get():
        answer = _answer(request, lambda *step: _reply(replies, "progress", *step))
        busy.clear()  # before the reply, which the next request may follow at once
        _reply(replies, *answer)


def _listen(source: IO[bytes], requests: queue.SimpleQueue[bytes | None], busy: threading.Event) -> None:
    for line in source:
        busy.set()
        requests.put(line)
    if busy.is_set():
        _kill(os.getpid())
    requests.put(None)


def _answer(request: bytes, progress: Progress) -> tuple[Any, ...]:
    name, arguments = json.loads(request)
    module, _, function = name.rpartition(".")
    try:
        return "result", getattr(importlib.import_module(f".{module}", __package__), function)(progress=progress, **arguments)
    except errors.NsysqlError as error:
        return "error", type(error).__name__, str(error)
    except Exception:
        return "bug", traceback.format_exc()


def _reply(replies: IO[str], *content: Any) -> None:
    with suppress(BrokenPipeError):
        print(json.dumps(content), file=replies, flush=True)
