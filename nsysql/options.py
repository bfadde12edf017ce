"""Options that several commands of the command line have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Optional

import typer

from .errors import UsageError
from .printing import TABLE_LIMIT

Db = Annotated[Path, typer.Option("--db", envvar="NSYSQL_DB", readable=False, help="Database file.")]


def _seconds(wait: float) -> float:
    if wait != wait:
        raise UsageError("--wait nan: a number of seconds is wanted.")
    return wait


Wait = Annotated[
    float,
    typer.Option("--wait", min=0, callback=_seconds, help="Seconds to wait while another process holds the database."),
]
Nsys = Annotated[Optional[str], typer.Option("--nsys", envvar="NSYSQL_NSYS", help="The nsys that exports reports.")]
Format = Annotated[
    Optional[str],
    typer.Option("--format", "-f", help="table, csv, json, jsonl, markdown, parquet or arrow; table on a terminal, else csv."),
]
Output = Annotated[Optional[Path], typer.Option("--output", "-o", help="File to write instead of the terminal.")]
Limit = Annotated[
    Optional[int], typer.Option("--limit", "-n", min=0, help=f"Rows at most; {TABLE_LIMIT} in a table, else all.")
]
From = Annotated[
    Optional[str],
    typer.Option("--from", metavar="T", help="Start of a window on the report's axis, in seconds or as 1500ms, 20us, 7ns."),
]
To = Annotated[
    Optional[str],
    typer.Option("--to", metavar="T", help="End of the window. Events are cut to it, all else follows from what is left."),
]
Report = Annotated[
    Optional[list[str]], typer.Option("--report", "-r", help="Report to look at, by name, id or run; repeat for more.")
]


def own_views(folder: Path | None) -> Path | None:
    """Let the worker processes know the folder too."""
    if folder is not None:
        os.environ["NSYSQL_VIEWS"] = str(folder.absolute())
    return folder


Views = Annotated[
    Optional[Path],
    typer.Option("--views", envvar="NSYSQL_VIEWS", callback=own_views, help="Folder of views of your own, for schema my."),
]
DEFAULT_DB = Path("nsysql.duckdb")
