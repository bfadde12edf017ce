"""From report files to one database: export, load into a temporary database, check, merge in one transaction."""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from . import __version__
from .catalog import load_catalog
from .connect import NEW_FILE, SETTINGS, connect, transaction, translated
from .errors import BusyError, InputError, StorageError, UsageError
from .exporter import REPORT_SUFFIXES, export_report, find_nsys, has_nsys, is_report
from .install import create_tables, install, install_views
from .loader import Loader
from .sources import load_sources

_MEMORY = "300MB"
"""DuckDB's share while loading and merging; what does not fit goes to a temporary file."""

_LOADED = "nsysql_loaded"
"""What the temporary database is attached as."""

Progress = Callable[[str, int, int], None]
"""Called with (step, done, total); total 0 means not known."""


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
class _Source:
    path: Path
    kind: str
    sha256: str
    size_bytes: int


def ingest_one(
    path: Path,
    database: Path,
    *,
    name: str | None = None,
    run: str | None = None,
    replace: bool = False,
    nsys: str | None = None,
    wait_s: float = 30.0,
    progress: Progress | None = None,
) -> Ingested:
    """Ingest one report or export into the database file, which is made if it is missing.

    Earlier reports stay as they were whatever happens. The same content again replaces itself; an export of a report
    that is there already is kept out. Raises InputError for a file that cannot be read, UsageError for a name that
    another report has (unless `replace`), BusyError and StorageError for the database.
    """
    progress = progress or (lambda step, done, total: None)
    _check_input(path)
    folder = _work_folder(database, path)
    try:
        source, export = _obtain_export(path, folder, nsys, progress)
        key, known_key = _hash_key(database, wait_s)
        loaded = folder / "loaded.duckdb"
        with translated(str(path)):
            notes = _load(export, loaded, key, progress)
        report = _Report(source, name, run, replace)
        with translated(str(database)):
            return report.merge(loaded, database, key, known_key, wait_s, notes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def expand_inputs(paths: Iterable[Path], nsys: str | None = None) -> list[Path]:
    """Files as given; a folder becomes its reports and exports, by name.

    Of a report and its export (X.nsys-rep, X.sqlite) the report is taken if there is an nsys to read it, else the export.
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
        prefer_reports = not twice or has_nsys(nsys)
        inputs += [p for p in files if p.stem not in twice or (p.suffix != ".sqlite") == prefer_reports]
    return inputs


def _check_input(path: Path) -> None:
    if not path.exists():
        raise InputError(f"{path}: there is no such file.")
    if not path.is_file():
        raise InputError(f"{path}: is not a file.")
    if path.suffix == ".qdstrm":
        raise InputError(
            f"{path}: is a raw stream, not a report. Nsight Systems imports it on the machine that has its host tools: "
            "`QdstrmImporter -i FILE.qdstrm` writes FILE.nsys-rep; ingest that."
        )


def _work_folder(database: Path, source: Path) -> Path:
    parent = database.absolute().parent
    try:
        free = shutil.disk_usage(parent).free
        if free < 2 * source.stat().st_size:
            raise StorageError(f"{parent}: {free / 1e6:.0f} MB are free; loading {source} needs about twice its size.")
        return Path(tempfile.mkdtemp(prefix=f".{database.name}.ingest-", dir=parent))
    except OSError as error:
        raise StorageError(f"{parent}: cannot be written: {error.strerror}") from error


def _obtain_export(path: Path, folder: Path, nsys: str | None, progress: Progress) -> tuple[_Source, Path]:
    kind = "nsys-rep" if is_report(path) else "sqlite"
    export = path
    if kind == "nsys-rep":
        try:
            tool = find_nsys(nsys)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        progress(f"export by {tool.name}", 0, 0)
        export = folder / "export.sqlite"
        export_report(path, export, tool)
    elif path.suffix in REPORT_SUFFIXES and path.stat().st_size == 0:
        raise InputError(f"{path}: is empty; the report was not written. Record it again, or copy it again.")
    return _Source(path, kind, _sha256(path), path.stat().st_size), export


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def _hash_key(database: Path, wait_s: float) -> tuple[str, bool]:
    """The database's key for keyed hashes and True, or a new one and False if there is no database yet."""
    if database.exists():
        with connect(database, read_only=True, wait_s=wait_s) as con, translated(str(database)):
            try:
                rows = con.execute("SELECT value FROM nsysql_meta.settings WHERE name = 'hash_key'").fetchall()
            except duckdb.CatalogException:
                rows = []
        if rows:
            return str(rows[0][0]), True
    return secrets.token_hex(16), False


def _load(export: Path, target: Path, key: str, progress: Progress) -> tuple[str, ...]:
    catalog = load_catalog()
    with duckdb.connect(str(target), config=SETTINGS | NEW_FILE) as con:
        con.execute(f"SET force_compression = 'uncompressed'; SET memory_limit = '{_MEMORY}'")
        con.execute("SET enable_external_access = false")
        create_tables(con)
        loader = Loader(con, export, key, progress)
        loader.load()
        con.execute("INSERT INTO nsysql_meta.report_files (report_id, name) VALUES (0, '')")
        progress("derived rows", 0, 0)
        install_views(con, catalog, catalog.closure([v.name for v in catalog.tables] + ["reports"]))
        return loader.notes()


@dataclass(frozen=True)
class _Report:
    """One loaded report on its way into the database."""

    source: _Source
    name: str | None
    run: str | None
    replace: bool

    def merge(self, loaded: Path, database: Path, key: str, known_key: bool, wait_s: float, notes: tuple[str, ...]) -> Ingested:
        """Copy the loaded rows into the database in one transaction, then checkpoint."""
        with connect(database, read_only=False, wait_s=wait_s) as con:
            install(con, load_catalog())
            _set_key(con, key, known_key, database)
            con.execute(f"SET memory_limit = '{_MEMORY}'")
            con.execute(f"ATTACH '{_escaped(loaded)}' AS {_LOADED} (READ_ONLY)")
            content_id = _content_id(con)
            with transaction(con):
                result = self._insert(con, content_id, notes)
            con.execute(f"DETACH {_LOADED}")
            con.execute("CHECKPOINT")
        return result

    def _insert(self, con: duckdb.DuckDBPyConnection, content_id: str | None, notes: tuple[str, ...]) -> Ingested:
        rows_total = int(con.execute(f"SELECT sum(loaded_row_count) FROM {_LOADED}.nsysql_meta.source_tables").fetchall()[0][0])
        same = _find(con, "source_sha256 = ? OR content_id = ?", [self.source.sha256, content_id])
        if same and same[2] == "nsys-rep" and self.source.kind == "sqlite":
            note = f"it is the export of {same[3]}, which is there already"
            return Ingested(self.source.path, same[0], same[1], "kept", rows_total, (note, *notes))
        name = self.name or (same[1] if same else self.source.path.stem)
        if name.isdigit():
            raise UsageError(f"{name!r} would be taken for a report's number; give the report a name with --name.")
        if same and same[4] != self.source.sha256 and rows_total < _row_total(con, same[0]) and not self.replace:
            raise UsageError(
                f"{self.source.path}: is the same recording as {same[3]}, which is there with more rows; --replace puts "
                "this one in its place."
            )
        if same and same[4] != self.source.sha256:
            notes = (f"{self.source.path.name} is the same recording as {same[3]}, which it takes the place of", *notes)
        holder = _find(con, "name = ?", [name])
        if holder and not (same and holder[0] == same[0]) and not self.replace:
            raise UsageError(
                f"a report named {name!r} with other content is in the database: --name NAME gives this one another "
                "name, --replace puts it in the place of that one."
            )
        doomed = [r for r in (same, holder) if r]
        report_id = doomed[0][0] if doomed else _next_id(con)
        for old in doomed:
            _delete_report(con, old[0])
        _copy_report(con, report_id)
        con.execute(
            "INSERT INTO nsysql_meta.report_files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, now()::TIMESTAMP, ?)",
            [
                report_id,
                name,
                self.run,
                self.source.sha256[:16],
                self.source.path.name,
                self.source.kind,
                self.source.size_bytes,
                self.source.sha256,
                content_id,
                __version__,
            ],
        )
        return Ingested(self.source.path, report_id, name, "replaced" if doomed else "added", rows_total, notes)


def _find(con: duckdb.DuckDBPyConnection, where: str, values: list[str | None]) -> tuple[int, str, str, str, str] | None:
    columns = "report_id, name, source_kind, source_file, source_sha256"
    rows = con.execute(f"SELECT {columns} FROM nsysql_meta.report_files WHERE {where} ORDER BY ALL", values).fetchall()
    return rows[0] if rows else None


def _row_total(con: duckdb.DuckDBPyConnection, report_id: int) -> int:
    query = "SELECT sum(loaded_row_count) FROM nsysql_meta.source_tables WHERE report_id = ?"
    return int(con.execute(query, [report_id]).fetchall()[0][0])


def _next_id(con: duckdb.DuckDBPyConnection) -> int:
    """An id that no report has or had."""
    rows = con.execute(
        "SELECT CAST(value AS INTEGER) FROM nsysql_meta.settings WHERE name = 'last_report_id' "
        "UNION ALL SELECT report_id FROM nsysql_meta.report_files"
    ).fetchall()
    report_id = max((r[0] for r in rows), default=0) + 1
    con.execute("INSERT OR REPLACE INTO nsysql_meta.settings VALUES ('last_report_id', ?)", [str(report_id)])
    return report_id


def _report_tables(con: duckdb.DuckDBPyConnection, database: str) -> list[str]:
    """Every table with rows of reports, but for the list of reports itself."""
    rows = con.execute(
        f"""SELECT t.schema_name || '.' || t.table_name
        FROM duckdb_tables() AS t
        INNER JOIN duckdb_columns() AS c USING (database_name, schema_name, table_name)
        WHERE t.database_name = {database} AND c.column_name = 'report_id' AND t.table_name <> 'report_files'
            AND t.schema_name IN ('raw', 'derived', 'nsysql_meta')
        ORDER BY ALL"""
    ).fetchall()
    return [str(r[0]) for r in rows]


def _copy_report(con: duckdb.DuckDBPyConnection, report_id: int) -> None:
    for table in _report_tables(con, f"'{_LOADED}'"):
        con.execute(
            f"INSERT INTO {table} BY NAME SELECT {report_id} AS report_id, * EXCLUDE (report_id) FROM {_LOADED}.{table}"
        )


def _delete_report(con: duckdb.DuckDBPyConnection, report_id: int) -> None:
    for table in _report_tables(con, "current_database()"):
        con.execute(f"DELETE FROM {table} WHERE report_id = {report_id}")
    con.execute(f"DELETE FROM nsysql_meta.report_files WHERE report_id = {report_id}")


def _content_id(con: duckdb.DuckDBPyConnection) -> str | None:
    """Equal for a report and its exports: session start, capture length, rows of the identity tables.

    None if the report does not say when it started: two runs of a program could not be told apart then.
    """
    start, duration = con.execute(f"SELECT start_utc_ns, duration_ns FROM {_LOADED}.v1.reports").fetchall()[0]
    if start is None:
        return None
    names = [spec.name for spec in load_sources().values() if spec.is_identity]
    query = f"SELECT table_name, row_count FROM {_LOADED}.nsysql_meta.source_tables"
    counts = con.execute(f"{query} WHERE list_contains(?, table_name) ORDER BY ALL", [names]).fetchall()
    return hashlib.sha256(json.dumps([start, duration, counts]).encode()).hexdigest()[:16]


def _set_key(con: duckdb.DuckDBPyConnection, key: str, known: bool, database: Path) -> None:
    con.execute("INSERT OR IGNORE INTO nsysql_meta.settings VALUES ('hash_key', ?)", [key])
    stored = con.execute("SELECT value FROM nsysql_meta.settings WHERE name = 'hash_key'").fetchall()[0][0]
    if stored != key and not known:
        raise BusyError(f"{database} was made by another ingest in the meantime; run this one again.")


def _escaped(path: Path) -> str:
    return str(path).replace("'", "''")
