"""The real nsys beside the views: every report and rule that a view is printed as, with its arguments, on any export."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from nsysql.header import View

from tests.oracle import is_rule, printed

ARGUMENTS = {
    "gpu_gaps": ("gap=1",),
    "gpu_time_util": ("threshold=101:chunks=7", "threshold=90:chunks=1000"),
}
"""What to give to the reports whose arguments have values."""


@dataclass(frozen=True)
class Variant:
    """A report with arguments, as nsys is asked for it, and the parameters of the view that they mean."""

    view: View
    arguments: tuple[str, ...]

    @property
    def text(self) -> str:
        """Report and arguments as nsys takes them."""
        return ":".join((self.view.name, *self.arguments))

    @property
    def params(self) -> dict[str, str]:
        """Parameters of the view."""
        known = printed(self.view).arguments
        pairs = [argument.partition("=") for argument in self.arguments]
        found = [(known[name], value) for name, _, value in pairs if name in known]
        return {param: fixed if fixed is not None else value for (param, fixed), value in found}

    def path(self, folder: Path) -> Path:
        """Where nsys writes it."""
        return folder / f"x_{'_'.join((self.view.name, *self.arguments))}.csv"


def variants(view: View) -> list[Variant]:
    """A report without arguments, with each that has no value, with two of them, and with those of ARGUMENTS; all rows."""
    known = printed(view).arguments
    flags = [name for name, (_, fixed) in known.items() if fixed is not None]
    pairs = [pair for pair in combinations(flags, 2) if known[pair[0]][0] != known[pair[1]][0]]
    given = [(), *((flag,) for flag in flags), *pairs, *(tuple(text.split(":")) for text in ARGUMENTS.get(view.name, ()))]
    rows = () if printed(view).rows is None else ("rows=-1",)
    return [Variant(view, (*arguments, *rows)) for arguments in given]


def _prints_green_contexts(variant: Variant) -> bool:
    return "green_context_id" in dict(printed(variant.view).headers)


def run(nsys: str, export: Path, wanted: Sequence[Variant], folder: Path) -> list[tuple[Variant, Path | str]]:
    """Print reports of an export into a folder: the file of each, or why nsys skipped it. The export itself is only read.

    Those that print green contexts come last: of an export without them nsys 2023.4 says so of all reports that follow too.
    """
    copy = Path(shutil.copy(export, folder / "x.sqlite"))
    copy.chmod(0o600)
    output = ""
    for command, option in (("stats", "--report"), ("analyze", "--rule")):
        asked = [v for v in wanted if is_rule(v.view) == (command == "analyze")]
        texts = [v.text for v in sorted(asked, key=_prints_green_contexts)]
        if texts:
            call = [nsys, command, option, ",".join(texts), "--format", "csv", "--output", str(folder / "x"), str(copy)]
            output += subprocess.run(call, capture_output=True, text=True, timeout=600, check=False).stdout
    copy.unlink()
    said = dict(re.findall(r"to \[([^\]]*)\]\.\.\.(.*?)(?=Processing \[|\Z)", output, re.DOTALL))
    found: list[tuple[Variant, Path | str]] = []
    for variant in wanted:
        path = variant.path(folder)
        _, skipped, reason = said[str(path)].partition("SKIPPED: ")
        found.append((variant, reason.strip() if skipped else path))
    return found
