"""Values and headers as NVIDIA's tools print them, in the unit that is asked for: SQL for the text of a value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from nsysql.errors import UsageError
from nsysql.header import Column

_TIMES = {"ns": (1, None), "us": (10**3, 3), "ms": (10**6, 4), "sec": (10**9, 4)}
_BYTES = {
    **{"B": (1, None), "KB": (10**3, 2), "KiB": (2**10, 2), "MB": (10**6, 3), "MiB": (2**20, 3)},
    **{"GB": (10**9, 3), "GiB": (2**30, 3)},
}
SCALES: dict[str, dict[str, tuple[int, int | None]]] = {"ts": _TIMES, "dur": _TIMES, "mem": _BYTES, "thru": _BYTES}
"""Divisor and decimals of every unit, by the kind of value; None leaves the value as it is."""

_OTHER_KINDS = {"addr": ("uint", "hex"), "ratio": ("%",), "gid": ("gidint", "gidhex", "gidsubint", "gidsubhex")}
_GROUPS = {"time": ("ts", "dur"), "bytes": ("mem", "thru")}
_TIME_UNITS = {
    **{"nsec": "ns", "nanoseconds": "ns", "usec": "us", "microseconds": "us"},
    **{"msec": "ms", "milliseconds": "ms", "seconds": "sec", "ns": "ns", "us": "us", "ms": "ms"},
}


@dataclass(frozen=True)
class Units:
    """The unit of each kind of value: timestamps, durations, sizes, throughputs, addresses."""

    of: dict[str, str] = field(default_factory=lambda: {"ts": "ns", "dur": "ns", "mem": "MB", "thru": "MB", "addr": "hex"})
    in_header: bool = True

    def having(self, specification: str) -> Units | None:
        """With `kind=unit`, `noconv` (units as recorded) or `nohdrunit`; None for what is none of these."""
        if specification == "noconv":
            return Units({"ts": "ns", "dur": "ns", "mem": "B", "thru": "B", "addr": "uint"}, self.in_header)
        if specification == "nohdrunit":
            return Units(self.of, in_header=False)
        kind, _, unit = specification.partition("=")
        kinds = _GROUPS.get(kind, (kind,))
        known = SCALES.get(kinds[0]) or _OTHER_KINDS.get(kinds[0], ())
        if unit not in known:
            return None
        return Units(self.of | dict.fromkeys(kinds, unit), self.in_header)

    def header(self, header: str, column: Column | None) -> str:
        """The header of a column with its unit behind it."""
        kind = column and _kind(column)
        if column is None or not self.in_header or kind == "addr":
            return header
        if column.unit == "percent":
            return f"{header} (%)"
        if not kind:
            return header
        return f"{header} ({self.of[kind]}{'/s' if kind == 'thru' else ''})"

    def text(self, column: Column) -> str:
        """SQL for the text of a value of a column, NULL for none."""
        kind, name = _kind(column), column.name
        if kind == "addr" and self.of["addr"] == "hex":
            return f"printf('0x%X', {name})"
        divisor, decimals = SCALES[kind][self.of[kind]] if kind in SCALES else (1, None)
        if column.unit == "mb":
            return _megabytes(column, divisor, decimals)
        if decimals is None:
            return name if column.type == "VARCHAR" else f"CAST({name} AS VARCHAR)"
        return _scaled(name, 1 / divisor, decimals)


def _megabytes(column: Column, divisor: int, decimals: int | None) -> str:
    if decimals is not None:
        return _scaled(column.name, 10**6 / divisor, decimals)
    is_whole = column.name.startswith(("total", "min", "max"))
    size = f"{column.name} * {10**6}"
    return f"CAST({f'CAST({size} AS BIGINT)' if is_whole else size} AS VARCHAR)"


def _scaled(value: str, factor: float, decimals: int) -> str:
    """A product of DOUBLEs, not a quotient: so do the tools, and halves go up or down with it. Most sizes are 0: no format."""
    product = f"format('{{:.{decimals}f}}', {value} * {factor!r}::DOUBLE)"
    return f"CASE {value} WHEN 0 THEN '{0:.{decimals}f}' ELSE {product} END"


def timeunit(given: str) -> str:
    """The unit that a prefix of its name stands for, as NVIDIA's --timeunit; raises UsageError for another."""
    found = {unit for name, unit in _TIME_UNITS.items() if given and name.startswith(given)}
    if len(found) != 1:
        raise UsageError(f"--timeunit {given}: must begin nsec, usec, msec or seconds, so that one is meant.")
    return found.pop()


def is_number(column: Column | None) -> bool:
    """True for a column that is set to the right."""
    return column is None or (bool(re.fullmatch(r"[A-Z]*INT(EGER)?|DOUBLE|FLOAT", column.type)) and column.unit != "address")


def _kind(column: Column) -> str | None:
    if column.unit == "ns":
        return "ts" if re.search(r"(start|end|time)_ns$", column.name) else "dur"
    return {"bytes": "mem", "mb": "mem", "bytes_per_s": "thru", "address": "addr"}.get(column.unit)
