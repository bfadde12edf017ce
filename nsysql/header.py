"""The comment grammar of a view file (queries/README.md) -> View."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_SIZES = ("ns", "bytes", "bytes_per_s", "per_s", "count", "ratio", "percent", "mb", "hz")
UNITS = frozenset((*_SIZES, "id", "text", "bool", "time", "address", "-"))
KINDS = ("view", "table", "macro", "scalar")
SINGLE_TAGS = frozenset(
    ["version", "kind", "grain", "needs", "source", "trace", "window", "order", "title", "print", "rows", "advice"]
)
REPEATED_TAGS = frozenset(["column", "param", "require", "assert", "example", "beware", "arg", "skip", "unverified"])
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class HeaderError(ValueError):
    """A header that breaks the grammar; the message starts with file:line."""


@dataclass(frozen=True)
class Column:
    """One documented column: `unit` is from UNITS or `id(view.column)`."""

    name: str
    type: str
    unit: str
    doc: str


@dataclass(frozen=True)
class Param:
    """One parameter of a macro; `default` is SQL text, None means required."""

    name: str
    type: str
    default: str | None
    unit: str
    doc: str


@dataclass(frozen=True)
class Needs:
    """Base views that must have been traced: any one of `views`, or every one."""

    views: tuple[str, ...] = ()
    any_of: bool = False


@dataclass(frozen=True)
class Trace:
    """How capture metadata tells that a base view's events were traced, and the nsys option that records them."""

    key: str
    value: str | None
    option: str


@dataclass(frozen=True)
class Print:
    """How `nsysql stats` and `analyze` print a view.

    `headers` are its columns in order with the header of each, without a unit, which is the column's; the column `#` is the
    number of the row. `arguments` are what may follow the name behind a colon: parameter, and value if the argument has none.
    `rows` is how many are printed by default; `missing` says what a report lacks that has no events of any of some base views
    (none named: of those that the view needs).
    """

    title: str
    headers: tuple[tuple[str, str], ...]
    missing: tuple[tuple[tuple[str, ...], str], ...]
    arguments: Mapping[str, tuple[str, str | None]]
    rows: int | None = None
    advice: str = ""


@dataclass(frozen=True)
class View:
    """A parsed view file: its documentation and its body, one bare SELECT."""

    name: str
    layer: str
    path: Path
    summary: str
    prose: str
    body: str
    version: int
    kind: str = "view"
    grain: tuple[str, ...] = ()
    needs: Needs = Needs()
    source: tuple[str, ...] = ()
    trace: Trace | None = None
    is_whole: bool = False
    order: str | None = None
    columns: tuple[Column, ...] = ()
    params: tuple[Param, ...] = ()
    requires: tuple[str, ...] = ()
    asserts: tuple[str, ...] = ()
    bewares: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    printed: Print | None = None
    unverified: tuple[str, ...] = ()

    @property
    def is_private(self) -> bool:
        """True for a building block (leading underscore in the file name) that is not part of the contract."""
        return self.path.stem.startswith("_")

    @property
    def is_earlier(self) -> bool:
        """True for a version of the view that has a later one: the file is NAME.vN.sql."""
        return self.path.stem != self.name

    @property
    def all_text(self) -> str:
        """Name, summary, prose and columns in lower case: what a word is searched in."""
        columns = " ".join(f"{c.name} {c.doc}" for c in self.columns)
        return f"{self.name} {self.summary} {self.prose} {columns}".lower()

    @property
    def is_macro(self) -> bool:
        """True for a building block of other SQL: a macro over relations or over values."""
        return self.kind in ("macro", "scalar")

    @property
    def has_view(self) -> bool:
        """True if rows can be read without arguments: no parameter is required."""
        return self.kind != "scalar" and all(p.default is not None for p in self.params)


@dataclass
class _Tag:
    name: str
    text: str
    line: int


@dataclass
class _Reader:
    path: Path
    prose: list[str] = field(default_factory=list)
    tags: dict[str, list[_Tag]] = field(default_factory=dict)

    def fail(self, line: int, message: str) -> HeaderError:
        """The error to raise for a line."""
        return HeaderError(f"{self.path}:{line}: {message}")

    def one(self, name: str) -> _Tag | None:
        """The tag of that name, None if it is not given; raises HeaderError if it is given twice."""
        found = self.all(name)
        if len(found) > 1:
            raise self.fail(found[1].line, f"@{name} is given twice")
        return found[0] if found else None

    def all(self, name: str) -> list[_Tag]:
        """Every tag of that name."""
        return self.tags.get(name, [])


def parse_view(path: Path, layer: str) -> View:
    """Parse one view file.

    Raises HeaderError with file:line for an unknown or repeated tag, a missing summary or column doc, a unit outside
    the closed list, a name that is not snake_case.
    """
    reader, body = _read(path)
    name, _, number = path.stem.partition(".v")
    if not _NAME.fullmatch(name.lstrip("_")):
        raise reader.fail(1, f"the file name {name!r} is not snake_case")
    summary, _, prose = "\n".join(reader.prose).strip().partition("\n\n")
    if not summary.endswith("."):
        raise reader.fail(1, "the first paragraph must be one sentence that ends with a full stop")
    if not body.strip():
        raise reader.fail(1, "there is no SELECT below the header")
    version, kind, order = reader.one("version"), reader.one("kind"), reader.one("order")
    if version is None or not version.text.isdigit():
        raise reader.fail(version.line if version else 1, "@version must be a whole number")
    if number not in ("", version.text):
        raise reader.fail(version.line, f"the file name says version {number}")
    if kind and kind.text not in KINDS:
        raise reader.fail(kind.line, f"@kind must be one of {', '.join(KINDS)}")
    view = View(
        name=name,
        layer=layer,
        path=path,
        summary=" ".join(summary.split()),
        prose=prose.strip(),
        body=body,
        version=int(version.text),
        kind=kind.text if kind else "view",
        grain=_names(reader, "grain"),
        needs=_needs(reader),
        source=_names(reader, "source"),
        trace=_trace(reader),
        is_whole=_is_whole(reader),
        order=order.text if order else None,
        columns=tuple(_column(reader, t) for t in reader.all("column")),
        params=tuple(_param(reader, t) for t in reader.all("param")),
        requires=tuple(t.text for t in reader.all("require")),
        asserts=tuple(t.text for t in reader.all("assert")),
        bewares=tuple(t.text for t in reader.all("beware")),
        examples=tuple(t.text for t in reader.all("example")),
        printed=_print(reader),
        unverified=tuple(t.text for t in reader.all("unverified")),
    )
    _check(reader, view)
    return view


def _read(path: Path) -> tuple[_Reader, str]:
    reader = _Reader(path)
    last: _Tag | None = None
    try:
        lines = path.read_bytes().decode().replace("\r\n", "\n").splitlines(keepends=True)
    except UnicodeDecodeError as error:
        raise reader.fail(error.object.count(b"\n", 0, error.start) + 1, "the file is not UTF-8") from error
    for number, raw in enumerate(lines, start=1):
        if not raw.startswith("--"):
            return reader, "".join(lines[number - 1 :]).rstrip().rstrip(";") + "\n"
        text = raw[2:].rstrip()
        if text.startswith(" @"):
            name, _, rest = text[2:].partition(" ")
            if name not in SINGLE_TAGS and name not in REPEATED_TAGS:
                raise reader.fail(number, f"unknown tag @{name}")
            last = _Tag(name, rest.strip(), number)
            reader.tags.setdefault(name, []).append(last)
        elif last and text.startswith("    "):
            last.text += " " + text.strip()
        elif last and text.strip():
            raise reader.fail(number, "text after the first tag must be indented to continue that tag")
        else:
            reader.prose.append(text.strip())
    return reader, ""


def _names(reader: _Reader, name: str) -> tuple[str, ...]:
    tag = reader.one(name)
    return tuple(part.strip() for part in tag.text.split(",")) if tag else ()


def _needs(reader: _Reader) -> Needs:
    tag = reader.one("needs")
    if tag is None:
        return Needs()
    any_of = tag.text.startswith("any of ")
    names = tag.text.removeprefix("any of ").split(",")
    return Needs(tuple(n.strip() for n in names), any_of)


def _trace(reader: _Reader) -> Trace | None:
    tag = reader.one("trace")
    if tag is None:
        return None
    match = re.fullmatch(r"([^\s=]+)(?:=(\S+))?\s+(-.+)", tag.text)
    if not match:
        raise reader.fail(tag.line, "@trace must be: KEY[=VALUE] --option")
    return Trace(match[1], match[2], match[3])


def _print(reader: _Reader) -> Print | None:
    title, tag, rows, advice = (reader.one(name) for name in ("title", "print", "rows", "advice"))
    skips, arguments = reader.all("skip"), reader.all("arg")
    given = [t for t in (title, tag, rows, advice, *skips, *arguments) if t]
    if not given:
        return None
    if not (title and tag and skips):
        raise reader.fail(given[0].line, "@title, @print and @skip go together")
    pairs = [tuple(part.strip().split(" ", 1)) for part in tag.text.split(";")]
    if any(len(pair) != 2 for pair in pairs):
        raise reader.fail(tag.line, "@print must be: column Header; column Header; ...")
    if rows and not rows.text.isdigit():
        raise reader.fail(rows.line, "@rows must be a whole number")
    return Print(
        title=title.text,
        headers=tuple((pair[0], pair[1]) for pair in pairs),
        missing=tuple(_missing(t) for t in skips),
        arguments=dict(_argument(reader, t) for t in arguments),
        rows=int(rows.text) if rows else None,
        advice=advice.text if advice else "",
    )


def _missing(tag: _Tag) -> tuple[tuple[str, ...], str]:
    views, colon, text = tag.text.partition(": ")
    return (tuple(views.split("|")), text) if colon else ((), tag.text)


def _argument(reader: _Reader, tag: _Tag) -> tuple[str, tuple[str, str | None]]:
    match = re.fullmatch(r"(\S+)\s+(\w+)(?:=(\S+))?", tag.text)
    if not match:
        raise reader.fail(tag.line, "@arg must be: ARGUMENT parameter[=value]")
    return match[1], (match[2], match[3])


def _is_whole(reader: _Reader) -> bool:
    tag = reader.one("window")
    if tag and tag.text != "whole":
        raise reader.fail(tag.line, "@window must be: whole")
    return tag is not None


def _unit(reader: _Reader, tag: _Tag, unit: str) -> str:
    if unit not in UNITS and not re.fullmatch(r"id\([a-z_]+\.[a-z_]+\)", unit):
        raise reader.fail(tag.line, f"unit {unit!r} is none of {', '.join(sorted(UNITS))}, id(view.column)")
    return unit


def _column(reader: _Reader, tag: _Tag) -> Column:
    parts = tag.text.split(None, 3)
    if len(parts) < 4 or not parts[3].endswith("."):
        raise reader.fail(tag.line, "@column must be: name TYPE unit doc, the doc a sentence with a full stop")
    return Column(parts[0], parts[1].upper(), _unit(reader, tag, parts[2]), parts[3])


def _param(reader: _Reader, tag: _Tag) -> Param:
    parts = tag.text.split(None, 4)
    if len(parts) < 5 or not parts[4].endswith("."):
        raise reader.fail(tag.line, "@param must be: name TYPE default unit doc, the doc a sentence with a full stop")
    default = None if parts[2] == "-" else parts[2]
    return Param(parts[0], parts[1].upper(), default, _unit(reader, tag, parts[3]), parts[4])


def _check(reader: _Reader, view: View) -> None:
    if not view.columns:
        raise reader.fail(1, "no @column: every column of the result is documented")
    names = [c.name for c in view.columns]
    for name in names:
        if not _NAME.fullmatch(name):
            raise reader.fail(1, f"column {name!r} is not snake_case")
        if names.count(name) > 1:
            raise reader.fail(1, f"column {name!r} is documented twice")
    unknown = [g for g in view.grain if g not in names]
    if unknown:
        raise reader.fail(1, f"@grain names {unknown[0]!r}, which is no @column")
    shown = [name for name, _ in view.printed.headers if name != "#"] if view.printed else []
    taken = [param for param, _ in view.printed.arguments.values()] if view.printed else []
    for name in [n for n in shown if n not in names] + [n for n in taken if n not in {p.name for p in view.params}]:
        raise reader.fail(1, f"@print or @arg names {name!r}, which is no @column or @param")
    if view.is_macro and not view.params:
        raise reader.fail(1, f"@kind {view.kind} needs at least one @param")
    if view.kind == "scalar" and len(view.columns) != 1:
        raise reader.fail(1, "@kind scalar has one @column: its value")
    if bool(view.source) != bool(view.trace):
        raise reader.fail(1, "@source and @trace go together")
    if not view.is_macro and not view.grain:
        raise reader.fail(1, "no @grain: say which columns identify a row")
