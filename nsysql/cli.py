"""The command line: a command parses, calls one Database or ingest method, and hands rows to output.py."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, Optional

import typer

from . import __version__, cli_stats, endings
from .errors import InputError, NsysqlError, QueryError, UsageError
from .options import DEFAULT_DB, Db, Format, From, Limit, Nsys, Output, Report, To, Views, Wait, own_views
from .printing import tell, write, write_objects, write_text, write_text_rows

if TYPE_CHECKING:
    from .database import Database
    from .ingestion import Ingested, Options

app = typer.Typer(
    help="Nsight Systems reports as documented SQL views in one DuckDB file.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_WITH_FOLDERS = ("ingest", "stats", "analyze")
"""Commands that have temporary folders, which must go when they are broken off."""


def main() -> None:
    """Entry point."""
    sys.argv[1:] = cli_stats.with_values(sys.argv[1:])
    endings.run(app)


def _end(*_: object) -> NoReturn:
    raise KeyboardInterrupt


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    if version:
        print(f"nsysql {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit
    if context.invoked_subcommand not in _WITH_FOLDERS:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # DuckDB does not look up from a long query
        return
    for ending in {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}:
        if signal.getsignal(ending) != signal.SIG_IGN:  # as it is under nohup
            signal.signal(ending, _end)  # so that the temporary folder goes


@app.command()
def ingest(
    files: Annotated[
        Optional[list[Path]], typer.Argument(readable=False, help="Reports (.nsys-rep), exports (.sqlite), folders of them.")
    ] = None,
    db: Db = DEFAULT_DB,
    name: Annotated[Optional[str], typer.Option("--name", help="Name of the report; by default the file's.")] = None,
    run: Annotated[Optional[str], typer.Option("--run", help="Run that the reports belong to, as its ranks.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of a report of the same name.")] = False,
    nsys: Nsys = None,
    wait: Wait = 30.0,
    jobs: Annotated[
        Optional[int], typer.Option("--jobs", "-j", min=1, help="Files to load at once; as many as cores and memory allow.")
    ] = None,
    own: Views = None,
    families: Annotated[
        Optional[str], typer.Option("--families", help="CSV of rules for kernel families, kept for all reports; none removes.")
    ] = None,
    keep_sqlite: Annotated[bool, typer.Option("--keep-sqlite", help="Leave the export of a report beside it.")] = False,
) -> None:
    """Load reports into the database; earlier ones stay as they were whatever happens."""
    from .ingestion import Options

    if families is not None:
        _set_families(families, db, wait)
    elif not files:
        raise UsageError("no report was given. Try `nsysql ingest --help`.")
    if files:
        _ingest(files, Options(db, name or None, run or None, replace, nsys, wait, jobs, keep_sqlite))
    if families is not None:
        _tell_idle_rules(families, db, wait)


def _ingest(files: list[Path], options: Options) -> None:
    from .ingestion import ingest_all
    from .progress import ProgressBars

    failed: list[tuple[Path, NsysqlError]] = []
    count = 0
    try:
        with ProgressBars() as bars:
            for path, result in ingest_all(files, options, bars.of):
                bars.finish(path)
                count += 1
                if isinstance(result, NsysqlError):
                    failed.append((path, result))
                else:
                    _print_ingested(result, options.database)
    finally:
        if count > 1 or sys.exc_info()[0]:
            for _, error in failed:
                tell(str(error))
    if count == 1 and failed:
        raise failed[0][1]
    if failed:
        names = ", ".join(str(path) for path, _ in failed)
        raise InputError(f"{len(failed)} of {count} files were not ingested: {names}.")


def _set_families(file: str, db: Path, wait: float) -> None:
    from . import set_families

    tell(f"{set_families(file, db, wait_s=wait).rule_count} own rules for kernel families in {db}")


def _tell_idle_rules(file: str, db: Path, wait: float) -> None:
    """Say which rules do nothing for the reports that are there now."""
    from . import set_families

    if lines := set_families(file, db, wait_s=wait).idle_lines:
        tell(f"{file}: of the kernels in {db} none goes by the rule in line {', '.join(map(str, lines))}")


def _print_ingested(done: Ingested, db: Path) -> None:
    tell(f"{done.name}: {done.action}, {done.row_count:,} rows, report {done.report_id} in {db}")
    for note in done.notes:
        tell(f"{done.name}: {note}")


@app.command()
def reports(db: Db = DEFAULT_DB, format: Format = None, output: Output = None, wait: Wait = 30.0) -> None:
    """List the reports in the database."""
    with _open(db, wait) as database:
        columns = (
            "report_id, name, run, duration_ns, make_timestamp(start_utc_ns // 1000) AS start_utc, export_version, "
            "source_file, source_bytes, date_trunc('second', ingested_at) AS ingested_at"
        )
        write(database, database.sql(f"SELECT {columns} FROM reports ORDER BY report_id"), None, format, output, None)


@app.command()
def drop(
    reports: Annotated[list[str], typer.Argument(help="Reports to delete, by name, id or run.")],
    db: Db = DEFAULT_DB,
    wait: Wait = 30.0,
) -> None:
    """Delete reports from the database; the file keeps its size and fills the room again."""
    from . import drop as drop_reports

    for name in drop_reports(reports, db, wait_s=wait):
        tell(f"{name}: dropped from {db}")


@app.command()
def doctor(
    report: Annotated[Optional[Path], typer.Argument(readable=False, help="Report that shall be read; by default any.")] = None,
    nsys: Nsys = None,
    format: Format = None,
    output: Output = None,
) -> None:
    """List every nsys of this machine, which one reads reports, and why not the others."""
    from .nsys import find_all, is_report, judge, readers, searched

    if report and not is_report(report):
        raise InputError(
            f"{report}: is no report. Only reports (.nsys-rep, .qdrep) need an nsys; an export is ingested as it is."
        )
    found = find_all(nsys)
    rows = [
        (str(n.path), n.version_text or None, n.found_by, verdict, "; ".join(n.remarks()))
        for n, verdict in judge(found, report)
    ]
    write_text_rows(("nsys", "version", "found_by", "verdict", "remark"), rows, format, output)
    if not found:
        tell(searched())
    readers(found, report)


@app.command()
def views(
    word: Annotated[Optional[str], typer.Argument(help="Only views that mention this word, in their text or columns.")] = None,
    own: Views = None,
    format: Format = None,
    output: Output = None,
) -> None:
    """List the views, or those that mention a word; as json or jsonl with all that is in their headers."""
    from .catalog import load_catalog
    from .documentation import manifest

    found = [v for v in load_catalog().views.values() if not v.is_private and (word is None or word.lower() in v.all_text)]
    if not found:
        raise UsageError(f"no view mentions {word!r}; `nsysql views` lists them all.")
    if format in ("json", "jsonl"):
        write_objects([manifest(v) for v in found], format, output)
    else:
        write_text_rows(("layer", "name", "summary"), [(v.layer, v.name, v.summary) for v in found], format, output)


@app.command()
def show(
    view: Annotated[str, typer.Argument(help="Name of the view.")],
    sql: Annotated[bool, typer.Option("--sql", help="Print SQL to paste into a DuckDB shell on the database.")] = False,
    own: Views = None,
) -> None:
    """Describe a view: what it means, its columns with units, its parameters, an example."""
    from .catalog import load_catalog
    from .describe import description, pasteable_sql

    found = load_catalog().get(view)
    print(pasteable_sql(found) if sql else description(found), end="")


@app.command()
def query(
    view: Annotated[str, typer.Argument(help="Name of the view; `nsysql views` lists them.")],
    param: Annotated[Optional[list[str]], typer.Option("--param", "-p", help="Parameter of the view as NAME=VALUE.")] = None,
    where: Annotated[Optional[str], typer.Option("--where", "-w", help="SQL condition over the view's columns.")] = None,
    order: Annotated[Optional[str], typer.Option("--order", help="SQL order instead of the view's own.")] = None,
    limit: Limit = None,
    report: Report = None,
    from_: From = None,
    to: To = None,
    own: Views = None,
    db: Db = DEFAULT_DB,
    format: Format = None,
    output: Output = None,
    wait: Wait = 30.0,
) -> None:
    """Print the rows of a view."""
    from .params import named

    with _open(db, wait) as opened, _window(opened, from_, to, report) as database:
        found = database.catalog.get(view)
        answer = database.answer(found, report)
        text = database.query_text(found, named(param or []), where=where, order=order, limit=limit, reports=report)
        rows = database.sql(text)
        for line in [*answer.notes(found.name), *database.bewares(found, report)]:
            tell(line)
        write(database, rows, found, format, output, limit, report)


@app.command()
def diagnose(
    report: Annotated[Optional[list[str]], typer.Argument(help="Reports, by name, id or run; all by default.")] = None,
    db: Db = DEFAULT_DB,
    format: Annotated[str, typer.Option("--format", "-f", help="text, markdown or json.")] = "text",
    output: Output = None,
    wait: Wait = 30.0,
) -> None:
    """Read a report: what was collected, what is missing, where the GPUs idle and why, what they did."""
    from .diagnosis import written

    with _open(db, wait) as database:
        write_text(written(database, report, format), output)


app.command()(cli_stats.stats)
app.command()(cli_stats.analyze)


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help="One SQL statement, or - to read it from standard input.")],
    allow_files: Annotated[bool, typer.Option("--allow-files", help="Let the statement read and write other files.")] = False,
    limit: Limit = None,
    from_: From = None,
    to: To = None,
    own: Views = None,
    db: Db = DEFAULT_DB,
    format: Format = None,
    output: Output = None,
    wait: Wait = 30.0,
) -> None:
    """Run SQL on the database, read-only."""
    text = sys.stdin.read() if query == "-" else query
    with _open(db, wait, allow_files) as opened, _window(opened, from_, to) as database:
        relation = database.sql(text)
        write(database, relation if limit is None else relation.limit(limit), None, format, output, limit)


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(help="Folder for the files, made if it is missing.")],
    views: Annotated[Optional[list[str]], typer.Argument(help="Views to write; by default all that can be answered.")] = None,
    report: Report = None,
    from_: From = None,
    to: To = None,
    own: Views = None,
    db: Db = DEFAULT_DB,
    wait: Wait = 30.0,
) -> None:
    """Write views as Parquet files for polars, pandas, DuckDB."""
    with _open(db, wait) as opened, _window(opened, from_, to, report) as database:
        for path, rows in database.export(folder, views, report):
            tell(f"{path}: {rows:,} rows")


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(readable=False, help="Folder of views of your own.")],
    db: Db = DEFAULT_DB,
    format: Format = None,
    output: Output = None,
    wait: Wait = 30.0,
) -> None:
    """Check views of your own on the reports of a database: header, columns, grain, asserts, examples."""
    from .checks import faults

    own_views(folder)
    with _open(db, wait) as database:
        rows = [(view.name, name, what) for view in database.catalog.own for name, what in faults(database, view)]
        count = len(database.catalog.own)
    if not count:
        raise UsageError(f"{folder}: there is no .sql file in it.")
    if rows:
        write_text_rows(("view", "check", "fault"), rows, format, output)
        raise QueryError(f"{len({row[0] for row in rows})} of {count} views in {folder} do not hold what they say.")
    tell(f"{count} of {count} views in {folder} hold what they say on the reports in {db}")


def _open(db: Path, wait: float, allow_files: bool = False) -> Database:
    from .database import Database

    database = Database.open(db, wait_s=wait, allow_files=allow_files)
    for note in database.notes:
        tell(note)
    return database


def _window(database: Database, start: str | None, end: str | None, reports: list[str] | None = None) -> Database:
    """The database itself, or what a window of it shows."""
    if start is None and end is None:
        return database
    from .window import nanoseconds

    edges = [None if edge is None else nanoseconds(edge) for edge in (start, end)]
    cut = database.window(edges[0], edges[1], reports)
    for note in cut.notes:
        tell(note)
    return cut
