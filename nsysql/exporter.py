"""Turns a report (.nsys-rep, .qdrep) into a SQLite export with a real nsys, and verifies what nsys wrote."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from .errors import InputError
from .sources import load_sources

REPORT_SUFFIXES = (".nsys-rep", ".qdrep")
_REPORT_HEADER = b"NVIDIA Tegra Profiler Report"


def is_report(path: Path) -> bool:
    """True if the file at `path` is a report that nsys has to export; False for anything else, a missing file too."""
    try:
        with path.open("rb") as file:
            return file.read(len(_REPORT_HEADER)) == _REPORT_HEADER
    except OSError:
        return False


def find_nsys(given: str | None = None) -> Path:
    """The nsys to use: `given`, else NSYSQL_NSYS, else the one on PATH. Raises InputError with what to do if none is usable."""
    named = given or os.environ.get("NSYSQL_NSYS")
    found = shutil.which(named or "nsys")
    if found:
        return Path(found)
    if named:
        raise InputError(f"{named} is not a program that can be run; --nsys or NSYSQL_NSYS must name an nsys.")
    raise InputError(
        "no nsys was found on PATH, and reading a report needs one. Install Nsight Systems, or name its nsys with --nsys "
        "PATH or NSYSQL_NSYS, or export on the machine that has it (`nsys export --type=sqlite REPORT.nsys-rep`) and "
        "ingest the .sqlite file."
    )


def has_nsys(given: str | None = None) -> bool:
    """True if `find_nsys` finds one."""
    try:
        find_nsys(given)
    except InputError:
        return False
    return True


def export_report(report: Path, target: Path, nsys: Path) -> None:
    """Export `report` to the SQLite file `target`, which must not exist yet.

    nsys's exit code alone proves nothing: it is 0 on a full disk, and a failed export can leave a readable partial file.
    Its messages, SQLite's own check and the row that nsys writes last decide. Raises InputError if any of them is wrong.
    """
    command = [str(nsys), "export", "--type=sqlite", f"--output={target}", *_extra_options(nsys), str(report)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    except OSError as error:
        raise InputError(f"{nsys} cannot be run: {error.strerror}") from error
    complaint = _complaint(done.stderr)
    if done.returncode != 0 or complaint or not target.exists():
        reason = complaint or f"exit code {done.returncode}"
        raise InputError(f"{report}: {nsys} could not export it: {reason}{_advice(reason)}")
    problem = _problem(target)
    if problem:
        raise InputError(f"{report}: the export by {nsys} is incomplete: {problem}. Is the disk full?")


def _extra_options(nsys: Path) -> list[str]:
    """Options that this nsys lists in its help: payload blobs where it can export them."""
    try:
        shown = subprocess.run([str(nsys), "export", "--help"], capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise InputError(f"{nsys} cannot be run: {error.strerror}") from error
    return ["--include-blobs=true"] if "--include-blobs" in shown.stdout + shown.stderr else []


def _complaint(stderr: str) -> str:
    """What nsys said on stderr besides its progress bar; empty if nothing."""
    lines = [line.strip() for line in re.split(r"[\r\n]", stderr)]
    return " ".join(line for line in lines if line and not re.match(r"Processing .*\[|Generated:", line))


def _advice(reason: str) -> str:
    if "newer than" in reason or "Version number" in reason:
        return " A newer nsys is needed: name it with --nsys."
    if "magic number" in reason or "section table" in reason or "stream" in reason:
        return " The report is damaged or was not written to its end; record it again, or copy it again."
    return ""


def _problem(target: Path) -> str | None:
    """Why `target` is not a complete export, None if it is one."""
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
