"""Prints reports and rules one by one, with the lines around them that NVIDIA's tools print."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from nsysql.database import Database
from nsysql.errors import CannotAnswerError, InputError, NsysqlError, StorageError, UsageError
from nsysql.header import View
from nsysql.output import replaced
from nsysql.printing import tell

from . import filters
from .inputs import Input
from .layouts import written
from .requests import GRAPHICS, Request, find, parameters
from .rows import Rows, rows_of

NO_ROWS = "Report was successfully run, but no data was returned."
_FIRST_COLON = 2025
"""Year of the first nsys that is known to print a colon before the names of ranges in the default domain."""


@dataclass(frozen=True)
class Manner:
    """How to print: without the lines around, over files that are there, of which rows, like which nsys (None: its own)."""

    is_quiet: bool = False
    overwrites: bool = False
    looks_at: filters.Wanted = field(default_factory=filters.Wanted)
    like: str | None = None


class Printer:
    """Prints requests for the reports of a database; `failed` are the errors of those that could not be printed."""

    def __init__(self, database: Database, manner: Manner) -> None:
        self._database = database
        self._manner = manner
        self._left: dict[filters.Filter, Database] = {}
        self.failed: list[NsysqlError] = []

    def print(self, source: Input, request: Request) -> None:
        """Print one report or rule of one input; if that fails, tell why."""
        arguments = (*self._manner.looks_at.arguments(), *request.arguments)
        shown = f"({':'.join(arguments)})" if arguments else ""
        view = find(self._database.catalog, request)
        is_known = view is not None or request.key in GRAPHICS
        intro = f"Processing [{source.label}] with [{request.name}{'.py' * is_known}]{shown}"
        target = _target(source, request, arguments)
        if target is not None:
            intro += f" to [{target}]"
        elif request.output != "-":
            intro += f" to process [{request.output}]"
        is_on_terminal = request.output == "-"
        self._say(f"{intro}... " + "\n" * is_on_terminal)
        try:
            if not is_known:
                raise UsageError(f"Report '{request.name}' could not be found. `nsysql views` lists what there is.")
            outcome = self._outcome(source, request, view, target)
            self._say(f"{outcome}\n\n" if outcome else "" if is_on_terminal else "\n")
        except NsysqlError as error:
            self.failed.append(error)
            tell(f"ERROR: {error}")
            self._say("" if is_on_terminal and not is_known else "\n")

    def _outcome(self, source: Input, request: Request, view: View | None, target: str | None) -> str:
        """Print the rows; gives what to say behind them, or in their place."""
        if target is not None and Path(target).exists() and not self._manner.overwrites:
            return f"SKIPPED: output file {target} exists."
        refused = None
        with _stream(request, target) as stream:
            try:
                outcome = self._rows_to(stream, source, request, view)
            except UsageError as error:
                refused = error
        if refused is not None:
            raise UsageError(f"Invalid argument passed to report '{request.name}.py': {refused}")
        return outcome or ("PROCESSED" if target is not None else "")

    def _rows_to(self, stream: IO[bytes], source: Input, request: Request, view: View | None) -> str:
        """Write the rows; gives why not, if there is nothing that they could be of."""
        if view is None:
            return f"SKIPPED: {request.name} is about events that nsysql does not read."
        looks_at, rest = self._manner.looks_at.having(request.arguments)
        params, limit = parameters(view, rest)
        found = looks_at.found(self._database, source.report_id)
        if found is None:
            return f"SKIPPED: NVTX range '{looks_at.range}' could not be found in {source.label}."
        if found.start_ns > found.end_ns:
            return "SKIPPED: The start time cannot be greater than the end time."
        if lacking := self._lacking(view, source):
            return f"SKIPPED: {source.label} does not contain {lacking}."
        if "like_nsys" in {param.name for param in view.params}:
            params["like_nsys"] = self._manner.like or _like(source.version)
        rows = rows_of(self._left_by(found), view, params, source.report_id, limit, request.layout.units)
        _write(rows, view, request, limit, stream)
        if not self._manner.is_quiet:
            for line in [*self._database.bewares(view, [source.report_id]), *view.unverified]:
                tell(f"{request.name}: {line}")
        return ""

    def _left_by(self, found: filters.Filter) -> Database:
        if found not in self._left:
            self._left[found] = filters.filtered(self._database, found)
        return self._left[found]

    def _lacking(self, view: View, source: Input) -> str | None:
        """What the report does not have that the view needs; None if it has all."""
        assert view.printed is not None
        for names, text in view.printed.missing:
            needed = [self._database.catalog.get(name) for name in names] or [view]
            if not any(self._has_events(one, source) for one in needed):
                return text
        return None

    def _has_events(self, view: View, source: Input) -> bool:
        try:
            return not self._database.answer(view, [source.report_id]).nothing_happened
        except CannotAnswerError:
            return False

    def _say(self, text: str) -> None:
        if not self._manner.is_quiet and sys.stdout is not None:
            sys.stdout.write(text)
            sys.stdout.flush()


def _target(source: Input, request: Request, arguments: Sequence[str]) -> str | None:
    """File that the request goes to; None for the terminal and for a command."""
    if request.output == "-" or request.output.startswith("@"):
        return None
    base = source.base if request.output == "." else request.output
    name = "_".join(["", request.name, *arguments]).replace("/", "-")
    return f"{base}{name}.{request.layout.suffix}"


@contextmanager
def _stream(request: Request, target: str | None) -> Iterator[IO[bytes]]:
    """Where the rows go: the terminal, a file, or the standard input of a command."""
    if target is not None:
        with replaced(Path(target)) as stream:
            yield stream
        return
    if request.output == "-":
        if sys.stdout is None:
            raise StorageError("standard output is closed; -o FILE writes to a file.")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    command = request.output[1:].split()
    if not command:
        raise UsageError("--output @: a command is wanted behind the @.")
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE)
    except OSError as error:
        raise InputError(f"{command[0]} cannot be run: {error.strerror}") from error
    assert process.stdin is not None
    with suppress(BrokenPipeError), process:  # a command may read as much as it likes
        yield process.stdin
    if process.returncode:
        tell(f"ERROR: {request.output[1:]}: ended with exit code {process.returncode}.")


def _write(rows: Rows, view: View, request: Request, limit: int | None, stream: IO[bytes]) -> None:
    """The rows, for people with a title above them, and what a rule advises."""
    assert view.printed is not None
    title = f"{view.printed.title} ({request.name})"
    above = f"\n ** {title}:\n\n"
    if view.printed.advice:
        above += textwrap.fill(view.printed.advice, 80) + "\n\n"
    is_for_people, is_empty = request.layout.is_for_people, True
    for piece in written(request.layout, rows, title):
        if is_empty and piece and is_for_people:
            stream.write(above.encode())
        is_empty = is_empty and not piece
        stream.write(piece)
    if is_empty and is_for_people:
        stream.write(f"\n ** {title}:\n\n{NO_ROWS}\n".encode())
    elif is_for_people and limit is not None:
        stream.write(f"\nThe first {limit} rows at most; rows=-1 prints all.\n".encode())
    if request.output == "-" and (is_for_people or not is_empty):
        stream.write(b"\n")


def _like(version: str | None) -> str:
    year = (version or "").partition(".")[0]
    return "2025.3" if year.isdigit() and int(year) >= _FIRST_COLON else "2023.4"
