"""Turns a report (.nsys-rep, .qdrep) into a SQLite export with a real nsys, and verifies what nsys wrote."""

from __future__ import annotations

import re
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from .errors import InputError, StorageError
from .nsys import Nsys, run_briefly, too_new
from .sources import load_sources

_FULL_BELOW_BYTES = 1 << 20
_MESSAGE_LENGTH = 1000


class TooNewError(InputError):
    """The report was made by a newer release than this nsys."""


def export_by_any(report: Path, target: Path, tools: list[Nsys], progress: Callable[[str, int, int], None]) -> Nsys:
    """Export with the first of `tools` that can read the report, and return it.

    Raises what `export_report` raises for the first of them if none can; that the report is too new only if it is for all.
    """
    refusals: list[InputError] = []
    for tool in tools:
        progress(f"export by nsys {tool.version_text}", 0, 0)
        try:
            export_report(report, target, tool.path, progress)
        except InputError as error:
            refusals.append(error)
            with suppress(OSError):
                target.unlink(missing_ok=True)
        else:
            return tool
    others = [refusal for refusal in refusals if not isinstance(refusal, TooNewError)]
    if others:
        raise others[0]
    raise InputError(f"{report}: {too_new(report, tools)}")


def export_report(report: Path, target: Path, nsys: Path, progress: Callable[[str, int, int], None] | None = None) -> None:
    """Export `report` to the SQLite file `target`, which must not exist yet.

    nsys's exit code alone proves nothing: it is 0 on a full disk, and a failed export can leave a readable partial file.
    Its messages, SQLite's own check and the row that nsys writes last decide. `progress` is called with (step, percent,
    100). Raises InputError if the report cannot be read, TooNewError if by this nsys, StorageError if there is no room.
    """
    command = [str(nsys), "export", "--type=sqlite", f"--output={target}", *_extra_options(nsys), str(report)]
    code, said = _run(command, progress or (lambda step, done, total: None))
    if code == 0 and not said and target.exists():
        problem = _problem(target)
        if problem is None:
            return
        said = f"the export is incomplete: {problem}"
    reason = said or (f"it was ended by signal {-code}" if code < 0 else f"it wrote nothing, with exit code {code}")
    message = f"{report}: {nsys} could not export it: {reason}"
    if _is_no_room(code, said, target):
        raise StorageError(f"{message} There is no room for the export in {target.parent}.")
    if re.search(r"newer than|Version number|libprotobuf ERROR", said):
        raise TooNewError(f"{message} A newer nsys is needed: name it with --nsys.")
    damaged = re.search(r"magic number|section table|stream", said)
    advice = " The report is damaged or was not written to its end; record it again, or copy it again." if damaged else ""
    raise InputError(message + advice)


def _run(command: list[str], progress: Callable[[str, int, int], None]) -> tuple[int, str]:
    """Exit code of an nsys, and what it said on standard error besides its progress bar."""
    lines = []
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
        )
    except OSError as error:
        raise InputError(f"{command[0]} cannot be run: {error.strerror}") from error
    with process:
        try:
            assert process.stderr is not None
            for line in process.stderr:  # universal newlines: a carriage return ends a line too
                bar = re.match(r"Processing .*\[\D*(\d+)%", line)
                if bar:
                    progress("export", int(bar[1]), 100)
                elif line.strip() and not re.match(r"Processing .*\[|Generated:", line.strip()):
                    lines.append(line.strip())
        except BaseException:
            process.kill()
            raise
    return process.returncode, " ".join(lines)[:_MESSAGE_LENGTH]


def _extra_options(nsys: Path) -> list[str]:
    """Options that this nsys lists in its help: payload blobs where it can export them."""
    try:
        _, output, messages = run_briefly([nsys, "export", "--help"])
    except OSError as error:
        raise InputError(f"{nsys} cannot be run: {error.strerror or error}") from error
    return ["--include-blobs=true"] if "--include-blobs" in output + messages else []


def _is_no_room(code: int, said: str, target: Path) -> bool:
    """A full disk, a file-size limit, or a place that cannot be written."""
    too_large = getattr(signal, "SIGXFSZ", None)
    if too_large is not None and code == -too_large:
        return True
    if re.search(r"disk is full|No space left|unable to open database file|disk I/O error", said):
        return True
    try:
        return shutil.disk_usage(target.parent).free < _FULL_BELOW_BYTES
    except OSError:
        return False


def _problem(target: Path) -> str | None:
    """Why `target` is not a complete export, None if it is one."""
    if not target.is_file():
        return "it is not a file"
    with target.open("rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            return "it is not a SQLite file"
    with closing(sqlite3.connect(f"{target.absolute().as_uri()}?mode=ro", uri=True)) as db:
        try:
            result = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if result != "ok":
                return str(result)
            names = {r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table in load_sources().values():
                present = next((n for n in (table.name, table.was) if n in names), None)
                if not (table.complete and present):
                    continue
                if not db.execute(f"SELECT 1 FROM {present} WHERE {table.complete}").fetchall():
                    return f"{present} lacks the row that nsys writes last"
        except sqlite3.Error as error:
            return str(error)
    return None
