"""A view's documentation and its SQL as text."""

from __future__ import annotations

import re

from .catalog import load_catalog
from .header import Column, Param, View


def description(view: View) -> str:
    """What `nsysql show` prints: summary, prose, needs, parameters, columns, what is not verified, example."""
    parts = [f"{view.name} (version {view.version}, {view.layer})", view.summary]
    if view.prose:
        parts.append(view.prose)
    if view.needs.views:
        parts.append("Needs " + (" or " if view.needs.any_of else " and ").join(view.needs.views) + " to be traced.")
    if view.trace:
        parts.append(f"Recorded with nsys profile {view.trace.option}.")
    if view.grain:
        parts.append("One row per " + ", ".join(view.grain) + ".")
    if view.params:
        parts.append("Parameters\n" + _columns(view.params))
    parts.append(("Value\n" if view.kind == "scalar" else "Columns\n") + _columns(view.columns))
    parts += [f"Not verified: {text}" for text in view.unverified]
    if view.examples:
        parts.append("Example\n" + "\n".join(f"  {e}" for e in view.examples))
    return "\n\n".join(parts) + "\n"


def pasteable_sql(view: View) -> str:
    """SQL that a DuckDB shell on the database runs as it is; a view with parameters as a temporary macro.

    Names are those of the contract's schema, where the building blocks are too.
    """
    body = load_catalog().qualified_body(view).strip()
    if not view.params:
        return body + ";\n"
    params = [p.name if p.default is None else f"{p.name} := {p.default}" for p in view.params]
    macro = f"CREATE OR REPLACE TEMP MACRO {view.name}({', '.join(params)}) AS"
    if view.kind == "scalar":
        return f"{macro} (\n{body}\n);\n"
    call = f"FROM {view.name}();\n" if view.has_view else ""
    return f"{macro} TABLE\n{body};\n{call}"


def _columns(columns: tuple[Column, ...] | tuple[Param, ...]) -> str:
    name = max(len(c.name) for c in columns)
    type_ = max(len(c.type) for c in columns)
    unit = max(len(_unit(c)) for c in columns)
    return "\n".join(f"  {c.name:<{name}}  {c.type:<{type_}}  {_unit(c):<{unit}}  {_doc(c)}" for c in columns)


def _unit(column: Column | Param) -> str:
    return re.sub(r"^-$", "", column.unit)


def _doc(column: Column | Param) -> str:
    if isinstance(column, Column):
        return column.doc
    return f"{column.doc} {'Required.' if column.default is None else f'Default {column.default}.'}"
