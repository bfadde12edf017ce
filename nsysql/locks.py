"""Lock files: one process at a time; the lock of a process that died is free."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import BusyError, StorageError


@contextmanager
def held(lock: Path, what: str, wait_s: float = 0.0) -> Iterator[None]:
    """Hold the lock file `lock` for the block; it says who does since when.

    Raises BusyError, naming the holder, if another process holds it for longer than `wait_s` seconds, StorageError if the
    file cannot be written.
    """
    from filelock import FileLock, Timeout

    file_lock = FileLock(lock)
    try:
        file_lock.acquire(timeout=wait_s)
        lock.write_text(f"process {os.getpid()} since {time.strftime('%Y-%m-%d %H:%M:%S')}")
    except Timeout:
        raise BusyError(f"{what} is being written{_holder(lock)}; wait for it to finish, or longer with --wait.") from None
    except OSError as error:
        file_lock.release()
        raise StorageError(f"{lock}: cannot be written: {error.strerror}") from error
    try:
        yield
    finally:
        file_lock.release()


def is_free(lock: Path) -> bool:
    """True if no process holds the lock file; False too if that cannot be found out."""
    with suppress(BusyError, StorageError), held(lock, ""):
        return True
    return False


def _holder(lock: Path) -> str:
    try:
        text = lock.read_text()
    except OSError:
        text = ""
    return f" by {text}" if text else ""
