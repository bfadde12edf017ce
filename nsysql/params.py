"""Parameters of a view: as they are given on the command line, and as SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .errors import UsageError
from .header import Param, View
from .sqltext import literal


def named(given: Iterable[str]) -> dict[str, str]:
    """Parameters by name from texts NAME=VALUE; raises UsageError for another text."""
    params = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"-p {text}: a parameter is given as NAME=VALUE.")
        params[name] = value
    return params


def arguments(view: View, params: Mapping[str, Any]) -> str:
    """The arguments of a call of a view as SQL, empty for none; raises UsageError for one that it lacks or does not have."""
    known = {p.name: p for p in view.params}
    for name in params:
        if name not in known:
            have = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{view.name} has no parameter {name!r}; {have}.")
    missing = [p.name for p in view.params if p.default is None and p.name not in params]
    if missing:
        raise UsageError(f"{view.name} needs the parameter {missing[0]}: -p {missing[0]}=VALUE.")
    if not params:
        return ""
    return "(" + ", ".join(f"{n} := {typed_literal(known[n], v)}" for n, v in params.items()) + ")"


def typed_literal(param: Param, value: Any) -> str:
    """A value of a parameter as SQL of its type."""
    text = literal(str(value))
    return text if param.type in ("TABLE", "VARCHAR") else f"CAST({text} AS {param.type})"
