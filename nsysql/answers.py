"""Which reports are meant, which of them can answer a view, and why the others cannot."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .catalog import Catalog
from .errors import UsageError
from .header import View


@dataclass(frozen=True)
class Answer:
    """What the reports can say to a view: names of those that can, of those where nothing happened (`where`), and reasons."""

    able: tuple[str, ...]
    nothing_happened: tuple[str, ...]
    unable: tuple[tuple[str, str], ...]
    where: str = ""

    def notes(self, view: str) -> list[str]:
        """What to tell beside the rows: which reports cannot answer and why, where nothing happened."""
        lines = [f"{view}: no answer from {', '.join(names)}: {reason}" for reason, names in self.reasons().items()]
        if self.nothing_happened:
            lines.append(f"{view}: traced, nothing happened{self.where} in {', '.join(self.nothing_happened)}")
        return lines

    def reasons(self) -> dict[str, list[str]]:
        """The reports that cannot answer, by reason."""
        found: dict[str, list[str]] = {}
        for name, reason in self.unable:
            found.setdefault(reason, []).append(name)
        return found


def state_of(
    catalog: Catalog, view: View, report_id: int, states: Mapping[tuple[int, str], tuple[str, str]]
) -> tuple[str, str]:
    """State of a view for a report, and the reason if it cannot answer."""
    needs = view.needs.views or ((view.name,) if view.trace else ())
    found = [states[report_id, n] for n in needs if (report_id, n) in states]
    if not found:
        return "recorded", ""
    best_first = ["recorded", "none", "unknown", "not_traced"]
    pick = min if view.needs.any_of else max
    state, option = pick(found, key=lambda f: best_first.index(f[0]))
    if state == "not_traced":
        return state, f"it was not traced; record with `nsys profile {option}`."
    return (
        state,
        f"there are no such events, and the report does not say whether they were traced ({option} records them).",
    )


def resolved(known: Sequence[tuple[str, int, str | None]], wanted: Iterable[str | int], path: Path) -> list[int]:
    """Ids of the reports that names, ids or runs stand for, among `known` ones (name, id, run) of a database at `path`.

    Raises UsageError with the closest name for one that there is not.
    """
    by_name = {name: report_id for name, report_id, _ in known}
    ids: list[int] = []
    for report in wanted:
        of_run = [report_id for _, report_id, run in known if run == report]
        if report in by_name:
            ids.append(by_name[str(report)])
        elif str(report) in map(str, by_name.values()):
            ids.append(int(report))
        elif of_run:
            ids += of_run
        else:
            close = difflib.get_close_matches(str(report), by_name, n=1)
            hint = f"did you mean {close[0]}?" if close else "`nsysql reports` lists them."
            raise UsageError(f"there is no report {str(report)!r} in {path}: {hint}")
    return ids
