"""A report read in the order in which a person reads one: what was collected, what is missing, the idle time, the work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .connect import translated
from .database import Database
from .errors import CannotAnswerError, QueryError, UsageError
from .tables import human

FORMATS = ("text", "markdown", "json")


@dataclass(frozen=True)
class Section:
    """A step of the reading: rows of a view, then the verdicts of a topic; each may be left out."""

    title: str
    view: str
    columns: tuple[str, ...]
    where: str | None = None
    limit: int | None = None
    topic: str | None = None


SECTIONS = (
    Section("What was collected", "trace_states", ("source", "row_count"), "state = 'recorded'"),
    Section(
        "What is missing",
        "coverage",
        ("topic", "item", "state", "row_count", "advice"),
        "topic NOT IN ('traced', 'overhead') AND state NOT IN ('matched', 'launches_nothing', 'op_of_other_call') OR "
        "item IN ('nvtx_ranges', 'osrt_calls', 'cpu_samples', 'gpu_metrics') AND state IN ('not_traced', 'unknown')",
        20,
        "trace",
    ),
    Section(
        "Where the time went",
        "phases",
        ("process_id", "phase", "dur_ns", "before_cuda_ns", "gpu_busy_ns", "cuda_call_ns", "module_load_ns", "profiler_ns"),
    ),
    Section("How busy the GPUs were", "gpu_busy", ("gpu_id", "gpu_name", "op_count", "active_ratio", "busy_ns", "between_ns")),
    Section(
        "Why they idled between their operations",
        "idle_by_cause",
        ("gpu_id", "nvtx_path", "cause", "name", "gap_count", "idle_ns"),
        "position = 'between'",
        10,
        "idle",
    ),
    Section(
        "What the program was doing",
        "nvtx_rank",
        ("name", "is_wrapper", "range_count", "total_ns", "exclusive_ns", "gpu_op_ns", "gpu_idle_ns"),
        None,
        10,
    ),
    Section("What the GPUs did", "kernel_sum", ("gpu_id", "name", "kernel_count", "dur_ns"), None, 10, "work"),
)


@dataclass(frozen=True)
class Step:
    """A section of one report with its rows; `reason` says why there are none, `has_more` that they are the first ones only."""

    section: Section
    units: dict[str, str]
    rows: list[dict[str, Any]]
    reason: str | None
    has_more: bool
    verdicts: list[dict[str, Any]]


def diagnose(database: Database, report: str | int) -> list[Step]:
    """Every section for one report, given by name or id; raises UsageError if there is none of that name."""
    ids = database.report_ids([report])
    try:
        found = _rows(database, "verdicts", None, ids, None)
    except CannotAnswerError:
        found = []
    steps = []
    for section in SECTIONS:
        view = database.catalog.get(section.view)
        units = {c.name: c.unit for c in view.columns}
        reason, rows = None, []
        try:
            rows = _rows(database, section.view, section.where, ids, section.limit and section.limit + 1)
        except (CannotAnswerError, QueryError) as error:
            reason = str(error).splitlines()[0]
        verdicts = [v for v in found if section.topic and v["topic"] == section.topic]
        shown = [{c: row[c] for c in section.columns} for row in rows[: section.limit]]
        steps.append(Step(section, units, shown, reason, len(rows) > len(shown), verdicts))
    return steps


def _rows(database: Database, view: str, where: str | None, ids: list[int], limit: int | None) -> list[dict[str, Any]]:
    found = database.catalog.get(view)
    order = ", ".join([*([found.order] if found.order else []), *found.grain])  # rows that tie do not change places
    relation = database.query(view, where=where, order=order, reports=ids, limit=limit)
    with translated():
        return [dict(zip(relation.columns, row)) for row in relation.fetchall()]


def written(database: Database, reports: list[str] | None, format: str) -> str:
    """Every section for the reports, by default all, in one of FORMATS; raises UsageError for another one."""
    if format not in FORMATS:
        raise UsageError(f"there is no format {format!r} here; there are {', '.join(FORMATS)}.")
    found = [(name, diagnose(database, i)) for i, name in database.report_names(reports)]
    if format == "json":
        return "[\n" + ",\n".join(as_json(name, steps) for name, steps in found) + "\n]"
    return "\n\n".join("\n".join(as_text(name, steps, format == "markdown")) for name, steps in found)


def as_json(report: str, steps: list[Step]) -> str:
    """The steps as one object of JSON."""
    sections = [
        {
            "title": s.section.title,
            "view": s.section.view,
            "rows": s.rows,
            "has_more": s.has_more,
            "reason": s.reason,
            "verdicts": s.verdicts,
        }
        for s in steps
    ]
    return json.dumps({"report": report, "sections": sections}, ensure_ascii=False, indent=1)


def as_text(report: str, steps: list[Step], is_markdown: bool) -> Iterator[str]:
    """The steps as lines, in Markdown or for a terminal."""
    yield from _heading(report, "#", is_markdown)
    for step in steps:
        yield ""
        yield from _heading(step.section.title, "##", is_markdown)
        yield ""
        if step.rows:
            yield from _table(step, is_markdown)
        else:
            yield _escaped(step.reason or "Nothing.", is_markdown)
        if step.has_more:
            yield ""
            yield f"These are the first; all: nsysql query {step.section.view}"
        for verdict in step.verdicts:
            yield ""
            yield _escaped(f"- {verdict['severity']}: {verdict['sentence']}", is_markdown)
            yield _escaped(f"  {verdict['action']} (nsysql query {verdict['view_name']})", is_markdown)


def _heading(text: str, mark: str, is_markdown: bool) -> Iterator[str]:
    yield f"{mark} {_escaped(text, True)}" if is_markdown else text
    if not is_markdown:
        yield ("=" if mark == "#" else "-") * len(text)


def _table(step: Step, is_markdown: bool) -> Iterator[str]:
    names = list(step.section.columns)
    cells = [[_shortened(human(row[n], step.units[n], n), is_markdown) for n in names] for row in step.rows]
    is_right = [all(row[n] is None or isinstance(row[n], (int, float)) for row in step.rows) for n in names]
    widths = [max(len(n), *(len(row[i]) for row in cells)) for i, n in enumerate(names)]

    def line(row: list[str]) -> str:
        padded = [c.rjust(w) if right else c.ljust(w) for c, w, right in zip(row, widths, is_right)]
        return "| " + " | ".join(padded) + " |" if is_markdown else "  ".join(padded).rstrip()

    yield line(names)
    if is_markdown:
        yield "|" + "|".join("-" * (w + 1) + (":" if right else "-") for w, right in zip(widths, is_right)) + "|"
    else:
        yield "─" * len(line(names).rstrip())
    for row in cells:
        yield line(row)


def _shortened(text: str, is_markdown: bool) -> str:
    text = " ".join(text.split())
    return _escaped(text if len(text) <= 60 else text[:57] + "...", is_markdown)


def _escaped(text: str, is_markdown: bool) -> str:
    """The text with what Markdown would take for markup in the names of kernels and ranges."""
    return re.sub(r"([\\`*<>|\[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))", r"\\\1", text) if is_markdown else text
