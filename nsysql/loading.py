"""One report or export into a database of its own, from which it is merged: what a worker does."""

from __future__ import annotations

import hashlib
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from .blank import install_copied
from .catalog import load_catalog
from .connect import INGEST_MEMORY, NEW_FILE, SETTINGS, translated
from .errors import InputError, StorageError
from .exporter import export_by_any
from .install import fill_derived
from .loader import Loader
from .merging import settle
from .nsys import REPORT_SUFFIXES, Nsys, is_report, readers
from .sources import REPORT_ID
from .workers import Progress


def load(
    path: str,
    folder: str,
    key: str,
    known: list[str],
    tools: list[dict[str, Any]] | str,
    keep_sqlite: bool,
    thread_count: int,
    becomes: dict[str, Any] | None,
    progress: Progress,
) -> dict[str, Any]:
    """Load the file at `path` into a new database in `folder`; a report is exported first, with one of `tools`.

    `tools` is the reason if there are none. `becomes` is name and run of the report if the new database is to become the
    user's, None if only its rows are to be copied there.

    Returns what merging has to know: path, kind, sha256, size_bytes, and database (its path), notes and, if it can become
    one, settled (`merging.settle`); not the latter three if the sha256 is among `known`. Raises UsageError for a name that
    cannot be, InputError for a file that cannot be read, StorageError if there is no room.
    """
    source = Path(path)
    _check_input(source)
    kind = "nsys-rep" if is_report(source) else "sqlite"
    facts = {"path": path, "kind": kind, "sha256": _sha256(source), "size_bytes": source.stat().st_size}
    if facts["sha256"] in known:
        return facts
    place = _place(source, Path(folder), 5 if kind == "nsys-rep" else 2)
    database = place / "loaded.duckdb"
    try:
        export = source
        notes: list[str] = []
        if kind == "nsys-rep":
            export = place / "export.sqlite"
            export_by_any(source, export, _readers(source, tools), progress)
        try:
            with translated(path):
                settled = _load(export, database, facts | {"notes": notes}, key, thread_count, becomes, progress)
        except InputError as error:
            raise InputError(str(error).replace(str(export), path)) from error
        if kind == "nsys-rep" and keep_sqlite:
            notes.append(_keep(export, source.with_suffix(".sqlite")))
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return facts | {"database": str(database), "settled": settled, "notes": notes}


def _readers(report: Path, tools: list[dict[str, Any]] | str) -> list[Nsys]:
    if isinstance(tools, str):
        raise InputError(f"{report}: {tools}")
    found = [Nsys(Path(t["path"]), t["found_by"], tuple(t["version"] or ()) or None, t["trouble"]) for t in tools]
    try:
        return readers(found, report)
    except InputError as error:
        export = report.with_suffix(".sqlite")
        hint = f" Beside it is {export}, which can be ingested without." if export.is_file() else ""
        raise InputError(f"{error}{hint}") from error


def _check_input(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}.") from error
    if stat.S_ISDIR(mode):
        raise InputError(f"{path}: the folder holds no .nsys-rep, .qdrep or .sqlite file, or cannot be read.")
    if not stat.S_ISREG(mode):
        raise InputError(f"{path}: is not a file.")
    if path.suffix == ".qdstrm":
        raise InputError(
            f"{path}: is a raw stream, not a report. Nsight Systems imports it on the machine that has its host tools: "
            "`QdstrmImporter -i FILE.qdstrm` writes FILE.nsys-rep; ingest that."
        )
    if path.suffix in REPORT_SUFFIXES and path.stat().st_size == 0:
        raise InputError(f"{path}: is empty; the report was not written. Record it again, or copy it again.")


def _place(source: Path, folder: Path, times: int) -> Path:
    """A new folder for the files of one report, on a disk with room for them."""
    try:
        free = shutil.disk_usage(folder).free
        if free < times * source.stat().st_size:
            raise StorageError(
                f"{folder.parent}: {free / 1e6:.0f} MB are free; loading {source} needs about {times} times its size."
            )
        return Path(tempfile.mkdtemp(dir=folder))
    except OSError as error:
        raise StorageError(f"{folder.parent}: cannot be written: {error.strerror}") from error


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def _load(
    export: Path,
    target: Path,
    facts: dict[str, Any],
    key: str,
    thread_count: int,
    becomes: dict[str, Any] | None,
    progress: Progress,
) -> dict[str, Any] | None:
    """Fill a new database at `target`, add to the notes in `facts`; returns what `settle` does, None without `becomes`."""
    catalog = load_catalog()
    with duckdb.connect(str(target), config=SETTINGS | NEW_FILE | {"threads": thread_count}) as con:
        con.execute(f"SET memory_limit = '{INGEST_MEMORY}'")
        if not becomes:
            con.execute("SET force_compression = 'uncompressed'")
        install_copied(con, catalog)
        con.execute("SET enable_external_access = false")
        loader = Loader(con, export, key, progress)
        loader.load()
        con.execute("INSERT INTO nsysql_meta.report_files (report_id, name) VALUES (?, '')", [REPORT_ID])
        progress("derived rows", 0, 0)
        con.execute("SET threads = 1")  # the memory that one thread sorts in is enough for many rows, that of two is not
        facts["notes"] += loader.notes()
        fill_derived(con, catalog)
        return settle(con, facts, key, **becomes) if becomes else None


def _keep(export: Path, target: Path) -> str:
    """Leave the export beside its report, whole or not at all; a file that is there already stays."""
    if target.exists():
        return f"{target} was there already and stays as it was"
    part = target.with_name(f".{target.name}.part")
    try:
        shutil.copyfile(export, part)
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        return f"the export could not be kept as {target}: {error.strerror}"
    return f"the export is kept as {target}"
