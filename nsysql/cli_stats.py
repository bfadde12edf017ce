"""The commands `stats` and `analyze`, with the options of NVIDIA's commands of these names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from .errors import StorageError, UsageError
from .options import Nsys, Wait

if TYPE_CHECKING:
    from .stats.filters import Wanted
    from .stats.inputs import Choice
    from .stats.run import Manner

MEMORY_LIMIT = "1GB"
"""Enough for millions of rows, beside little else; more would be taken where it is there, for no gain."""

_OPTIONAL = ("--force-export", "--force-overwrite")
_SWITCHES = {"true": True, "false": False}

InputFile = Annotated[str, typer.Argument(metavar="INPUT", help="Database, report (.nsys-rep) or export.")]
Formats = Annotated[
    Optional[list[str]],
    typer.Option("--format", "-f", help="column, table, csv, tsv, json, hdoc, htable, with arguments: csv:dur=us:nohdr."),
]
Outputs = Annotated[
    Optional[list[str]], typer.Option("--output", "-o", help="- for the terminal, . or a base name for files, @COMMAND.")
]
FilterTime = Annotated[Optional[str], typer.Option("--filter-time", metavar="S/E", help="Only rows that lie in it in part.")]
FilterNvtx = Annotated[
    Optional[str],
    typer.Option("--filter-nvtx", metavar="NAME[@DOMAIN][/N]", help="Only rows in the time and thread of an NVTX range."),
]
TimeUnit = Annotated[
    Optional[str],
    typer.Option("--timeunit", help="nsec, usec, msec or seconds, or the beginning of one; goes before units of --format."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the rows only.")]
Sqlite = Annotated[
    Optional[str], typer.Option("--sqlite", help="Export of the report; used if it is there, else made. By default beside it.")
]
ForceExport = Annotated[str, typer.Option("--force-export", metavar="[true|false]", help="Export the report anew.")]
ForceOverwrite = Annotated[str, typer.Option("--force-overwrite", metavar="[true|false]", help="Write over files.")]
Like = Annotated[
    Optional[str], typer.Option("--like", help="2023.4 or 2025.3: print as that nsys; by default as the one that exported.")
]
Name = Annotated[
    Optional[list[str]], typer.Option("--name", help="Report of the database, by name, id or run; all by default.")
]
Memory = Annotated[str, typer.Option("--memory-limit", help="What DuckDB may take, as 500MB; beyond it, it uses the disk.")]


def with_values(arguments: Sequence[str]) -> list[str]:
    """The arguments with `true` behind those options that may stand without a value and do."""
    found: list[str] = []
    for number, argument in enumerate(arguments):
        found.append(argument)
        following = arguments[number + 1] if number + 1 < len(arguments) else ""
        if argument in _OPTIONAL and following.lower() not in _SWITCHES:
            found.append("true")
    return found


def stats(
    input_file: InputFile,
    report: Annotated[
        Optional[list[str]], typer.Option("--report", "-r", help="Reports, as NAME[:ARGUMENT...], with commas between.")
    ] = None,
    format: Formats = None,
    output: Outputs = None,
    timeunit: TimeUnit = None,
    filter_time: FilterTime = None,
    filter_nvtx: FilterNvtx = None,
    quiet: Quiet = False,
    sqlite: Sqlite = None,
    force_export: ForceExport = "false",
    force_overwrite: ForceOverwrite = "false",
    like: Like = None,
    name: Name = None,
    nsys: Nsys = None,
    memory_limit: Memory = MEMORY_LIMIT,
    wait: Wait = 30.0,
) -> None:
    """Print reports as `nsys stats` prints them: the same names, options, headers and values."""
    from .stats.requests import DEFAULT_REPORTS

    choice = _choice(sqlite, force_export, nsys, name, wait, memory_limit)
    manner = _manner(quiet, force_overwrite, filter_time, filter_nvtx, like)
    _print(input_file, choice, manner, (report or [], format or [], output or []), DEFAULT_REPORTS, timeunit)


def analyze(
    input_file: InputFile,
    rule: Annotated[
        Optional[list[str]], typer.Option("--rule", "-r", help="Rules, as NAME[:ARGUMENT...], with commas between.")
    ] = None,
    format: Formats = None,
    output: Outputs = None,
    timeunit: TimeUnit = None,
    filter_time: FilterTime = None,
    filter_nvtx: FilterNvtx = None,
    quiet: Quiet = False,
    sqlite: Sqlite = None,
    force_export: ForceExport = "false",
    force_overwrite: ForceOverwrite = "false",
    like: Like = None,
    name: Name = None,
    nsys: Nsys = None,
    memory_limit: Memory = MEMORY_LIMIT,
    wait: Wait = 30.0,
) -> None:
    """Print what rules find as `nsys analyze` prints it: the same names, options, headers and values."""
    from .stats.requests import DEFAULT_RULES

    choice = _choice(sqlite, force_export, nsys, name, wait, memory_limit)
    manner = _manner(quiet, force_overwrite, filter_time, filter_nvtx, like)
    _print(input_file, choice, manner, (rule or [], format or [], output or []), DEFAULT_RULES, timeunit)


def _choice(
    sqlite: str | None, force_export: str, nsys: str | None, names: list[str] | None, wait_s: float, memory_limit: str
) -> Choice:
    from .stats.inputs import Choice

    return Choice(sqlite, _switch("--force-export", force_export), nsys, tuple(names or ()), wait_s, memory_limit)


def _manner(quiet: bool, force_overwrite: str, time: str | None, range_name: str | None, like: str | None) -> Manner:
    from .stats.run import Manner

    return Manner(quiet, _switch("--force-overwrite", force_overwrite), _looks_at(time, range_name), _known_like(like))


def _print(
    input_file: str,
    choice: Choice,
    manner: Manner,
    wanted: tuple[list[str], list[str], list[str]],
    default: tuple[str, ...],
    unit: str | None,
) -> None:
    from dataclasses import replace

    from .catalog import load_catalog
    from .printing import close_quietly, tell
    from .stats.filters import Wanted
    from .stats.inputs import opened
    from .stats.requests import questions, requests
    from .stats.run import Printer
    from .stats.units import timeunit

    found, warnings = requests(*wanted, default, None if unit is None else timeunit(unit))
    if not manner.is_quiet:
        for name, argument in dict.fromkeys((r.layout.name, argument) for r in found for argument in r.layout.ignored):
            tell(f"--format {name}: {argument!r} is no argument of it, or has no value that it knows: ignored.")
    is_cut = any(manner.looks_at.having(request.arguments)[0] != Wanted() for request in found)
    asked = None if is_cut else tuple(questions(load_catalog(), found))
    with opened(input_file, replace(choice, questions=asked, is_quiet=manner.is_quiet)) as (database, inputs):
        printer = Printer(database, manner)
        try:
            for source in inputs:
                for request in found:
                    printer.print(source, request)
            for warning in warnings:
                print(warning)
        except BrokenPipeError:
            close_quietly()
        except OSError as error:
            raise StorageError(f"standard output: cannot be written: {error.strerror}") from error
    if printer.failed:
        count = f"{len(printer.failed)} of {len(found) * len(inputs)}"
        raise type(printer.failed[0])(f"{count} could not be printed; the lines with ERROR tell why.")


def _looks_at(time: str | None, range_name: str | None) -> Wanted:
    from .stats.filters import Wanted, of_time

    if time is not None:
        of_time(time)
    start, _, end = ("" if time is None or range_name is not None else time).partition("/")
    return Wanted(start or None, end or None, range_name)


def _switch(option: str, text: str) -> bool:
    if text.lower() not in _SWITCHES:
        raise UsageError(f"{option} {text}: must be true or false.")
    return _SWITCHES[text.lower()]


def _known_like(text: str | None) -> str | None:
    from .stats.requests import LIKES

    if text not in (None, *LIKES):
        raise UsageError(f"--like {text}: must be {' or '.join(LIKES)}.")
    return text
