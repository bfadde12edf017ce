"""Many reports into one database: several are loaded at once, and merged one by one in the order given."""

from __future__ import annotations

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

from .errors import InputError, NsysqlError, StorageError, UsageError
from .locks import held, is_free
from .nsys import REPORT_SUFFIXES, find_all, is_report
from .workers import Progress, Worker, WorkerDiedError

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
    if not files:
        raise UsageError("no file was given.")
    if options.jobs is not None and options.jobs < 1:
        raise UsageError(f"{options.jobs} jobs: at least one is needed.")
    if options.name and len(files) > 1:
        raise UsageError("--name names one report, but several files were given.")
    tools = [_plain(tool) for tool in find_all(options.nsys)] if any(map(is_report, files)) else []
    jobs = min(options.jobs or _most_jobs(), len(files))
    with _work_folder(options.database) as folder, _crew(jobs) as crew:
        database = str(options.database.absolute())
        there = crew.merger.run("merging.contents", database=database, wait_s=options.wait_s)
        merging = {"database": database, "key": there["key"], "is_new_key": there["is_new_key"], "wait_s": options.wait_s}
        merging |= {"name": options.name, "run": options.run, "replace": options.replace}
        loading = {"folder": str(folder), "key": there["key"], "tools": tools, "keep_sqlite": options.keep_sqlite}
        loading |= {"known": _kept(there["reports"], options), "thread_count": max(1, _core_count() // jobs)}

        def start(path: Path) -> Future[Any]:
            return crew.load(progress(path) if progress else None, path=str(path), **loading)

        for path, future in _ahead(files, start, 0 if jobs == 1 else 2 * jobs):
            try:
                loaded = _result(path, future)
                if "database" in loaded:
                    done = _merge(path, crew.merger, progress, loaded=loaded, **merging)
                    shutil.rmtree(Path(loaded["database"]).parent, ignore_errors=True)
                else:
                    done = Ingested(
                        path, action="kept", notes=_not_exported(path, options), **there["reports"][loaded["sha256"]]
                    )
            except (InputError, UsageError) as error:
                yield path, error
            else:
                yield path, done


def expand_inputs(paths: Iterable[Path], nsys: str | None = None) -> list[Path]:
    """Files as given; a folder becomes its reports and exports, by name.

    Of a report and its export (X.nsys-rep, X.sqlite) the report is taken if there is an nsys to read it, else the export.
    A file that is named twice is taken once.
    """
    inputs: list[Path] = []
    for path in paths:
        if not path.is_dir():
            inputs.append(path)
            continue
        files = sorted(p for p in path.iterdir() if p.suffix in (*REPORT_SUFFIXES, ".sqlite") and p.is_file())
        if not files:
            raise InputError(f"{path}: the folder holds no .nsys-rep, .qdrep or .sqlite file.")
        stems = {kind: {p.stem for p in files if (p.suffix == ".sqlite") == kind} for kind in (True, False)}
        twice = stems[True] & stems[False]
        prefer_reports = not twice or _has_nsys(nsys)
        inputs += [p for p in files if p.stem not in twice or (p.suffix != ".sqlite") == prefer_reports]
    once: dict[Path, Path] = {}
    for path in inputs:
        once.setdefault(path.resolve(), path)
    return list(once.values())


def _not_exported(path: Path, options: Options) -> tuple[str, ...]:
    wanted = options.keep_sqlite and is_report(path)
    return ("--keep-sqlite: it is there already and was not exported again; --replace does",) if wanted else ()


def _has_nsys(nsys: str | None) -> bool:
    with suppress(InputError):
        return any(not tool.trouble for tool in find_all(nsys))
    return False


def _plain(tool: Any) -> dict[str, Any]:
    return asdict(tool) | {"path": str(tool.path)}


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
    if options.replace:
        return []
    return [
        sha
        for sha, report in reports.items()
        if options.name in (None, report["name"]) and options.run in (None, report.pop("run"))
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


def _merge(
    path: Path, merger: Worker, progress: Callable[[Path], Progress] | None, *, database: str, **arguments: Any
) -> Ingested:
    try:
        result = merger.run("merging.merge", progress(path) if progress else None, database=database, **arguments)
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
            for left in parent.glob(f".{database.name}.ingest-*"):
                if is_free(left / "lock"):
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
