"""The formats of NVIDIA's tools: column, table, csv, tsv, json, hdoc, htable. DuckDB makes the lines, in constant memory."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nsysql.errors import UsageError
from nsysql.output import csv_name, csv_text, without_last
from nsysql.sqltext import literal

from .units import Units

if TYPE_CHECKING:
    from .rows import Rows

SUFFIXES = {"column": "txt", "table": "txt", "csv": "csv", "tsv": "tsv", "json": "json", "hdoc": "html", "htable": "html"}
"""The formats, with the suffix of a file of each."""

_FLAGS = {"column": ("nofmt",), "table": ("nofmt",), "tsv": ("esc",)}
_SETTINGS = {"column": ("autolines", "colmax"), "table": ("autolines", "colmax"), "hdoc": ("title", "css")}
_WITHOUT_HEADER = ("column", "table", "csv", "tsv")


@dataclass(frozen=True)
class Layout:
    """A format and its arguments. `widths` are those of the columns that are given one, None for one as wide as needed.

    `ignored` are arguments that the format does not have.
    """

    name: str
    units: Units
    has_header: bool = True
    settings: tuple[tuple[str, str], ...] = ()
    widths: tuple[int | None, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def suffix(self) -> str:
        """Suffix of a file in this format."""
        return SUFFIXES[self.name]

    @property
    def is_for_people(self) -> bool:
        """True for a format with a title above the rows."""
        return self.name in ("column", "table")

    def setting(self, name: str, default: str) -> str:
        """Value of an argument of the format."""
        return dict(self.settings).get(name, default)


def parse_layout(text: str, timeunit: str | None) -> Layout:
    """A layout as `csv:dur=us:nohdr`, times in `timeunit` if one is given; raises UsageError for no such format."""
    name, *arguments = text.split(":")
    if name not in SUFFIXES:
        raise UsageError(f"Unknown format name {name}. There are {', '.join(SUFFIXES)}.")
    units, has_header, settings, widths, ignored = Units(), True, [], [], []
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if argument == "nohdr" and name in _WITHOUT_HEADER:
            has_header = False
        elif argument in _FLAGS.get(name, ()):
            settings.append((argument, "true"))
        elif equals and key in _SETTINGS.get(name, ()) and (name == "hdoc" or value.isdecimal()):
            settings.append((key, value))
        elif name in ("column", "table") and re.fullmatch(r"-?\d+|\.", argument):
            widths.append(int(argument) if argument.isdecimal() else None)
        elif known := units.having(argument):
            units = known
        elif argument:
            ignored.append(argument)
    for last in [f"time={timeunit}", *(a for a in arguments if a == "noconv")]:
        units = units.having(last) or units
    return Layout(name, units, has_header, tuple(settings), tuple(widths), tuple(ignored))


def written(layout: Layout, rows: Rows, title: str) -> Iterator[bytes]:
    """The rows in the layout, header and frame included, in pieces."""
    return _WRITERS[layout.name](layout, rows, title)


def _csv(layout: Layout, rows: Rows, title: str) -> Iterator[bytes]:
    fields = (csv_text(t) if is_text else t for t, is_text in zip(rows.texts, rows.are_texts))
    header = ",".join(csv_name(h) for h in rows.headers) + "\n" if layout.has_header else ""
    yield from _below(header, rows.lines("concat(" + ", ',', ".join(fields) + ", chr(10))"))


def _below(header: str, lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines with the header above them; nothing if there are none."""
    for piece in lines:
        yield header.encode() if piece else b""
        header = "" if piece else header
        yield piece


def _tsv(layout: Layout, rows: Rows, title: str) -> Iterator[bytes]:
    header = "\t".join(rows.headers) + "\n" if layout.has_header else ""
    tab = "'\\t'" if layout.setting("esc", "") else "' '"
    fields = (f"replace({t}, chr(9), {tab})" if is_text else t for t, is_text in zip(rows.texts, rows.are_texts))
    yield from _below(header, rows.lines("concat(" + ", chr(9), ".join(fields) + ", chr(10))"))


def _json(layout: Layout, rows: Rows, title: str) -> Iterator[bytes]:
    pairs = []
    for header, text, is_text in zip(rows.headers, rows.texts, rows.are_texts):
        name = literal(f"    {json.dumps(header, ensure_ascii=False)}: ")
        value = f"CAST(to_json({text}) AS VARCHAR)" if is_text else text
        pairs.append(f"{name}, coalesce({value}, '\"\"')")
    line = "concat('  {', chr(10), " + ", ',', chr(10), ".join(pairs) + ", chr(10), '  },', chr(10))"
    yield b"[\n"
    pieces = ((data, 0) for data in rows.lines(line))
    yield from (data for data, _ in without_last(pieces, b",\n", b"\n"))
    yield b"]\n"


def _htable(layout: Layout, rows: Rows, title: str) -> Iterator[bytes]:
    def row(name: str, cells: Sequence[str]) -> str:
        return "    <tr>\n" + "".join(f"      <{name}>{c}</{name}>\n" for c in cells) + "    </tr>\n"

    yield "<table>\n  <thead>\n{}  </thead>\n".format(row("th", [html.escape(h, quote=False) for h in rows.headers])).encode()
    yield b"  <tbody>\n"
    cells = []
    for text, is_text in zip(rows.texts, rows.are_texts):
        safe = f"replace(replace(replace({text}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')" if is_text else text
        cells.append(f"'      <td>', {safe}, '</td>', chr(10)")
    yield from rows.lines(f"concat('    <tr>', chr(10), {', '.join(cells)}, '    </tr>', chr(10))")
    yield b"  </tbody>\n</table>\n"


def _hdoc(layout: Layout, rows: Rows, title: str) -> Iterator[bytes]:
    page_title = html.escape(layout.setting("title", "Nsight Systems Stats Output"))
    css = layout.setting("css", "")
    link = f'  <link rel="stylesheet" href="{html.escape(css)}">\n' if css else ""
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n  <meta charset="UTF-8">\n'
        f"  <title>{page_title}</title>\n{link}</head>\n<body>\n<h1>{html.escape(title)}</h1>\n"
    ).encode()
    yield from _htable(layout, rows, title)
    yield b"</body>\n</html>\n"


def _column(layout: Layout, rows: Rows, title: str) -> Iterator[bytes]:
    yield from _aligned(layout, rows, (" ", "  ", ""), lambda widths: " " + "  ".join("-" * w for w in widths))


def _table(layout: Layout, rows: Rows, title: str) -> Iterator[bytes]:
    def rule(widths: Sequence[int]) -> str:
        return "+" + "+".join("-" * (w + 2) for w in widths) + "+"

    yield from _aligned(layout, rows, ("| ", " | ", " |"), rule, is_boxed=True)


def _aligned(
    layout: Layout, rows: Rows, marks: tuple[str, str, str], rule: Callable[[Sequence[int]], str], is_boxed: bool = False
) -> Iterator[bytes]:
    """Columns as wide as their header and their first rows, numbers to the right, what is longer cut with an ellipsis."""
    kept = rows.kept()
    if not kept.are_any():
        return
    measured = kept.widths(int(layout.setting("autolines", "100")))
    most = int(layout.setting("colmax", "100")) or max(measured, default=0) + max(map(len, kept.headers))
    given = [*layout.widths, *[None] * len(kept.headers)]
    widths = [
        min(max(len(header), width), most) if fixed is None else fixed
        for header, width, fixed in zip(kept.headers, measured, given)
    ]
    shown = [number for number, width in enumerate(widths) if width]
    line = rule([widths[n] for n in shown])
    first, between, last = marks
    if layout.has_header:
        heads = (f"{_cut(kept.headers[n], widths[n]):^{widths[n]}}" for n in shown)
        yield f"{line}\n".encode() if is_boxed else b""
        yield f"{first}{between.join(heads)}{last}\n{line}\n".encode()
    cells = f", {literal(between)}, ".join(_cell(kept.texts[n], widths[n], kept.are_texts[n]) for n in shown)
    yield from kept.lines(f"concat({literal(first)}, {cells}, {literal(last)}, chr(10))")
    yield f"{line}\n".encode() if is_boxed else b""


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _cell(text: str, width: int, is_text: bool) -> str:
    cut = f"CASE WHEN length({text}) > {width} THEN concat(left({text}, {width - 1}), '…') ELSE coalesce({text}, '') END"
    return f"{'rpad' if is_text else 'lpad'}({cut}, {width}, ' ')"


_WRITERS: dict[str, Callable[[Layout, Rows, str], Iterator[bytes]]] = {
    **{"column": _column, "table": _table, "csv": _csv, "tsv": _tsv, "json": _json, "htable": _htable, "hdoc": _hdoc}
}
