"""A window of time: the same view texts over base relations that are cut to it, as temporary objects of one connection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

import duckdb

from .answers import Answer
from .catalog import OWN, Catalog, named_relations
from .database import Database
from .errors import UsageError
from .header import View
from .install import installed_fingerprint, temporary_texts

_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "": 10**9}
_TIME = re.compile(r"(\d+\.?\d*|\.\d+)\s*(ns|us|ms|s|)")
_HOME = "temp.main"
_ENDLESS = 2**63 - 1
_SCHEMAS = re.compile(r"""\b(v\d+|main|my|raw|derived)"?\s*\.\s*["\w]""", re.IGNORECASE)
"""How SQL names what no window cuts."""
_UNCUT_ANYWAY = {"", "temp", "nsysql_meta", "information_schema", "pg_catalog"}
"""Schemas of a relation that a window has nothing to cut in."""


def nanoseconds(text: str) -> int:
    """A time as `1.5`, in seconds, or with its unit: `1500ms`, `20us`, `7ns`; raises UsageError for anything else."""
    match = _TIME.fullmatch(text.strip())
    value = Decimal(match[1]) * _UNITS[match[2]] if match else None
    if value is None or value != int(value) or value > _ENDLESS:
        raise UsageError(f"{text}: a time on the report's axis is wanted, as 1.5 (seconds), 1500ms, 20us or 7ns.")
    return int(value)


def seconds(time_ns: int) -> str:
    """A time for a message, in seconds."""
    return f"{time_ns // 10**9}.{time_ns % 10**9:09}".rstrip("0").rstrip(".") + " s"


class Limits(Protocol):
    """What is left of the events of a report."""

    @property
    def reports(self) -> tuple[int, ...] | None:
        """Reports that are looked at; None for all."""

    @property
    def cut_nothing(self) -> bool:
        """True if every row that is left is whole."""

    @property
    def condition(self) -> str:
        """SQL condition for rows of the reports that are looked at."""

    def are_for(self, view: View) -> bool:
        """True for a relation of which rows are left out or cut."""

    def cut(self, view: View, body: str) -> str:
        """The query for what is left of the rows of the query `body`."""


@dataclass(frozen=True)
class Bounds:
    """Edges of the window as SQL, per report: an edge at the capture's own, or beyond it, cuts nothing off.

    `reports` are those that the window meets, None for every one of the database.
    """

    start: str
    end: str
    reports: tuple[int, ...] | None

    @property
    def cut_nothing(self) -> bool:
        """True if the window is the whole of every report, so that every row is whole."""
        return (self.start, self.end) == (str(-_ENDLESS), str(_ENDLESS))

    @property
    def condition(self) -> str:
        """SQL condition for rows of the reports that the window meets."""
        ids = "" if self.reports is None else ", ".join(map(str, self.reports))
        return f"report_id IN ({ids})" if "," in ids else f"report_id = {ids}" if ids else "TRUE"

    def are_for(self, view: View) -> bool:
        """True for a relation of events, which the window cuts."""
        return not self.cut_nothing and bool({c.name for c in view.columns} & {"start_ns", "time_ns"})

    def cut(self, view: View, body: str) -> str:
        """The rows of `body` that are in the window, with their bounds cut to it."""
        columns = [c.name for c in view.columns]
        limits = f"{self.start}, {self.end}"
        start = "start_ns" if "start_ns" in columns else "time_ns"
        end = "end_ns" if "end_ns" in columns else "NULL"
        is_endless = "coalesce(is_open, FALSE)" if "is_open" in columns else "FALSE"
        condition = f"{_HOME}._is_in_window({start}, {end}, {is_endless}, {limits}) AND {self.condition}"
        cut = {n: f"{_HOME}._cut_to_window({n}, {limits})" for n in columns if n == start or n.endswith("end_ns")}
        if "end_ns" in columns:
            length = f"{cut['end_ns']} - {cut[start]}"
            cut |= {n: length for n in columns if n in ("dur_ns", "duration_ns")}
        replaced = ", ".join(f"{text} AS {name}" for name, text in cut.items())
        return f"SELECT * REPLACE ({replaced}) FROM ({body}\n) WHERE {condition}"


class Window(Database):
    """A database as it is in a window of time of its reports. Its view names mean the views over what is cut to the window.

    What lies in the window in part is cut, what only touches it is gone, a moment at its start is in it, one at its end is
    not. Objects are made when they are first named, in a connection of its own.
    """

    def __init__(
        self, database: Database, limits: Limits, notes: Sequence[str] = (), edges: tuple[int | None, int | None] = (None, None)
    ) -> None:
        """Raises UsageError if the database has the views of another nsysql."""
        super().__init__(database.cursor(), database.path, database.catalog, notes)
        if installed_fingerprint(self._con) != self.catalog.fingerprint:
            raise UsageError(f"{self.path} has the views of another nsysql and cannot be written: there is no window of it.")
        self._limits, self._edges = limits, edges
        self._views = TemporaryViews(self._con, self.catalog, limits)

    @classmethod
    def between(
        cls, database: Database, from_ns: int | None, to_ns: int | None, reports: Iterable[str | int] | None = None
    ) -> Window:
        """The window from one time to another; raises UsageError if it is empty or lies outside of every report's capture."""
        limits, outside = bounds(database, from_ns, to_ns, reports)
        notes = [f"{name}: the window lies outside of its capture, {capture}" for name, capture in outside]
        return cls(database, limits, notes, (from_ns, to_ns))

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """Run one SQL statement that returns rows; raises UsageError for a name with a schema, which no window cuts."""
        self._refuse_schemas(query)
        self._views.install(_words(query))
        return super().sql(query)

    def _refuse_schemas(self, query: str) -> None:
        named = named_relations(self._con, query)
        if named is None:  # no SELECT
            found = [match[0] + "..." for match in _SCHEMAS.finditer(query)]
        else:
            relations, texts = named
            found = [f"{schema}.{name}" for schema, name in relations if schema.lower() not in _UNCUT_ANYWAY]
            found += [text for text in texts if _SCHEMAS.match(text)]
        if found:
            raise UsageError(f"{found[0]}: in a window of time, views are named without a schema.")

    def keep(self, name: str, query: str) -> None:
        """Compute the rows that a query has in the window once, as the table temp.`name`."""
        self._views.install(_words(query))
        super().keep(name, query)

    def report_ids(self, reports: str | int | Iterable[str | int]) -> list[int]:
        """Ids of those of the reports that the window meets."""
        return [i for i in super().report_ids(reports) if self._limits.reports is None or i in self._limits.reports]

    def answer(self, view: View, reports: Iterable[str | int] | None = None) -> Answer:
        """Which reports can answer a view, and in which of them nothing happened in the window."""
        known = super().answer(view, self._limits.reports if reports is None else reports)
        needs = view.needs.views or ((view.name,) if view.trace else ())
        self._views.install([view.name, *needs])
        names = dict(self._con.execute("SELECT name, report_id FROM nsysql_meta.report_files").fetchall())
        seen = [{i for (i,) in self._con.execute(f"SELECT DISTINCT report_id FROM {_HOME}.{n}").fetchall()} for n in needs]
        happened = set() if not seen else set.union(*seen) if view.needs.any_of else set.intersection(*seen)
        empty = tuple(name for name in known.able if needs and names[name] not in happened)
        return Answer(known.able, empty, known.unable, " in the window")

    def bewares(self, view: View, reports: Iterable[str | int] | None = None) -> list[str]:
        """What the view leaves out in the reports, and what the edges of the window do to it, a sentence each."""
        self._views.install({word for query in view.bewares for word in _words(query)})
        return [*super().bewares(view, reports), *self._edge_notes(view, reports), *self._views.uncut()]

    def _edge_notes(self, view: View, reports: Iterable[str | int] | None) -> list[str]:
        if self._limits.cut_nothing:
            return []
        self._views.install(["_window_notes"])
        below = ", ".join(f"'{v.name}'" for v in self.catalog.closure([view.name]))
        query = f"SELECT report_id, message FROM {_HOME}._window_notes WHERE relation IN ({below}) ORDER BY ALL"
        ids = set(self.report_ids(reports)) if reports is not None else None
        names = dict(self._con.execute("SELECT report_id, name FROM nsysql_meta.report_files").fetchall())
        rows = self._con.execute(query).fetchall()
        return list(dict.fromkeys(f"{names[i]}: {text}" for i, text in rows if ids is None or i in ids))

    def metadata(self, view: View | None, reports: Iterable[str | int] | None = None) -> dict[str, str]:
        """Facts for a file of rows, the window among them."""
        edges = ["" if edge is None else str(edge) for edge in self._edges]
        return super().metadata(view, reports) | {"nsysql_window_ns": "-".join(edges)}


def bounds(
    database: Database, from_ns: int | None, to_ns: int | None, reports: Iterable[str | int] | None
) -> tuple[Bounds, list[tuple[str, str]]]:
    """The window in the reports, and name and capture of those that it lies outside of.

    Raises UsageError if it is empty or lies outside of all of them.
    """
    if from_ns is not None and to_ns is not None and from_ns >= to_ns:
        raise UsageError(f"the window from {seconds(from_ns)} to {seconds(to_ns)} is empty.")
    chosen = None if reports is None else set(database.report_ids(reports))
    ends: dict[int, int | None] = {}
    outside: list[tuple[str, str]] = []
    query = "SELECT report_id, name, capture_end_ns FROM reports ORDER BY report_id"
    rows = [row for row in database.sql(query).fetchall() if chosen is None or row[0] in chosen]
    for report_id, name, end_ns in rows:
        if (from_ns or 0) < (_ENDLESS if end_ns is None else max(end_ns, 1)) and (to_ns is None or to_ns > 0):
            ends[report_id] = end_ns
        else:
            outside.append((name, f"{seconds(0)} to {'an end that is not recorded' if end_ns is None else seconds(end_ns)}"))
    if rows and not ends:
        edges = f"from {seconds(from_ns or 0)}" + ("" if to_ns is None else f" to {seconds(to_ns)}")
        raise UsageError(f"the window {edges} lies outside of the capture: " + ", ".join(map(": ".join, outside)) + ".")
    start = str(from_ns if from_ns is not None and from_ns > 0 else -_ENDLESS)
    whole = [i for i, end_ns in ends.items() if to_ns is None or (end_ns is not None and end_ns <= to_ns)]
    if len(whole) == len(ends):
        end = str(_ENDLESS)
    elif whole:
        end = f"(CASE WHEN report_id IN ({', '.join(map(str, whole))}) THEN {_ENDLESS} ELSE {to_ns} END)"
    else:
        end = str(to_ns)
    return Bounds(start, end, None if chosen is None and not outside else tuple(ends)), outside


class TemporaryViews:
    """The views of a catalog over base relations cut to a window, made in the temporary schema of a connection.

    A relation of events that reads raw tables is cut; everything above stands on it, but for what is `@window whole`, which
    has the rows that are installed. Where nothing below is cut, the rows of a `@kind table` view are the stored ones.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, catalog: Catalog, limits: Limits) -> None:
        self._con = con
        self._catalog = catalog
        self._limits = limits
        self._made: dict[str, bool] = {}

    def install(self, names: Iterable[str]) -> None:
        """Make the views of those names, and all that they stand on; names that are no views are passed over."""
        wanted = [n for n in names if n in self._catalog.views and n not in self._made]
        if not wanted:
            return
        for view in self._catalog.closure(["_is_in_window", "_cut_to_window", *wanted]):
            if view.name not in self._made:
                self._make(view)

    def uncut(self) -> list[str]:
        """A sentence for each of the user's own views that reads raw tables, which no window cuts."""
        views = [self._catalog.views[name] for name in self._made]
        found = [v.name for v in views if v.layer == OWN and self._catalog.raw_tables(v.name) and not self._is_cut(v)]
        return [f"{name} reads raw tables, and they are not cut to the window" for name in found]

    def _make(self, view: View) -> None:
        catalog = self._catalog
        named = [r for r in catalog.references(view) if r.name in catalog.views and r.schema and view.layer == OWN]
        if named:
            raise UsageError(f"{view.path}: names {named[0].schema}.{named[0].name}; a window wants it without the schema.")
        is_installed = view.is_whole and view.layer != OWN
        body = f"FROM {catalog.schema}.{view.name}" if is_installed else catalog.qualified_body(view, _HOME)
        is_moved = not is_installed and (self._is_cut(view) or any(self._made[n] for n in catalog.dependencies(view.name)))
        self._made[view.name] = is_moved
        if view.kind == "table" and not is_moved:
            body = f"SELECT * FROM {catalog.derived_table(view)}"
        if self._is_cut(view):
            body = self._limits.cut(view, body)
        elif (is_installed or catalog.raw_tables(view.name)) and any(c.name == "report_id" for c in view.columns):
            body = f"SELECT * FROM ({body}\n) WHERE {self._limits.condition}"
        if view.kind == "table" and is_moved:
            columns = ", ".join(f"{c.name} {c.type}" for c in view.columns)
            self._con.execute(f"CREATE TEMP TABLE {view.name} ({columns})")
            self._con.execute(f"INSERT INTO {_HOME}.{view.name} BY NAME {body}")
            return
        for text in temporary_texts(view, body, _HOME):
            self._con.execute(text)

    def _is_cut(self, view: View) -> bool:
        """True for a relation that the limits are for and that reads raw tables."""
        return not (view.is_whole or view.params) and self._limits.are_for(view) and bool(self._catalog.raw_tables(view.name))


def _words(text: str) -> Sequence[str]:
    """Everything in SQL that may be the name of a view."""
    return re.findall(r"\w+", text.lower())
