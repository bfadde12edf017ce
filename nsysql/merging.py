"""Reports into and out of the database, each in one transaction: what the only worker that writes does."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from . import __version__
from .answers import resolved
from .catalog import load_catalog
from .connect import INGEST_MEMORY, check_name, connect, reserved, transaction, translated, writing
from .errors import KeyChangedError, StorageError, UsageError
from .families import classify, keep_rules, own_rules, read_rules
from .install import install, refuse_newer
from .settings import keep_setting, setting
from .sources import REPORT_ID, load_sources, sources_hash
from .sqltext import literal
from .workers import Progress

_LOADED = "nsysql_loaded"
"""What the temporary database is attached as."""

_SAME_LOADER = "SELECT source_sha256, report_id, name, run FROM nsysql_meta.report_files WHERE loader_hash = ?"


def contents(database: str, wait_s: float, progress: Progress) -> dict[str, Any]:
    """Of a database that may not exist yet: is_new, key (for keyed hashes) and reports (sha256 -> report_id, name,
    run, row_count).

    Only reports that this nsysql would load in the same way are listed.
    """
    path = Path(database)
    check_name(path)
    key: str | None = None
    reports: dict[str, dict[str, Any]] = {}
    if path.exists():
        with connect(path, read_only=True, wait_s=wait_s) as con, translated(database):
            try:
                key = setting(con, "hash_key")
                for sha256, report_id, name, run in con.execute(_SAME_LOADER, [loader_hash()]).fetchall():
                    row_count = _row_total(con, "", report_id)
                    reports[sha256] = {"report_id": report_id, "name": name, "run": run, "row_count": row_count}
            except (duckdb.CatalogException, duckdb.BinderException):
                pass
    return {"is_new": not os.path.lexists(path), "key": key or secrets.token_hex(16), "reports": reports}


def loader_hash() -> str:
    """Equal for nsysql versions that load the same rows from a file."""
    return hashlib.sha256(f"{__version__} {sources_hash()}".encode()).hexdigest()[:16]


def merge(
    loaded: dict[str, Any],
    database: str,
    key: str,
    wait_s: float,
    name: str | None,
    run: str | None,
    replace: bool,
    fresh: list[int],
    progress: Progress,
) -> dict[str, Any]:
    """Copy what `loading.load` made into the database in one transaction, then checkpoint; or let it become the database.

    `fresh` are the reports that this ingest brought: no other file takes their place. Returns report_id, name, action (added,
    replaced, kept), row_count, notes. Raises UsageError for a name that another report has (unless `replace`), BusyError and
    StorageError for the database.
    """
    path = Path(database)
    progress("merge", 0, 0)
    if loaded["settled"]:
        with reserved(path, wait_s):
            if not os.path.lexists(path):  # a link to a file that is to be made stays a link
                return _become(path, loaded)
    with writing(path, wait_s) as con, translated(database):
        refuse_newer(con, database)
        install(con, load_catalog())
        _set_key(con, key, path)
        con.execute(f"SET memory_limit = '{INGEST_MEMORY}'")
        con.execute(f"ATTACH {literal(loaded['database'])} AS {_LOADED} (READ_ONLY)")
        report = _Report(con, loaded, name, run, replace, fresh, _content_id(con, _LOADED), _LOADED)
        with transaction(con):
            result = report.insert()
        con.execute(f"DETACH {_LOADED}")
        result["notes"] += _checkpoint(con)
    return result


def settle(
    con: duckdb.DuckDBPyConnection, loaded: dict[str, Any], key: str, name: str | None, run: str | None
) -> dict[str, Any]:
    """Give the only report of the database behind `con` its name and number, and checkpoint; returns what `merge` does."""
    keep_setting(con, "hash_key", key)
    report = _Report(con, loaded, name, run, False, [], _content_id(con, ""), "")
    with transaction(con):
        con.execute("DELETE FROM nsysql_meta.report_files")
        result = report.insert()
    con.execute("CHECKPOINT")  # a file is to be moved, which must not have a log beside it
    return result


def _become(path: Path, loaded: dict[str, Any]) -> dict[str, Any]:
    """Let the database that was loaded, and settled, be the one at `path`."""
    try:
        Path(loaded["database"]).replace(path)
    except OSError as error:
        raise StorageError(f"{path}: cannot be made: {error.strerror}.") from error
    return dict(loaded["settled"], notes=loaded["notes"])


def drop(names: list[str], database: str, wait_s: float, progress: Progress) -> list[list[Any]]:
    """Delete reports, given by name, id or run (the first of these that fits), with all their rows; returns (id, name) of each.

    Raises UsageError, with nothing deleted, if one is not there.
    """
    path = Path(database)
    check_name(path)
    if not os.path.exists(path):  # noqa: PTH110
        raise UsageError(f"there is no database {database}.")
    with writing(path, wait_s) as con, translated(database):
        try:
            rows = con.execute("SELECT name, report_id, run FROM nsysql_meta.report_files ORDER BY report_id").fetchall()
        except duckdb.CatalogException:
            raise UsageError(f"{database} holds no reports of nsysql.") from None
        refuse_newer(con, database)
        try:
            ids = resolved(rows, names, path)
        except UsageError as error:
            raise UsageError(f"{error} Nothing was dropped.") from None
        doomed = [[report_id, name] for name, report_id, _ in rows if report_id in ids]
        with transaction(con):
            for report_id, _ in doomed:
                _delete(con, report_id)
        _checkpoint(con)
    return doomed


def set_families(file: str | None, database: str, wait_s: float, progress: Progress) -> dict[str, Any]:
    """Keep the rules of `file`, or none, in the place of those that the database has, and sort all kernel names by them.

    Returns rule_count, and idle_lines of the rules that are the first to match for no kernel name in the database.
    """
    rules = read_rules(Path(file)) if file else []
    path = Path(database)
    check_name(path)
    if not rules and not path.exists():
        return {"rule_count": 0, "idle_lines": []}
    with writing(path, wait_s) as con, translated(database):
        refuse_newer(con, database)
        install(con, load_catalog())
        if own_rules(con) != rules:
            with transaction(con):
                keep_rules(con, rules)
                classify(con, load_catalog().schema)
            _checkpoint(con)
        lines = con.execute("SELECT DISTINCT line FROM nsysql_meta.kernel_names WHERE is_own").fetchall()
    used = {line for (line,) in lines}
    return {"rule_count": len(rules), "idle_lines": [rule["line"] for rule in rules if rule["line"] not in used]}


def _checkpoint(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Move what was committed from DuckDB's log into the file; a note if there is no room, for then it stays in the log."""
    try:
        con.execute("CHECKPOINT")
    except duckdb.Error as error:
        return [f"it is safe, but in the log beside the database, which could not be emptied: {str(error).splitlines()[0]}"]
    return []


@dataclass(frozen=True)
class _Report:
    """One loaded report on its way into the database behind `con`, from another one attached there or, without, in place."""

    con: duckdb.DuckDBPyConnection
    loaded: dict[str, Any]
    name: str | None
    run: str | None
    replace: bool
    fresh: list[int]
    content_id: str | None
    attached: str

    @property
    def path(self) -> Path:
        return Path(self.loaded["path"])

    def insert(self) -> dict[str, Any]:
        """Put it in the place of the same report, or of one with its name if that is wanted, else beside the others."""
        row_count = _row_total(self.con, self.attached, REPORT_ID)
        notes = list(self.loaded["notes"])
        same = self._find("source_sha256 = ? OR content_id = ?", [self.loaded["sha256"], self.content_id])
        if same and same.kind == "nsys-rep" and self.loaded["kind"] == "sqlite" and not self.replace:
            note = f"it is the export of {same.file}, which is there already"
            return _result(same.report_id, same.name, "kept", _row_total(self.con, "", same.report_id), [note])
        name = self.name or (same.name if same else _readable(self.path.stem))
        if name.isdigit():
            raise UsageError(f"{self.path}: {name!r} would be taken for a report's number; give the report a name with --name.")
        if same and same.name != name:
            notes.insert(0, f"it was named {same.name} before")
        if same and same.sha256 != self.loaded["sha256"]:
            self._check_is_no_less(same, row_count)
            notes.insert(0, f"{self.path.name} is the same recording as {same.file}, which it takes the place of")
        holder = self._find("name = ?", [name])
        is_clash = holder and not (same and holder.report_id == same.report_id)
        if holder and is_clash and holder.report_id in self.fresh:
            raise UsageError(
                f"{self.path}: another file of this ingest has the name {name!r}; ingest this one with --name NAME."
            )
        if is_clash and not self.replace:
            raise UsageError(
                f"{self.path}: a report named {name!r} with other content is in the database: --name NAME gives this one "
                "another name, --replace puts it in the place of that one."
            )
        doomed = [report for report in (same, holder) if report]
        report_id = doomed[0].report_id if doomed else _next_id(self.con)
        for report in doomed:
            _delete(self.con, report.report_id)
        self._copy(report_id, name, self.run or (doomed[0].run if doomed else None))
        classify(self.con, load_catalog().schema, report_id)
        return _result(report_id, name, "replaced" if doomed else "added", row_count, notes)

    def _check_is_no_less(self, same: _Known, row_count: int) -> None:
        if row_count < _row_total(self.con, "", same.report_id) and not self.replace:
            raise UsageError(
                f"{self.path}: is the same recording as {same.file}, which is there with more rows; --replace puts this one "
                "in its place."
            )

    def _find(self, where: str, values: list[str | None]) -> _Known | None:
        columns = "report_id, name, run, source_kind, source_file, source_sha256"
        query = f"SELECT {columns} FROM nsysql_meta.report_files WHERE {where} ORDER BY ALL"
        rows = self.con.execute(query, values).fetchall()
        return _Known(*rows[0]) if rows else None

    def _copy(self, report_id: int, name: str, run: str | None) -> None:
        for table in _tables(self.con, literal(self.attached), "AND t.estimated_size > 0") if self.attached else ():
            rows = f"SELECT {report_id} AS report_id, * EXCLUDE (report_id) FROM {self.attached}.{table}"
            self.con.execute(f"INSERT INTO {table} BY NAME {rows}")
        row = {
            "report_id": report_id,
            "name": name,
            "run": run,
            "report_uid": self.loaded["sha256"][:16],
            "source_file": _readable(self.path.name),
            "source_kind": self.loaded["kind"],
            "source_bytes": self.loaded["size_bytes"],
            "source_sha256": self.loaded["sha256"],
            "content_id": self.content_id,
            "nsysql_version": __version__,
            "loader_hash": loader_hash(),
        }
        marks = ", ".join("?" * len(row))
        self.con.execute(
            f"INSERT INTO nsysql_meta.report_files ({', '.join(row)}, ingested_at) VALUES ({marks}, now()::TIMESTAMP)",
            list(row.values()),
        )


@dataclass(frozen=True)
class _Known:
    """A report of the database."""

    report_id: int
    name: str
    run: str | None
    kind: str
    file: str
    sha256: str


def _readable(name: str) -> str:
    """A file's name as text, which it need not be."""
    return os.fsencode(name).decode("utf-8", "replace")


def _result(report_id: int, name: str, action: str, row_count: int, notes: list[str]) -> dict[str, Any]:
    return {"report_id": report_id, "name": name, "action": action, "row_count": row_count, "notes": notes}


def _row_total(con: duckdb.DuckDBPyConnection, catalog: str, report_id: int) -> int:
    table = f"{catalog}.nsysql_meta.source_tables" if catalog else "nsysql_meta.source_tables"
    return int(
        con.execute(f"SELECT coalesce(sum(loaded_row_count), 0) FROM {table} WHERE report_id = ?", [report_id]).fetchall()[0][0]
    )


def _next_id(con: duckdb.DuckDBPyConnection) -> int:
    """An id that no report has or had."""
    rows = con.execute("SELECT report_id FROM nsysql_meta.report_files").fetchall()
    report_id: int = max(int(setting(con, "last_report_id") or 0), *(r[0] for r in rows), 0) + 1
    keep_setting(con, "last_report_id", str(report_id))
    return report_id


def _tables(con: duckdb.DuckDBPyConnection, database: str, condition: str = "") -> list[str]:
    """Every table with rows of reports, but for the list of reports itself, and those for which `condition` holds."""
    rows = con.execute(
        f"""SELECT t.schema_name || '.' || t.table_name
        FROM duckdb_tables() AS t
        INNER JOIN duckdb_columns() AS c USING (database_name, schema_name, table_name)
        WHERE t.database_name = {database} AND c.column_name = 'report_id' AND t.table_name <> 'report_files'
            AND t.schema_name IN ('raw', 'derived', 'nsysql_meta') {condition}
        ORDER BY ALL"""
    ).fetchall()
    return [str(r[0]) for r in rows]


def _delete(con: duckdb.DuckDBPyConnection, report_id: int) -> None:
    for table in _tables(con, "current_database()"):
        con.execute(f"DELETE FROM {table} WHERE report_id = {report_id}")
    con.execute(f"DELETE FROM nsysql_meta.report_files WHERE report_id = {report_id}")


def _content_id(con: duckdb.DuckDBPyConnection, attached: str) -> str | None:
    """Equal for a report and its exports: session start, capture length, rows of the identity tables.

    None if the report does not say when it started: two runs of a program could not be told apart then.
    """
    place = f"{attached}." if attached else ""
    start, duration = con.execute(f"SELECT start_utc_ns, duration_ns FROM {place}{load_catalog().schema}.reports").fetchall()[0]
    if start is None:
        return None
    names = [spec.name for spec in load_sources().values() if spec.is_identity]
    query = f"SELECT table_name, row_count FROM {place}nsysql_meta.source_tables"
    counts = con.execute(f"{query} WHERE list_contains(?, table_name) ORDER BY ALL", [names]).fetchall()
    return hashlib.sha256(json.dumps([start, duration, counts]).encode()).hexdigest()[:16]


def _set_key(con: duckdb.DuckDBPyConnection, key: str, database: Path) -> None:
    keep_setting(con, "hash_key", key, replace=False)
    if setting(con, "hash_key") == key:
        return
    raise KeyChangedError(f"{database} was made, or replaced, by another process in the meantime; run this ingest again.")
