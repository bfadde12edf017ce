"""Rows as a table for people: human units, columns that fit the terminal, one value a line where they cannot."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

from .connect import translated
from .output import is_number

if TYPE_CHECKING:
    import duckdb

_SHORTEST_TEXT = 16
_GAP = 2
_TIMES = ((1e9, ""), (1e6, "m"), (1e3, "µ"), (1, "n"))
_SIZES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""))


def write_table(
    relation: duckdb.DuckDBPyRelation,
    stream: IO[bytes],
    units: Mapping[str, str],
    width: int | None,
    rows: Sequence[tuple[Any, ...]] | None = None,
) -> int:
    """Write the rows as a table; returns the number of rows.

    `rows` are those of the relation to write, if they have been read; else all of them are. `units` maps columns to units,
    which else come from the columns' names. With a `width`, headers are broken at underscores and texts are cut; if that is
    not enough, every row becomes a list of its values.
    """
    if rows is None:
        with translated():
            rows = relation.fetchall()
    names, types = list(relation.columns), [str(t) for t in relation.types]
    numbers = [is_number(t) for t in types]
    whole = [number or bool(re.match("BOOL|DATE|TIME|UUID", t)) for number, t in zip(numbers, types)]
    cells = [[_plain(human(v, _unit_of(n, units), n)) for n, v in zip(names, row)] for row in rows]
    values = [max((len(row[i]) for row in cells), default=0) for i in range(len(names))]
    headers = names if width is None else [_broken(n, size) for n, size in zip(names, values)]
    widths = [max(size, *(len(part) for part in h.split("\n"))) for size, h in zip(values, headers)]
    fitting = _fit(widths, whole, width)
    if width is not None and sum(fitting) + _GAP * (len(names) - 1) > width and rows:
        text = _as_lists(names, cells)
    else:
        text = _as_table(headers, cells, fitting, numbers)
    stream.write("".join(line.rstrip() + "\n" for line in text.splitlines()).encode())
    return len(rows)


def human(value: Any, unit: str, name: str = "") -> str:
    """A value as a person reads it: 12.3 ms for ns, 4.1 GB for bytes, 97.3 % for a ratio; points in time in seconds."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, (int, float)) or unit in ("id", "-", "text"):
        return str(value)
    if unit == "ns":
        return f"{value / 1e9:.6f} s" if re.search(r"(^|_)(start|end)_ns$", name) else _scaled(value, _TIMES, "s")
    if unit == "bytes":
        return _scaled(value, _SIZES, "B")
    if unit == "bytes_per_s":
        return _scaled(value, _SIZES, "B") + "/s"
    if unit == "hz":
        return _scaled(value, _SIZES, "Hz")
    if unit == "ratio":
        if 0 < value < 0.001:
            return "<0.1 %"
        return f"{value * 100:.1f} %"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _scaled(value: float, scales: tuple[tuple[float, str], ...], unit: str) -> str:
    for factor, prefix in scales:
        if abs(value) >= factor or factor == 1:
            number = value / factor
            if factor == 1 and float(value).is_integer():
                return f"{int(value)} {prefix}{unit}"
            digits = 0 if abs(number) >= 99.95 else 1 if abs(number) >= 9.995 else 2
            return f"{number:.{digits}f} {prefix}{unit}"
    return ""


def _unit_of(name: str, units: Mapping[str, str]) -> str:
    if name in units:
        return "id" if units[name].startswith("id(") else units[name]
    suffixes = {
        "_ns": "ns",
        "_bytes": "bytes",
        "_bytes_per_s": "bytes_per_s",
        "_ratio": "ratio",
        "_hz": "hz",
        "_id": "id",
        "_count": "count",
    }
    return next((unit for suffix, unit in sorted(suffixes.items(), key=lambda s: -len(s[0])) if name.endswith(suffix)), "-")


def _plain(text: str) -> str:
    """Text on one line, without characters that could control a terminal."""
    return "".join(" " if c in "\r\n\t" else "\ufffd" if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)


def _broken(name: str, size: int) -> str:
    """A header broken at underscores into lines of the width of the column's values, if it can be."""
    lines = [""]
    parts = name.split("_")
    for part in (p + "_" for p in parts[:-1]):
        lines[-1:] = [lines[-1] + part] if len(lines[-1] + part) <= max(size, 4) else [lines[-1], part]
    last = parts[-1]
    lines[-1:] = [lines[-1] + last] if len(lines[-1] + last) <= max(size, 4) else [lines[-1], last]
    return "\n".join(line for line in lines if line)


def _fit(widths: list[int], whole: list[bool], width: int | None) -> list[int]:
    """Column widths that fit `width` as far as texts can be cut: to _SHORTEST_TEXT characters; `whole` columns never."""
    if width is None:
        return widths
    room = width - _GAP * (len(widths) - 1) - sum(w for w, n in zip(widths, whole) if n)
    texts = sorted(w for w, n in zip(widths, whole) if not n)
    if sum(texts) <= room:
        return widths
    most = _SHORTEST_TEXT
    for count, size in enumerate(texts):
        share = room // (len(texts) - count)
        if size > share:
            most = max(share, _SHORTEST_TEXT)
            break
        room -= size
    return [w if n else min(w, most) for w, n in zip(widths, whole)]


def _as_table(headers: list[str], cells: list[list[str]], widths: list[int], numbers: list[bool]) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True, padding=(0, 1))
    for header, size, number in zip(headers, widths, numbers):
        side = "right" if number else "left"
        table.add_column(Text(header), justify=side, no_wrap=True, width=size, vertical="bottom")  # type: ignore[arg-type]
    for row in cells:
        table.add_row(*(Text(cell, overflow="ellipsis") for cell in row))
    text = io.StringIO()
    Console(file=text, width=sum(widths) + 3 * len(widths), color_system=None).print(table)
    return text.getvalue()


def _as_lists(names: list[str], cells: list[list[str]]) -> str:
    size = max(len(n) for n in names)
    blocks = ["\n".join(f"{n:<{size}}  {cell}" for n, cell in zip(names, row)) for row in cells]
    return "\n".join(f"-- {i} --\n{block}" for i, block in enumerate(blocks, start=1))
