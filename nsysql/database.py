"""A database of ingested reports: views, queries, ad-hoc SQL, export to Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from . import __version__
from .answers import Answer, resolved, state_of
from .catalog import OWN, Catalog, load_catalog
from .connect import connect, translated, writing
from .errors import BusyError, CannotAnswerError, QueryError, StorageError, UsageError
from .header import View
from .install import install, installed_fingerprint, is_current, newer_version
from .params import arguments, typed_literal
from .sqltext import literal

_SANDBOX = """
SET enable_external_access = false;
SET max_temp_directory_size = '20GB';
SET lock_configuration = true;
"""


class Database:
    """An open database of reports, read-only. Made by `nsysql.open()`; a context manager."""

    def __init__(self, con: duckdb.DuckDBPyConnection, path: Path, catalog: Catalog, notes: Sequence[str] = ()) -> None:
        self._con = con
        self.path = path
        self.catalog = catalog
        self.notes = tuple(notes)
        self._windows: dict[object, Database] = {}

    @classmethod
    def open(
        cls,
        path: str | Path = "nsysql.duckdb",
        *,
        wait_s: float = 30.0,
        allow_files: bool = False,
        views: str | Path | None = None,
        memory_limit: str | None = None,
    ) -> Database:
        """Open a database for reading; one that an older nsysql made gets the current views first, and those of `views`.

        `allow_files` lets SQL read and write other files, `views` is a folder of own views (default: NSYSQL_VIEWS),
        `memory_limit` what DuckDB may take, as 500MB; beyond it, it uses the disk. Raises UsageError if there is no such file
        or an own view does not fit, BusyError if another process keeps it locked for `wait_s` seconds, InputError if it is no
        DuckDB database.
        """
        path = Path(path)
        catalog = load_catalog(Path(views).absolute() if views else None)
        con = connect(path, read_only=True, wait_s=wait_s)
        notes = []
        installed = installed_fingerprint(con)
        if installed is None:
            con.close()
            raise UsageError(f"{path} holds no reports of nsysql. `nsysql ingest REPORT --db {path}` adds some.")
        if newer := newer_version(con):
            notes.append(f"{path} was made by nsysql {newer}, which is newer than this one: its own views are used")
        elif not is_current(con, catalog):
            con.close()
            note = _refresh(path, catalog, wait_s)
            notes += [note] if note else []
            con = connect(path, read_only=True, wait_s=wait_s)
        return cls.over(con, path, catalog, notes, allow_files=allow_files, memory_limit=memory_limit)

    @classmethod
    def over(
        cls,
        con: duckdb.DuckDBPyConnection,
        path: Path,
        catalog: Catalog,
        notes: Sequence[str] = (),
        *,
        allow_files: bool = False,
        memory_limit: str | None = None,
    ) -> Database:
        """A database over an open connection, whose views are installed; from now on it can only look at them."""
        wanted = ["main", OWN, catalog.schema]
        present = {name for (name,) in con.execute("SELECT schema_name FROM duckdb_schemas()").fetchall()}
        con.execute(f"SET search_path = '{','.join(name for name in wanted if name in present)}'")
        if memory_limit is not None:
            limit_memory(con, memory_limit)
        if not allow_files:
            _sandbox(con)
        return cls(con, path, catalog, notes)

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database file."""
        for window in self._windows.values():
            window.close()
        self._con.close()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Another connection to the same file, with temporary objects of its own."""
        return self._con.cursor()

    def window(
        self, from_ns: int | None = None, to_ns: int | None = None, reports: Iterable[str | int] | None = None
    ) -> Database:
        """The database as it is from one time of the reports' axes to another: the views over events that are cut to it.

        Raises UsageError if the window is empty or lies outside of the capture of every report.
        """
        from .window import Window

        return Window.between(self, from_ns, to_ns, reports)

    def _window_of(self, from_ns: int | None, to_ns: int | None, reports: Iterable[str | int] | None) -> Database:
        """A window that lives as long as this, for the rows of it are read later; the same one for the same edges."""
        ids = None if reports is None else tuple(self.report_ids(reports))
        key = (from_ns, to_ns, ids)
        if key not in self._windows:
            self._windows[key] = self.window(from_ns, to_ns, ids)
        return self._windows[key]

    def keep(self, name: str, query: str) -> None:
        """Compute the rows of a query once, as the table temp.`name` of this connection, in the place of an earlier one."""
        with translated():
            self._con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")

    def views(self) -> list[View]:
        """The public views and macros, in reading order."""
        return [v for v in self.catalog.views.values() if not v.is_private]

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """Run one SQL statement that returns rows. Raises QueryError with DuckDB's own message."""
        with translated():
            statements = self._con.extract_statements(query)
        if len(statements) != 1:
            raise UsageError(f"one statement is wanted, {len(statements)} were given.")
        with translated():
            relation = self._con.sql(query)
        if relation is None:
            raise QueryError("the statement returns no rows.")
        return relation

    def query(
        self,
        view: str,
        params: Mapping[str, Any] | None = None,
        *,
        where: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        reports: Iterable[str | int] | None = None,
        from_ns: int | None = None,
        to_ns: int | None = None,
    ) -> duckdb.DuckDBPyRelation:
        """Rows of a view as a DuckDB relation: `.pl()`, `.to_arrow_table()`, `.df()`, `.fetchall()`.

        `params` are the view's parameters, `where` and `order` SQL over its columns (by default the view's own order),
        `reports` names, ids or runs; `from_ns` and `to_ns` the window that is looked at (`window`). Raises UsageError for an
        unknown view, parameter or report, CannotAnswerError if no report has traced what it needs, QueryError for wrong SQL.
        """
        if from_ns is not None or to_ns is not None:
            cut = self._window_of(from_ns, to_ns, reports)
            return cut.query(view, params, where=where, order=order, limit=limit, reports=reports)
        found = self.catalog.get(view)
        reports = self.report_ids(reports) if reports is not None else None
        self.answer(found, reports)
        return self.sql(self.query_text(found, params, where=where, order=order, limit=limit, reports=reports))

    def query_text(
        self,
        view: View,
        params: Mapping[str, Any] | None = None,
        *,
        where: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        reports: Iterable[str | int] | None = None,
    ) -> str:
        """The SQL that `query` runs."""
        if view.is_macro:
            raise UsageError(f"{view.name} is a macro, for use in SQL; `nsysql show {view.name}` has an example.")
        self._check_sql("--where", "WHERE", where)
        self._check_sql("--order", "ORDER BY", order)
        call = arguments(view, params or {})
        self._check_params(view, params or {})
        text = f"SELECT * FROM {view.name}{call}"
        conditions = [f"({where}\n)"] if where else []
        if reports is not None:
            ids = ", ".join(str(i) for i in self.report_ids(reports))
            if "report_id" in {c.name for c in view.columns}:
                conditions.append(f"report_id IN ({ids})" if "," in ids else f"report_id = {ids}")
        if conditions:
            text += " WHERE " + " AND ".join(conditions)
        if order or view.order:
            text += f" ORDER BY {order or view.order}"
        return text if limit is None else f"{text}\nLIMIT {int(limit)}"

    def _check_sql(self, option: str, clause: str, text: str | None) -> None:
        """Raise UsageError for text that is not one clause by itself, so that it cannot reach out of its place."""
        if text is None:
            return
        try:
            statements = self._con.extract_statements(f"SELECT 1 AS one {clause} {text}")
        except duckdb.Error as error:
            raise UsageError(f"{option} {text}: {str(error).splitlines()[0]}") from error
        if len(statements) != 1:
            raise UsageError(f"{option} {text}: must be one expression.")

    def _check_params(self, view: View, params: Mapping[str, Any]) -> None:
        """Raise UsageError for a value that is not of its parameter's type or not what the view requires."""
        texts = {p.name: typed_literal(p, params[p.name]) if p.name in params else p.default for p in view.params}
        values = ", ".join(f"{text} AS {name}" for name, text in texts.items())
        for condition in view.requires or (("TRUE",) if params else ()):
            try:
                rows = self._con.execute(f"SELECT {condition}, * FROM (SELECT {values or 0})").fetchall()
            except duckdb.Error as error:
                given = ", ".join(f"{n}={v}" for n, v in params.items())
                raise UsageError(f"{view.name}: {given}: {str(error).splitlines()[0]}") from error
            if not rows[0][0]:
                raise UsageError(f"{view.name} requires {condition}.")

    def bewares(self, view: View, reports: Iterable[str | int] | None = None) -> list[str]:
        """What the view leaves out in the reports, a sentence each."""
        ids = set(self.report_ids(reports)) if reports is not None else None
        names = dict(self._con.execute("SELECT report_id, name FROM nsysql_meta.report_files").fetchall())
        rows = [row for query in view.bewares for row in self._con.execute(query).fetchall()]
        return [f"{names[i]}: {text}" for i, text in sorted(rows) if ids is None or i in ids]

    def report_ids(self, reports: str | int | Iterable[str | int]) -> list[int]:
        """Ids of reports given by name, id or run; raises UsageError with the closest name."""
        rows = self._con.execute("SELECT name, report_id, run FROM nsysql_meta.report_files ORDER BY 2").fetchall()
        return resolved(rows, [reports] if isinstance(reports, (str, int)) else reports, self.path)

    def report_names(self, reports: Iterable[str | int] | None = None) -> list[tuple[int, str]]:
        """(id, name) of the reports given by name, id or run, of all by default; raises UsageError if there is none."""
        rows = self._con.execute("SELECT report_id, name FROM nsysql_meta.report_files ORDER BY 1").fetchall()
        if not rows:
            raise UsageError(f"{self.path} holds no report yet. `nsysql ingest REPORT` adds one.")
        ids = [i for i, _ in rows] if not reports else self.report_ids(reports)
        return [(i, name) for i, name in rows if i in ids]

    @cached_property
    def _states(self) -> dict[tuple[int, str], tuple[str, str]]:
        """State and option of every report and base view; nothing changes while a reader holds the file."""
        with translated():
            rows = self._con.execute("SELECT report_id, source, state, trace_option FROM trace_states").fetchall()
        return {(report, source): (state, option) for report, source, state, option in rows}

    def answer(self, view: View, reports: Iterable[str | int] | None = None) -> Answer:
        """Which reports can answer a view; raises CannotAnswerError if none can, UsageError if there is no report."""
        ids = self.report_ids(reports) if reports is not None else None
        chosen = "" if ids is None else f" WHERE report_id IN ({', '.join(map(str, ids))})"
        names = dict(self._con.execute(f"SELECT report_id, name FROM nsysql_meta.report_files{chosen} ORDER BY 1").fetchall())
        if not names:
            raise UsageError(f"{self.path} holds no report yet. `nsysql ingest REPORT` adds one.")
        states = self._states
        able: list[str] = []
        empty: list[str] = []
        unable: list[tuple[str, str]] = []
        for report_id, name in names.items():
            state, reason = state_of(self.catalog, view, report_id, states)
            if state in ("recorded", "none"):
                able.append(name)
            else:
                unable.append((name, reason))
            if state == "none":
                empty.append(name)
        answer = Answer(tuple(able), tuple(empty), tuple(unable))
        if not able:
            why = " ".join(f"{', '.join(names)}: {reason}" for reason, names in answer.reasons().items())
            raise CannotAnswerError(f"{view.name} cannot be answered. {why}")
        return answer

    def export(
        self, folder: str | Path, views: Iterable[str] | None = None, reports: Iterable[str | int] | None = None
    ) -> list[tuple[Path, int]]:
        """Write views as Parquet files `folder`/VIEW.parquet; by default every public one that some report can answer.

        Returns (path, rows) of each file. The file metadata holds view, version, units, nsysql version and the hashes of
        the ingested files. Raises UsageError for an unknown view, CannotAnswerError for a named view that no report can
        answer, StorageError if the folder cannot be written.
        """
        from .output import write_parquet

        folder = Path(folder)
        named = [self.catalog.get(v) for v in views] if views else None
        reports = self.report_ids(reports) if reports is not None else None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{folder}: cannot be made: {error.strerror}") from error
        written = []
        for view in named or [v for v in self.views() if not v.is_macro and v.has_view]:
            try:
                self.answer(view, reports)
            except CannotAnswerError:
                if named:
                    raise
                continue
            relation = self.sql(self.query_text(view, reports=reports))
            path = folder / f"{view.name}.parquet"
            units = {c.name: c.unit for c in view.columns}
            with translated(str(path)):
                written.append((path, write_parquet(relation, path, self.metadata(view, reports), units)))
        return written

    def metadata(self, view: View | None, reports: Iterable[str | int] | None = None) -> dict[str, str]:
        """Facts for a file of rows: what they are, what made them, from which inputs."""
        ids = self.report_ids(reports) if reports is not None else None
        chosen = "" if ids is None else f" WHERE report_id IN ({', '.join(map(str, ids))})"
        query = f"SELECT name, source_sha256 FROM nsysql_meta.report_files{chosen} ORDER BY report_id"
        rows = self._con.execute(query).fetchall()
        facts = {"nsysql_version": __version__, "nsysql_sources": json.dumps(dict(rows))}
        if view:
            facts |= {"nsysql_view": view.name, "nsysql_view_version": str(view.version)}
            facts["nsysql_units"] = json.dumps({c.name: c.unit for c in view.columns})
        return facts


def limit_memory(con: duckdb.DuckDBPyConnection, limit: str) -> None:
    """Let DuckDB take no more than `limit`, as 500MB; raises UsageError for what is no size."""
    try:
        con.execute(f"SET memory_limit = {literal(limit)}")
    except duckdb.Error as error:
        raise UsageError(f"--memory-limit {limit}: a size is wanted, as 500MB or 2GB.") from error


def _sandbox(con: duckdb.DuckDBPyConnection) -> None:
    """Shut the connection off from other files; a second connection of this process shares the first one's settings."""
    locked = con.execute("SELECT current_setting('lock_configuration')").fetchall()[0][0]
    if not locked:
        con.execute(_SANDBOX)


def _refresh(path: Path, catalog: Catalog, wait_s: float) -> str | None:
    """Give an existing database the current views. A note if it cannot be written and stays as it is."""
    try:
        with writing(path, wait_s) as con, translated(str(path)):
            install(con, catalog)
        return None
    except (StorageError, BusyError) as error:
        return f"the views in {path} are of another nsysql version and were left so: {error}"
