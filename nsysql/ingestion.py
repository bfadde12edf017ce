"""Many reports into one database: several are loaded at once, and merged one by one in the order given."""

from __future__ import annotations

import glob
import os
import secrets
import shutil
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .errors import InputError, KeyChangedError, NsysqlError, QueryError, StorageError, UsageError
from .locks import held, is_free
from .nsys import REPORT_SUFFIXES, find_all, is_report
from .workers import Progress, Worker, WorkerDiedError

_NAME_LENGTH = 200
_JOB_BYTES = 700_000_000
"""What one load may take: DuckDB's share, its output on the way to the disk, Python and its libraries."""


@dataclass(frozen=True)
class Ingested:
    """What became of one input: report id and name, `action` (added, replaced, kept), rows, and what to know of them."""

    source: Path
    report_id: int
    name: str
    action: str
    row_count: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """How to ingest; see `nsysql ingest --help`. `jobs` None: as many as cores and memory allow."""

    database: Path
    name: str | None = None
    run: str | None = None
    replace: bool = False
    nsys: str | None = None
    wait_s: float = 30.0
    jobs: int | None = None
    keep_sqlite: bool = False


def ingest_all(
    paths: Sequence[Path], options: Options, progress: Callable[[Path], Progress] | None = None
) -> Iterator[tuple[Path, Ingested | NsysqlError]]:
    """Ingest reports, exports, folders of them; yields what became of each file, in the order given.

    Earlier reports stay as they were whatever happens. A file that is there already, loaded by an nsysql that would load
    it in the same way, is kept, so that a run that was broken off can be run again. After a bad file the others follow;
    BusyError and StorageError end the run. `progress` gives for each file what is called with (step, done, total).
    """
    files = expand_inputs(paths, options.nsys)
    _check(options, files)
    jobs = min(options.jobs or _most_jobs(), len(files))
    with _work_folder(options.database) as folder, _crew(jobs) as crew:
        run = _Run(options, crew, progress)
        static = {"folder": str(folder), "keep_sqlite": options.keep_sqlite, "tools": _tools(files, options.nsys)}
        static |= {"thread_count": max(1, _core_count() // jobs)}
        for path, future in _ahead(files, lambda path: run.load(path, static), 0 if jobs == 1 else 2 * jobs):
            try:
                yield path, run.finish(path, future, static)
            except (InputError, UsageError) as error:
                yield path, error
            except QueryError as error:
                text = str(error).splitlines()[0].removeprefix(f"{path}: ")
                yield path, InputError(f"{path}: its values cannot be worked with: {text}")


class _Run:
    """One ingest: what it knows of the database, and what it brought there."""

    def __init__(self, options: Options, crew: _Crew, progress: Callable[[Path], Progress] | None) -> None:
        self.options, self.crew, self.progress = options, crew, progress
        self.database = str(options.database.absolute())
        self.fresh: list[int] = []
        self._look()

    def _look(self) -> None:
        there = self.crew.merger.run("merging.contents", database=self.database, wait_s=self.options.wait_s)
        self.key, self.reports, self.is_new = there["key"], there["reports"], there["is_new"]
        self.known = _kept(self.reports, self.options)

    def load(self, path: Path, static: dict[str, Any]) -> Future[Any]:
        """Start to load a file; the first one into what can become the database, if there is none."""
        becomes = {"name": self.options.name, "run": self.options.run} if self.is_new else None
        self.is_new = False
        given = {"key": self.key, "known": self.known, "becomes": becomes}
        return self.crew.load(self._progress(path), path=str(path), **given, **static)

    def finish(self, path: Path, future: Future[Any], static: dict[str, Any]) -> Ingested:
        """Merge what was loaded; once more from the start if the database was made by another ingest in the meantime."""
        try:
            return self._merge(path, _result(path, future))
        except KeyChangedError:
            self._look()
            return self._merge(path, _result(path, self.load(path, static)))

    def _merge(self, path: Path, loaded: dict[str, Any]) -> Ingested:
        if "database" not in loaded:
            report = self.reports[loaded["sha256"]]
            notes = [f"{path.name} has the content that is there under this name"] if path.stem != report["name"] else []
            if self.options.keep_sqlite and loaded["kind"] == "nsys-rep":
                notes.append("--keep-sqlite: it was not exported again; --replace does")
            return Ingested(path, action="kept", notes=tuple(notes), **report)
        options = self.options
        given: dict[str, Any] = {"name": options.name, "run": options.run, "replace": options.replace}
        given |= {"wait_s": options.wait_s, "key": self.key, "database": self.database, "fresh": self.fresh}
        done = _merge(path, self.crew.merger, self._progress(path), loaded=loaded, **given)
        shutil.rmtree(Path(loaded["database"]).parent, ignore_errors=True)
        self.fresh.append(done.report_id)
        return done

    def _progress(self, path: Path) -> Progress | None:
        return self.progress(path) if self.progress else None


def expand_inputs(paths: Iterable[Path], nsys: str | None = None) -> list[Path]:
    """Files as given; a folder becomes its reports and exports, by name, or stays if it has none.

    Of a report and its export (X.nsys-rep, X.sqlite) the report is taken if there is an nsys to read it, else the export.
    A file that is named twice is taken once.
    """
    inputs: list[Path] = []
    for path in paths:
        files = _files_of(path)
        stems = {kind: {p.stem for p in files if (p.suffix == ".sqlite") == kind} for kind in (True, False)}
        twice = stems[True] & stems[False]
        prefer_reports = not twice or _has_nsys(nsys)
        inputs += [p for p in files if p.stem not in twice or (p.suffix != ".sqlite") == prefer_reports] or [path]
    once: dict[Path, Path] = {}
    for path in inputs:
        key = path.absolute()
        with suppress(OSError, RuntimeError):
            key = path.resolve()
        once.setdefault(key, path)
    return list(once.values())


def _files_of(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.suffix in (*REPORT_SUFFIXES, ".sqlite") and p.is_file())
    except OSError:
        return []  # no folder, or one that cannot be read: its turn to say so comes with the files


def _check(options: Options, files: list[Path]) -> None:
    if not files:
        raise UsageError("no file was given.")
    if options.jobs is not None and options.jobs < 1:
        raise UsageError(f"{options.jobs} jobs: at least one is needed.")
    if options.name and len(files) > 1:
        raise UsageError("--name names one report, but several files were given.")
    for option, text in (("--name", options.name), ("--run", options.run)):
        if text and (not text.isprintable() or not text.strip() or len(text) > _NAME_LENGTH):
            raise UsageError(f"{option} {text[:20]!a}: a name has printable characters, at most {_NAME_LENGTH}.")


def _tools(files: list[Path], nsys: str | None) -> list[dict[str, Any]] | str:
    """Every nsys if there is a report to export, or why there is none."""
    if not any(map(is_report, files)):
        return []
    try:
        return [asdict(tool) | {"path": str(tool.path)} for tool in find_all(nsys)]
    except InputError as error:
        return str(error)


def _has_nsys(nsys: str | None) -> bool:
    with suppress(InputError):
        return any(not tool.trouble for tool in find_all(nsys))
    return False


def _core_count() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _most_jobs() -> int:
    """Loads that the cores and the memory of the machine, or of the container, are enough for."""
    memory = _JOB_BYTES * _core_count()
    with suppress(ValueError, OSError, AttributeError):
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(ValueError, OSError):
            memory = min(memory, int(Path(limit).read_text()))
    return int(max(1, min(_core_count(), memory // _JOB_BYTES)))


def _kept(reports: dict[str, dict[str, Any]], options: Options) -> list[str]:
    """Hashes of the files that need not be loaded again, to be in the database as they are wanted."""
    runs = {sha: report.pop("run") for sha, report in reports.items()}
    if options.replace:
        return []
    return [
        sha for sha, report in reports.items() if options.name in (None, report["name"]) and options.run in (None, runs[sha])
    ]


def _ahead(paths: Sequence[Path], start: Callable[[Path], Future[Any]], count: int) -> Iterator[tuple[Path, Future[Any]]]:
    """Each path with its work, which is started up to `count` paths ahead of the one that is looked at."""
    started: deque[tuple[Path, Future[Any]]] = deque()
    for path in paths:
        started.append((path, start(path)))
        if len(started) > count:
            yield started.popleft()
    yield from started


def _result(path: Path, future: Future[Any]) -> Any:
    try:
        return future.result()
    except WorkerDiedError as died:
        advice = " Was there too little memory? --jobs 1 takes less." if died.code == -getattr(signal, "SIGKILL", 9) else ""
        raise InputError(f"{path}: the process that loaded it was ended {died.how}.{advice}") from died


def _merge(path: Path, merger: Worker, progress: Progress | None, *, database: str, **arguments: Any) -> Ingested:
    try:
        result = merger.run("merging.merge", progress, database=database, **arguments)
    except WorkerDiedError as died:
        message = f"{path}: the process that merged it into {database} was ended {died.how}; what was there before is unharmed."
        if died.code in {-getattr(signal, name, 0) for name in ("SIGABRT", "SIGXFSZ", "SIGBUS")}:
            raise StorageError(f"{message} Is the disk full?") from died
        raise InputError(message) from died
    return Ingested(path, **result | {"notes": tuple(result["notes"])})


class _Crew:
    """Workers that load, and one that merges; with one job they are the same."""

    def __init__(self, jobs: int) -> None:
        self.merger = Worker()
        self._workers = [self.merger]
        self._own = threading.local()
        self._jobs = jobs
        self._pool = ThreadPoolExecutor(jobs)

    def load(self, progress: Progress | None, **arguments: Any) -> Future[Any]:
        """Start a load as soon as a worker is free."""
        return self._pool.submit(self._load, progress, arguments)

    def _load(self, progress: Progress | None, arguments: dict[str, Any]) -> Any:
        if self._jobs == 1:
            worker = self.merger
        elif hasattr(self._own, "worker"):
            worker = self._own.worker
        else:
            worker = self._own.worker = Worker()
            self._workers.append(worker)
        return worker.run("loading.load", progress, **arguments)

    def close(self) -> None:
        """End the workers, whatever they are at."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()
        self._pool.shutdown()


@contextmanager
def _crew(jobs: int) -> Iterator[_Crew]:
    crew = _Crew(jobs)
    try:
        yield crew
    finally:
        crew.close()


@contextmanager
def _work_folder(database: Path) -> Iterator[Path]:
    """A folder beside the database for the block; those that dead ingests left there go.

    It gets its name when its lock is held, so that no other ingest takes it for one that was left.
    """
    parent = database.absolute().parent
    token = secrets.token_hex(4)
    new, folder = parent / f".{database.name}.new-{token}", parent / f".{database.name}.ingest-{token}"
    try:
        try:
            for left in parent.glob(f".{glob.escape(database.name)}.ingest-*"):
                if (left / "lock").is_file() and is_free(left / "lock"):
                    shutil.rmtree(left, ignore_errors=True)
            new.mkdir()
        except OSError as error:
            raise StorageError(f"{parent}: cannot be written: {error.strerror}") from error
        with held(new / "lock", str(new)):
            new.rename(folder)
            yield folder
    finally:
        for place in (new, folder):
            shutil.rmtree(place, ignore_errors=True)
