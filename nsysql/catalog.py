"""The view catalog: reads queries/, derives dependencies, installs schemas, macros, comments and derived tables."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import duckdb

from .errors import UsageError
from .families import shipped_file
from .header import HeaderError, View, parse_view
from .paths import own_views_dir, queries_dir
from .sources import load_sources

LAYERS = ("lib", "base", "gpu", "api", "nvtx", "cpu", "check", "nsys")
OWN = "my"
"""Layer and schema of views that a user keeps in a folder of his own."""


class CatalogError(ValueError):
    """The files in queries/ do not fit together: a cycle, an unknown name, a name used twice."""


@dataclass(frozen=True)
class Reference:
    """A relation or macro named in a body: byte offset and length of the name as written, and the schema if given."""

    name: str
    offset: int
    schema: str


def load_catalog(own: Path | None = None) -> Catalog:
    """The catalog of the shipped queries and of the folder `own`, by default that which NSYSQL_VIEWS names; read once.

    Raises UsageError with file and line for an own view that does not fit.
    """
    return _load_catalog(own or own_views_dir())


@cache
def _load_catalog(own: Path | None) -> Catalog:
    if own is None:
        return Catalog.read(queries_dir())
    if not own.is_dir():
        raise UsageError(f"{own} is no folder; --views and NSYSQL_VIEWS name a folder of .sql files.")
    try:
        catalog = Catalog.read(queries_dir(), own)
        for view in catalog.order:
            if view.layer == OWN and view.kind == "table":
                raise CatalogError(f"{view.path}: @kind table is for shipped views, whose rows are computed at ingest")
    except (HeaderError, CatalogError) as error:
        raise UsageError(str(error)) from error
    return catalog


class Catalog:
    """All views of a queries folder. Dependencies are read from the SQL when they are first asked for.

    `views` holds the latest version of each. Of an earlier one, NAME.vN.sql, the names in its body mean the latest views.
    """

    def __init__(self, views: Iterable[View]) -> None:
        self.views: dict[str, View] = {}
        self._versions: dict[str, dict[int, View]] = {}
        self._references: dict[str, list[Reference]] = {}
        for view in views:
            known = self._versions.setdefault(view.name, {})
            for other in known.values():
                if view.version == other.version or OWN in (view.layer, other.layer):
                    raise CatalogError(f"{view.path}: {view.name} is also {other.path}")
            known[view.version] = view
        for name, known in self._versions.items():
            self.views[name] = view = known[max(known)]
            if view.is_earlier:
                raise CatalogError(f"{view.path}: there is no later version of it in {name}.sql")

    @property
    def contract(self) -> int:
        """The number of the contract: that of the latest version of any view."""
        return max((view.version for view in self.views.values() if view.layer != OWN), default=1)

    @property
    def schema(self) -> str:
        """Schema of the contract, in which the views are installed; `main` shows the same."""
        return f"v{self.contract}"

    def shown(self, contract: int) -> list[View]:
        """What the schema of an earlier contract shows of each view: the highest version up to that number."""
        found = []
        for known in self._versions.values():
            versions = [version for version, view in known.items() if version <= contract and view.layer != OWN]
            found += [known[max(versions)]] if versions else []
        return found

    @classmethod
    def read(cls, folder: Path, own: Path | None = None) -> Catalog:
        """Parse every view file below `folder`, and below `own`; raises HeaderError or CatalogError with file and line."""
        paths = [(layer, p) for layer in LAYERS for p in sorted((folder / layer).glob("*.sql"))]
        paths += [(OWN, p) for p in sorted(own.rglob("*.sql"))] if own else []
        return cls(parse_view(path, layer) for layer, path in paths)

    @cached_property
    def _parser(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect()

    def references(self, view: View) -> list[Reference]:
        """Every relation and macro that the body of `view` names, where and how."""
        self._parse([view])
        return self._references[view.path.stem]

    def _parse(self, views: Iterable[View]) -> None:
        """Read the bodies that have not been read yet, all in one query, which takes half the time of one for each."""
        new = [view for view in views if view.path.stem not in self._references]
        for view, tree in zip(new, _trees(self._parser, [view.body for view in new])):
            self._references[view.path.stem] = list(_references(tree, view, self.views))

    def _earlier(self) -> list[View]:
        return [view for known in self._versions.values() for view in known.values() if view.is_earlier]

    @cached_property
    def order(self) -> list[View]:
        """All views, each after those that it stands on; raises CatalogError if the files do not fit together."""
        self._parse(self.views.values())
        order = self._sorted(self.views)
        for view in order:
            self._check_params(view)
        return order

    def get(self, name: str) -> View:
        """The view of that name; raises UsageError with the closest names."""
        if name in self.views:
            return self.views[name]
        if name in ("nsysql_views", "nsysql_columns", "nsysql_params"):
            raise UsageError(f'{name} is about the views and no view itself: `nsysql sql "FROM {name}"` shows it.')
        public = [v.name for v in self.views.values() if not v.is_private]
        close = difflib.get_close_matches(name, public, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(close)}?" if close else "`nsysql views` lists them all."
        raise UsageError(f"there is no view {name!r}: {hint}")

    def dependencies(self, name: str) -> set[str]:
        """Names of the views and macros that the body of `name` uses directly."""
        return {r.name for r in self.references(self.views[name]) if r.name in self.views and not r.schema}

    def raw_tables(self, name: str) -> set[str]:
        """Names of the raw.* tables that the body of `name` reads directly."""
        return {r.name for r in self.references(self.views[name]) if r.schema == "raw"}

    def asked(self, view: View) -> set[str]:
        """Names of the views and macros that `view` reads for what it says beside its rows."""
        trees = zip(_trees(self._parser, view.bewares), view.bewares)
        found = [r for tree, text in trees for r in _references(tree, replace(view, body=text), self.views)]
        return {r.name for r in found if r.name in self.views}

    def closure(self, names: Iterable[str]) -> list[View]:
        """`names` and everything that they stand on, in dependency order."""
        names = list(names)
        self._below(names)
        return self._sorted(names)

    def _below(self, names: Iterable[str]) -> set[str]:
        wanted: set[str] = set()
        todo = set(names)
        while todo:
            self._parse(self.views[name] for name in todo)
            wanted |= todo
            todo = set().union(*map(self.dependencies, todo)) - wanted
        return wanted

    def qualified_body(self, view: View, schema: str | None = None) -> str:
        """The body of `view` with the schema before every name of a view or macro, as it is installed; or with `schema`."""
        body = view.body.encode()
        for ref in sorted(self.references(view), key=lambda r: -r.offset):
            if ref.name in self.views and not ref.schema:
                home = schema or (OWN if self.views[ref.name].layer == OWN else self.schema)
                body = body[: ref.offset] + f"{home}.".encode() + body[ref.offset :]
        return body.decode()

    @property
    def own(self) -> list[View]:
        """The views of the user's own folder, in dependency order."""
        return [v for v in self.order if v.layer == OWN]

    def content_hash(self, name: str) -> str:
        """Hash of the body of `name` and of all that it stands on: names the rows of a `@kind table` view."""
        digest = hashlib.sha256()
        for view in self.closure([name]):
            digest.update(f"{view.name}\0{view.body}\0".encode())
        return digest.hexdigest()[:12]

    @cached_property
    def fingerprint(self) -> str:
        """Hash of every shipped file: databases with the same one have the same objects, made by the same rules."""
        views = (*self.views.values(), *self._earlier())
        return _hash([queries_dir() / "sources.sql", shipped_file(), *(v.path for v in views if v.layer != OWN)])

    @cached_property
    def own_fingerprint(self) -> str | None:
        """Hash of the files of the user's own folder; None without one."""
        paths = [v.path for v in self.views.values() if v.layer == OWN]
        return _hash(paths) if paths else None

    @property
    def tables(self) -> list[View]:
        """The `@kind table` views, in dependency order."""
        return [v for v in self.closure(v.name for v in self.views.values() if v.kind == "table") if v.kind == "table"]

    def derived_table(self, view: View) -> str:
        """Qualified name of the table that holds the rows of a `@kind table` view."""
        return f"derived.{view.name}_{self.content_hash(view.name)}"

    def _check_params(self, view: View) -> None:
        """Refuse a parameter that bears the name of a column below it: DuckDB would silently take it for the column."""
        below = self._below([view.name])
        columns = {c.name.lower(): name for name in below for c in self.views[name].columns}
        for table in self.raw_tables(view.name):
            columns |= {c.name.lower(): f"raw.{table}" for c in load_sources()[table].columns}
        for param in view.params:
            if param.name.lower() in columns:
                where = columns[param.name.lower()]
                raise CatalogError(f"{view.path}: the parameter {param.name!r} bears the name of a column of {where}")

    def _sorted(self, names: Iterable[str]) -> list[View]:
        done: list[View] = []
        state: dict[str, int] = {}

        def visit(name: str, path: tuple[str, ...]) -> None:
            if state.get(name) == 2:
                return
            if state.get(name) == 1:
                raise CatalogError("views depend on each other in a circle: " + " -> ".join((*path, name)))
            state[name] = 1
            for dependency in sorted(self.dependencies(name)):
                visit(dependency, (*path, name))
            state[name] = 2
            done.append(self.views[name])

        for name in names:
            visit(name, ())
        return done


def _hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _trees(con: duckdb.DuckDBPyConnection, bodies: Sequence[str]) -> list[dict[str, Any]]:
    """The syntax tree of each body, as DuckDB serializes it."""
    query = "SELECT json_serialize_sql(body, skip_null := true, skip_empty := true) FROM (SELECT unnest(?) AS body)"
    return [json.loads(text) for (text,) in con.execute(query, [list(bodies)]).fetchall()] if bodies else []


def _references(tree: dict[str, Any], view: View, views: dict[str, View]) -> Iterator[Reference]:
    if tree.get("error"):
        raise CatalogError(f"{view.path}: the body must be one SELECT: {tree.get('error_message')}")
    statements = tree.get("statements", [])
    if len(statements) != 1:
        raise CatalogError(f"{view.path}: the body must be one SELECT, not {len(statements)} statements")
    select = statements[0]["node"]
    if view.kind == "scalar" and (len(select.get("select_list", ())) != 1 or select["from_table"]["type"] != "EMPTY"):
        raise CatalogError(f"{view.path}: a scalar macro is one SELECT of one expression")
    body = view.body.encode()
    seen: set[Reference] = set()
    nodes = _nodes(tree)
    ctes = {name for node in nodes for name in _cte_names(node)}
    for clash in ctes & views.keys():
        raise CatalogError(f"{view.path}: the WITH name {clash!r} hides the view of that name")
    for node in nodes:
        ref = _reference(node, body)
        if ref is None or ref in seen or (ref.name in ctes and not ref.schema):
            continue
        seen.add(ref)
        if node["type"] == "BASE_TABLE" and not ref.schema:
            _check_known(view, "view", ref.name, views)
        elif ref.schema == "raw":
            _check_known(view, "table in sources.sql", ref.name, load_sources())
        yield ref


def _check_known(view: View, what: str, name: str, known: Iterable[str]) -> None:
    names = list(known)
    if name not in names:
        close = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise CatalogError(f"{view.path}: there is no {what} {name!r}{hint}")


def named_relations(con: duckdb.DuckDBPyConnection, query: str) -> tuple[list[tuple[str, str]], list[str]] | None:
    """Relations that a SELECT names, as (schema, name), and texts it gives to table functions; None if it is no SELECT."""
    (tree,) = _trees(con, [query])
    if tree.get("error"):
        return None
    relations: list[tuple[str, str]] = []
    texts: list[str] = []
    for node in _nodes(tree):
        if node.get("type") == "BASE_TABLE":
            relations.append((node.get("schema_name", ""), node["table_name"]))
        elif node.get("type") == "TABLE_FUNCTION":
            relations.append((node["function"].get("schema", ""), node["function"]["function_name"]))
            constants = [p.get("literal") or p["value"] for p in _nodes(node) if p.get("type") == "VALUE_CONSTANT"]
            texts += [str(c.get("text", c.get("value", ""))) for c in constants]  # DuckDB 2 has `text`
    return relations, texts


def _nodes(tree: Any) -> list[dict[str, Any]]:
    """Every object of a serialized tree."""
    found, todo = [], [tree]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            found.append(part)
            todo.extend(part.values())
        elif isinstance(part, list):
            todo.extend(part)
    return found


def _cte_names(node: dict[str, Any]) -> list[str]:
    return [entry["key"] for entry in node.get("cte_map", {}).get("map", [])]


def _reference(node: dict[str, Any], body: bytes) -> Reference | None:
    """A table or function name of the serialized tree, if it stands in the text where the tree says."""
    if node.get("type") == "BASE_TABLE":
        name, schema = node["table_name"], node.get("schema_name", "")
    elif node.get("class") == "FUNCTION":
        name, schema = node["function_name"], node.get("schema", "")
    elif node.get("type") == "TABLE_FUNCTION":
        name, schema = node["function"]["function_name"], node["function"].get("schema", "")
    else:
        return None
    offset = node.get("query_location", len(body))
    if not body[offset:].startswith((schema + "." if schema else name).encode()):
        return None
    return Reference(name, offset, schema)
