"""The nsys programs of this machine: where they are, which version, which of them can read a report."""

from __future__ import annotations

import glob
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .errors import InputError

Version = tuple[int, ...]

INSTALL = (
    "Install Nsight Systems (https://developer.nvidia.com/nsight-systems; the CLI-only package will do. The Python packages "
    "named nvidia-nsys hold no program)"
)

PLACES = (
    "/opt/nvidia/nsight-systems/*/bin/nsys",
    "/opt/nvidia/nsight-systems/*/target-linux-*/nsys",
    "/opt/nvidia/nsight-systems-cli/*/bin/nsys",
    "/opt/nvidia/nsight-systems-cli/*/target-linux-*/nsys",
    "/usr/local/cuda*/nsight-systems-*/bin/nsys",
    "/usr/local/cuda*/nsight-systems-*/target-linux-*/nsys",
    "/usr/local/cuda*/bin/nsys",
    "/usr/local/bin/nsys",
    "/opt/nvidia/hpc_sdk/Linux_*/*/profilers/Nsight_Systems/bin/nsys",
    "/opt/nvidia/hpc_sdk/Linux_*/*/profilers/*/Nsight_Systems/bin/nsys",
    "/opt/nvidia/nsight-compute/*/host/target-linux-*/nsys",
    "/usr/bin/nsys",
    "/usr/lib/nsight-systems/bin/nsys",
    "/usr/lib/*/nsight-systems/target-linux-*/nsys",
    "/usr/lib/nsight-systems/Target-*/*/nsys",
    "C:/Program Files/NVIDIA Corporation/Nsight Systems */target-windows-*/nsys.exe",
)
"""Where installers, toolkits, containers and distributions put it."""

REPORT_SUFFIXES = (".nsys-rep", ".qdrep")
NAMED_BY = ("--nsys", "NSYSQL_NSYS")
_running: set[subprocess.Popen[bytes]] = set()
_REPORT_HEADER = b"NVIDIA Tegra Profiler Report"
ANSWER_S = 20
_FIRST_NSYS_REP = (2021, 4)
_FIRST_EXPORT = (2020,)


@dataclass(frozen=True)
class Nsys:
    """One nsys: path, how it was found, version (None if it does not say), and why it cannot be used ('' if it can)."""

    path: Path
    found_by: str
    version: Version | None = None
    trouble: str = ""

    @property
    def version_text(self) -> str:
        """As nsys prints it, without the build's hash."""
        return ".".join(map(str, self.version or ()))

    def is_too_old(self, report: Version | None) -> bool:
        """True if the report was made by a newer release; patch builds of one release read each other's reports."""
        return report is not None and self.version is not None and self.version[:3] < report[:3]

    def remarks(self) -> list[str]:
        """What to know about this copy before relying on it."""
        found = []
        if "nsight-compute" in self.path.as_posix():
            found.append("bundled with Nsight Compute: exports reports, cannot import a raw .qdstrm")
        if self.path.as_posix().startswith("/usr/lib/") or self.path.as_posix() == "/usr/bin/nsys":
            found.append("the distribution's build, often years behind: it cannot read reports of newer releases")
        if self.version and self.version < _FIRST_NSYS_REP:
            found.append("from before 2021.4: knows only .qdrep")
        return found


def is_report(path: Path) -> bool:
    """True if the file at `path` is a report that nsys has to export; False for anything else, a missing file too."""
    return _head(path).startswith(_REPORT_HEADER)


def report_version(path: Path) -> Version | None:
    """Release of Nsight Systems that made a report; None if the report does not say (before 2023.4) or is none."""
    match = re.match(rb"NVIDIA Tegra Profiler Report (\d+)@(\d+)@(\d+)@(\d+)", _head(path))
    return tuple(map(int, match.groups())) if match else None


def _head(path: Path) -> bytes:
    if not os.path.isfile(path):  # noqa: PTH113
        return b""
    try:
        with path.open("rb") as file:
            return file.read(128)
    except OSError:
        return b""


def find_all(given: str | None = None) -> list[Nsys]:
    """Every nsys of this machine with its version, the usable ones first: the named one, then the newest.

    Named is `given`, else what NSYSQL_NSYS holds. Raises InputError if the named one is no program.
    """
    places: dict[Path, tuple[Path, str]] = {}
    for path, found_by in _places(given):
        places.setdefault(path.resolve(), (path, found_by))
    found = _ask_all(list(places.values()))
    named = [n for n in found if n.found_by in NAMED_BY]
    others = sorted((n for n in found if n not in named), key=lambda n: n.version or (), reverse=True)
    return sorted(named + others, key=lambda n: bool(n.trouble))


def _places(given: str | None) -> Iterator[tuple[Path, str]]:
    named = given or os.environ.get("NSYSQL_NSYS")
    if named:
        program = shutil.which(named)
        if program is None:
            raise InputError(f"{named} is not a program that can be run; --nsys or NSYSQL_NSYS must name an nsys.")
        yield Path(program).absolute(), "NSYSQL_NSYS" if named == os.environ.get("NSYSQL_NSYS") else "--nsys"
    if home := os.environ.get("NSYS_HOME"):
        yield from _programs([f"{glob.escape(home)}/bin/nsys"], "NSYS_HOME")
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    yield from _programs([f"{glob.escape(folder)}/nsys{'.exe' if os.name == 'nt' else ''}" for folder in folders], "PATH")
    yield from _programs(PLACES, "its usual place")


def _programs(patterns: Sequence[str], found_by: str) -> Iterator[tuple[Path, str]]:
    for pattern in patterns:
        for path in sorted(map(Path, glob.glob(pattern)), reverse=True):  # noqa: PTH207
            if path.is_file() and os.access(path, os.X_OK):
                yield path.absolute(), found_by


def _ask_all(places: list[tuple[Path, str]]) -> list[Nsys]:
    """Ask all at once; Ctrl-C does not wait for one that hangs."""
    answers: dict[int, Nsys] = {}

    def ask(number: int) -> None:
        answers[number] = _ask(*places[number])

    threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(len(places))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:
        for process in list(_running):
            _end(process)
        raise
    return [answers[number] for number in range(len(places))]


def run_briefly(command: list[str | Path]) -> tuple[int, str, str]:
    """Exit code, output and messages of a program that answers at once; raises OSError, or TimeoutError after ANSWER_S.

    Files take what it prints, so that nothing is waited for that it leaves behind.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=messages, start_new_session=hasattr(os, "killpg")
        )
        _running.add(process)
        try:
            code = process.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"did not answer within {ANSWER_S} s") from None
        finally:
            _running.discard(process)
            if process.poll() is None:
                _end(process)
        output.seek(0)
        messages.seek(0)
        return code, output.read().decode(errors="replace"), messages.read().decode(errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _ask(path: Path, found_by: str) -> Nsys:
    """Run `--version`: that a program is there proves nothing, since CUDA ships a wrapper without the product."""
    try:
        code, output, messages = run_briefly([path, "--version"])
    except OSError as error:
        return Nsys(path, found_by, trouble=f"cannot be run: {error.strerror or error}")
    match = re.search(r"(\d{4})\.(\d+)\.(\d+)(?:\.(\d+))?", output)
    version = tuple(int(part) for part in match.groups() if part) if match else None
    if code != 0:
        said = " ".join((messages or output).split())[:200] or f"exit code {code}"
        missing = "a wrapper without Nsight Systems behind it: " if "not found" in said else ""
        return Nsys(path, found_by, version, f"cannot be run: {missing}{said}")
    if version is None:
        return Nsys(path, found_by, trouble="is no nsys: --version prints no version")
    if version < _FIRST_EXPORT:
        return Nsys(path, found_by, version, "from before 2020: has no export command")
    return Nsys(path, found_by, version)


def searched() -> str:
    """Where `find_all` looks, in a sentence."""
    return f"nsys is looked for at --nsys, NSYSQL_NSYS, NSYS_HOME, on PATH, and at {', '.join(PLACES)}."


def judge(found: list[Nsys], report: Path | None = None) -> list[tuple[Nsys, str]]:
    """Each of `found` with what becomes of it for the report, or for any: used, not needed, too old, unusable."""
    wanted = report_version(report) if report else None
    verdicts: list[tuple[Nsys, str]] = []
    used = False
    for nsys in found:
        if nsys.trouble:
            verdict = nsys.trouble
        elif nsys.is_too_old(wanted):
            verdict = f"too old: {report} was made by {'.'.join(map(str, wanted or ()))}"
        elif used:
            verdict = "not needed: tried when those above are too old for a report"
        else:
            verdict = "used: named" if nsys.found_by in NAMED_BY else "used: the newest"
            used = True
        verdicts.append((nsys, verdict))
    return verdicts


def readers(found: list[Nsys], report: Path | None = None) -> list[Nsys]:
    """Those of `found` that may read the report, best first.

    Raises InputError with what to do if none can, or if the one that the user named cannot be used at all.
    """
    unusable = [n for n in found if n.found_by in NAMED_BY and n.trouble]
    if unusable:
        what = f"{unusable[0].path}, which {unusable[0].found_by} names, {unusable[0].trouble}"
        raise InputError(f"{report or 'any report'}: {what}. Name another, or none to have one found.")
    usable = [n for n in found if not n.trouble]
    if not usable:
        broken = "".join(f" {n.path} {n.trouble}." for n in found)
        what = f"{report}: reading a report" if report else "reading a report"
        raise InputError(
            f"{what} needs an nsys, and none was found on PATH or where installers put it.{broken} {INSTALL}, or name one "
            "with --nsys PATH or NSYSQL_NSYS, or export on the machine that has it (`nsys export --type=sqlite "
            "REPORT.nsys-rep`) and ingest the .sqlite file. `nsysql doctor` tells where it was looked for."
        )
    wanted = report_version(report) if report else None
    able = [n for n in usable if not n.is_too_old(wanted)]
    if report and not able:
        raise InputError(f"{report}: {too_new(report, usable)}")
    return able


def too_new(report: Path, tried: list[Nsys]) -> str:
    """What to say of a report that every nsys here is too old for."""
    made_by = report_version(report)
    needed = f"nsys {'.'.join(map(str, made_by[:3]))} or newer" if made_by else "a newer nsys than those here"
    have = ", ".join(f"{n.version_text or 'unknown version'} ({n.path})" for n in tried)
    return f"needs {needed}; here are {have}. {INSTALL}, and name it with --nsys if it is not found by itself."
