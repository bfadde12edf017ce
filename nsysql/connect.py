"""Connections to a database file, and DuckDB's errors in nsysql's terms."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from .errors import BusyError, InputError, NsysqlError, QueryError, StorageError, UsageError
from .locks import held

NEW_FILE: dict[str, str | bool | int | float | list[str]] = {
    "storage_compatibility_version": "v1.4.0",
    "default_block_size": 65536,
}
"""How every DuckDB makes a file: for every supported DuckDB to read, and a third smaller than with blocks of 256 KiB."""

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "asof_loop_join_threshold": 0,  # DuckDB loops over every pair of a left side that it takes for small, often wrongly
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}

INGEST_MEMORY = "340MB"
"""DuckDB's share while loading and merging; what does not fit goes to a temporary file."""

_RESERVED = re.compile(r"(raw|derived|nsysql_meta|v\d+|main|temp|system|information_schema|pg_catalog)")


def connect(path: Path, read_only: bool, wait_s: float = 0.0) -> duckdb.DuckDBPyConnection:
    """Open a database file, retrying for `wait_s` seconds while another process holds it.

    Raises UsageError if it is missing (read_only), BusyError if it stays locked, InputError if it is no DuckDB file,
    StorageError if its folder cannot be written.
    """
    check_name(path)
    if read_only and not path.exists():
        raise UsageError(f"there is no database {path}. `nsysql ingest REPORT` makes one; --db names another.")
    _check_kind(path)
    deadline = time.monotonic() + wait_s
    while True:
        try:
            settings = SETTINGS if read_only else SETTINGS | NEW_FILE
            return duckdb.connect(str(path.absolute()), read_only=read_only, config=settings)
        except duckdb.Error as error:
            known = _connection_error(path, error)
            if not isinstance(known, BusyError) or time.monotonic() >= deadline:
                raise known from error
        time.sleep(0.1)


@contextmanager
def writing(path: Path, wait_s: float = 0.0) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that writes to a database file, for one process at a time. Raises what `connect` and `held` raise."""
    deadline = time.monotonic() + wait_s
    with reserved(path, wait_s), connect(path, read_only=False, wait_s=deadline - time.monotonic()) as con:
        yield con


@contextmanager
def reserved(path: Path, wait_s: float = 0.0) -> Iterator[None]:
    """No other process of nsysql writes to a database file, or makes it. Raises what `check_name` and `held` raise."""
    check_name(path)
    _check_kind(path)
    with held(path.with_name(f".{path.name}.lock"), str(path), wait_s):
        yield


def check_name(path: Path) -> None:
    """Raise UsageError for a place at which DuckDB could not open a database, or not the right one."""
    text = str(path.absolute())
    catalog = path.name.lstrip(".").split(".")[0]
    if _RESERVED.fullmatch(catalog.lower()):
        raise UsageError(f"{path}: DuckDB could not tell this file from the schema {catalog} inside; choose another name.")
    if "?" in text:
        raise UsageError(f"{text}: DuckDB takes what follows a question mark for options; choose another name or folder.")
    if not text.isprintable() or len(path.name) > 200:  # what is not UTF-8 is not printable either
        raise UsageError(f"{text!a}: DuckDB cannot open a file of this name or in this folder; choose another.")
    if not path.name or (os.path.exists(path) and not os.path.isfile(path)):  # noqa: PTH110, PTH113
        raise UsageError(f"{path} is not a file; --db names a database file, which is made if it is not there.")


def _check_kind(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return
    if head.startswith(b"SQLite format 3"):
        raise UsageError(f"{path} is an export, not a database of nsysql; `nsysql ingest {path}` loads it into one.")


def _connection_error(path: Path, error: duckdb.Error) -> NsysqlError:
    text = str(error)
    if "different configuration" in text:
        return BusyError(f"{path} is open in this process; close that Database first.")
    if "Could not set lock" in text:
        holder = re.search(r"held in (.+?) \(PID (\d+)\)", text)
        who = f" by process {holder[2]} ({Path(holder[1]).name})" if holder else ""
        if holder and int(holder[2]) == os.getppid():
            return BusyError(f"{path} is in use{who}, which started this; close the Database there first.")
        return BusyError(f"{path} is in use{who}; close that shell or wait for it to finish.")
    if "not a valid DuckDB database" in text or "serialized" in text or "version number" in text:
        return InputError(f"{path} is not a DuckDB database that this version can read: {_first_line(text)}")
    return StorageError(f"{path} cannot be opened: {_first_line(text)}")


@contextmanager
def transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """All of the block's changes or none of them."""
    con.execute("BEGIN")
    try:
        yield
        con.execute("COMMIT")
    except BaseException:
        with suppress(duckdb.Error):  # DuckDB may have ended the transaction itself
            con.execute("ROLLBACK")
        raise


@contextmanager
def translated(what: str = "") -> Iterator[None]:
    """Turn DuckDB's errors into NsysqlError: no space or not writable 9, anything else 1 with DuckDB's own words."""
    try:
        yield
    except duckdb.Error as error:
        text = str(error)
        if "KeyboardInterrupt" in text:
            raise KeyboardInterrupt from None
        prefix = f"{what}: " if what else ""
        if re.search(r"No space left|max_temp_directory_size|Read-only file system|File too large|Permission denied", text):
            raise StorageError(f"{prefix}{_first_line(text)}") from error
        if "storage version" in text.lower():
            raise UsageError(
                f"{prefix}another DuckDB made this file, in an older format that cannot hold the views; delete it if it is "
                "empty, or name another with --db."
            ) from error
        if "Referenced column" in text:
            text = f"{text.rstrip()}\n\n`nsysql show VIEW` lists the columns of a view; a text stands in single quotes."
        raise QueryError(prefix + text) from error


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0]
