"""What `stats` and `analyze` read: a database, an export, or a report, which is exported first as NVIDIA's tools do it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from nsysql.database import Database
from nsysql.errors import InputError, NsysqlError, StorageError, UsageError
from nsysql.nsys import is_report
from nsysql.printing import tell

_EXPORT, _DATABASE = b"SQLite format 3\0", b"DUCK"
"""How a file of SQLite begins, and one of DuckDB behind its checksum."""


@dataclass(frozen=True)
class Choice:
    """How to open an input; see `nsysql stats --help`. `reports` are those of a database to print, all by default.

    `questions` are views with their parameters that will be asked, any by default: of an export no more is read than they read.
    """

    sqlite: str | None = None
    force_export: bool = False
    nsys: str | None = None
    reports: tuple[str, ...] = ()
    wait_s: float = 30.0
    memory_limit: str | None = None
    questions: tuple[tuple[str, Mapping[str, str]], ...] | None = None
    is_quiet: bool = False


@dataclass(frozen=True)
class Input:
    """A report to print of: its id in the database, how lines that are printed call it, and the base name of its files."""

    report_id: int
    label: str
    base: str
    version: str | None


@contextmanager
def opened(typed: str, choice: Choice) -> Iterator[tuple[Database, list[Input]]]:
    """The database that holds the input, and the reports in it.

    Raises InputError for a file that is none of the three, UsageError for options that do not go with the input, and what
    `ingest` and `Database.open` raise.
    """
    path = Path(typed)
    if not path.exists():
        raise InputError(f"Specified input file ({path}) does not exist.")
    if is_report(path):
        label = choice.sqlite or typed.removesuffix(path.suffix) + ".sqlite"
        with _exported(path, Path(label), choice) as export, _ingested(export, choice) as database:
            yield database, _inputs(database, choice, label)
        return
    if choice.sqlite is not None:
        raise UsageError(f"--sqlite {choice.sqlite}: {path} is no report (.nsys-rep), so that nothing is exported.")
    if (head := _head(path)).startswith(_EXPORT):
        with _ingested(path, choice) as database:
            yield database, _inputs(database, choice, typed)
        return
    if not head[8:].startswith(_DATABASE):
        raise InputError(f"{path}: is no database of nsysql, no export (.sqlite) and no report (.nsys-rep).")
    with Database.open(path, wait_s=choice.wait_s, memory_limit=choice.memory_limit) as database:
        for note in database.notes:
            tell(note)
        yield database, _inputs(database, choice, typed, is_database=True)


def _inputs(database: Database, choice: Choice, label: str, is_database: bool = False) -> list[Input]:
    versions = dict(database.sql("SELECT report_id, export_version FROM reports").fetchall())
    reports = database.report_names(choice.reports)
    is_one = len(versions) == 1
    path = Path(label)
    return [
        Input(
            report_id,
            f"{label}: {name}" if is_database and not is_one else label,
            label.removesuffix(path.name) + name if is_database else label.removesuffix(path.suffix),
            versions[report_id],
        )
        for report_id, name in reports
    ]


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(16)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


@contextmanager
def _ingested(export: Path, choice: Choice) -> Iterator[Database]:
    """A database of the export alone, which goes when it is done with: of what the questions read, or of all of it."""
    from nsysql.partial import opened_part
    from nsysql.progress import ProgressBars

    if choice.questions is None:
        with _ingested_whole(export, choice) as database:
            yield database
        return
    with ExitStack() as stack:
        with ProgressBars() as bars:
            database = stack.enter_context(opened_part(export, choice.questions, choice.memory_limit, bars.of(export)))
        for note in database.notes:
            tell(f"{export.stem}: {note}")
        yield database


@contextmanager
def _ingested_whole(export: Path, choice: Choice) -> Iterator[Database]:
    from nsysql.ingestion import Options, ingest_all
    from nsysql.progress import ProgressBars

    with tempfile.TemporaryDirectory(prefix="nsysql-") as folder:
        target = Path(folder) / "report.duckdb"
        with ProgressBars() as bars:
            for path, result in ingest_all([export], Options(target, nsys=choice.nsys), bars.of):
                bars.finish(path)
                if isinstance(result, NsysqlError):
                    raise result
                for note in result.notes:
                    tell(f"{result.name}: {note}")
        with Database.open(target, memory_limit=choice.memory_limit) as database:
            yield database


@contextmanager
def _exported(report: Path, target: Path, choice: Choice) -> Iterator[Path]:
    """The export `target` of a report, which is made if it is not there.

    In a folder that cannot be written it is made elsewhere, and goes when it is done with.
    """
    if target.exists() and not choice.force_export:
        if target.stat().st_mtime < report.stat().st_mtime:
            raise InputError(f"{target} is older than {report} and may be of another one; --force-export=true makes it anew.")
        yield target
        return
    with tempfile.TemporaryDirectory(prefix="nsysql-") as folder:
        if choice.sqlite is None and not os.access(target.parent, os.W_OK):
            target = Path(folder) / target.name
        if not target.parent.is_dir():
            raise StorageError(f"{target}: there is no folder {target.parent}; make it, or name another file with --sqlite.")
        if not choice.is_quiet:
            tell(f"exporting {report} to {target}")
        _export(report, target, choice.nsys)
        yield target


def _export(report: Path, target: Path, nsys: str | None) -> None:
    from nsysql.exporter import export_by_any
    from nsysql.nsys import find_all, readers

    part = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        export_by_any(report, part, readers(find_all(nsys), report), lambda step, done, total: None)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
