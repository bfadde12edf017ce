"""Measure nsysql against its limits: one table `name | measured | limit | ok`; the exit code is 1 if a limit is missed.

Everything is measured side by side in one run, as CPU seconds (user + system) of whole processes and their children,
the best of several rounds. A ratio of two such numbers means the same on a slow and on a fast machine.
"""

from __future__ import annotations

import argparse
import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import stats
import views
from deep import make as make_deep
from measure import NO_NSYS, Cost, Row, best_of, nsysql, progress, spend
from statements import scan_statements
from tile import tile

COPIES = 8
INGEST_LIMIT = 6
"""Times a bare scan; one copy's worth more at COPIES copies of the input, as for all that grows."""
SCAN_S_PER_BYTE = 0.36 / 55_828_480

FIXTURE = Path(__file__).parent.parent / "fixtures" / "backpressure.sqlite"
FIXTURE_COPIES = 40
MANY = 32
MANY_FIXTURE = FIXTURE.with_name("train_bad.sqlite")
SCAN = Path(__file__).parent / "scan.py"
ATTRIBUTION = Path(__file__).parent / "attribution.py"
VIEWS = Path(__file__).parent / "views.py"


class Bench:
    """One run on one export; `folder` takes the databases and copies that it makes."""

    def __init__(self, export: Path, folder: Path, rounds: int) -> None:
        self.export, self.folder, self.rounds = export, folder, rounds
        self.database = folder / "bench.duckdb"
        self.costs: dict[str, Cost] = {}
        self.view_costs: dict[str, Cost] = {}

    def rows(self) -> Iterator[Row]:
        """Measure, and yield the table's rows."""
        nsys = shutil.which(os.environ.get("NSYSQL_NSYS") or "nsys")
        jobs = self._jobs(self.export, self.database)
        jobs["query gaps --limit 5"] = lambda: self._query_gaps("--limit", "5")
        jobs["nsysql --help"] = lambda: nsysql("--help")
        if nsys:
            jobs |= self._nsys_jobs(nsys)
        self.costs = best_of(self.rounds, jobs)
        yield from self._ingest_rows()
        yield Row("nsysql --help CPU", self.costs["nsysql --help"].cpu_s / self._slowness(), " s", 0.25)
        yield Row("query gaps --limit 5 CPU", self.costs["query gaps --limit 5"].cpu_s / self._slowness(), " s", 0.8)
        yield from self._nsys_rows()
        yield from self._attribution_rows()
        yield self._many_row()
        yield from self._view_rows(nsys)
        yield from stats.rows(self.costs, self.rounds, self.database, self._copy(), nsys)
        yield from self._scaling_rows()

    def _jobs(self, export: Path, database: Path) -> dict[str, Callable[[], Cost]]:
        rows, folded = scan_statements(export)
        return {
            "SQLite scan, rows": lambda: spend([sys.executable, "-S", SCAN, export.absolute().as_uri()], rows),
            "SQLite scan, max()": lambda: spend([sys.executable, "-S", SCAN, export.absolute().as_uri()], folded),
            "ingest": lambda: _ingest(export, database),
            "query gaps": lambda: nsysql("query", "gaps", "--db", database, "--format", "csv"),
        }

    def _query_gaps(self, *options: str) -> Cost:
        return nsysql("query", "gaps", "--db", self.database, "--format", "csv", *options)

    def _nsys_jobs(self, nsys: str) -> dict[str, Callable[[], Cost]]:
        copy = self._copy()

        def analyze(gap_ms: int) -> Cost:
            return spend([nsys, "analyze", "--rule", f"gpu_gaps:gap={gap_ms}:rows=-1", "--format", "csv", copy])

        return {
            "nsys gpu_gaps of 1 ms": lambda: analyze(1),
            "query gaps of 1 ms": lambda: self._query_gaps("--where", "dur_ns >= 1000000"),
            "nsys gpu_gaps, all": lambda: analyze(0),
        }

    def _copy(self) -> Path:
        """A copy of the export for nsys, which may write beside its input."""
        copy = self.folder / "for-nsys.sqlite"
        if not copy.exists():
            shutil.copyfile(self.export, copy)
        return copy

    def _ratio(self, above: str, below: str) -> float | None:
        if above not in self.costs or below not in self.costs:
            return None
        return self.costs[above].cpu_s / self.costs[below].cpu_s

    def _ingest_rows(self) -> Iterator[Row]:
        yield Row("ingest CPU / bare SQLite scan CPU", self._ratio("ingest", "SQLite scan, rows"), "", INGEST_LIMIT)
        yield Row("ingest CPU / SQLite scan into max() CPU", self._ratio("ingest", "SQLite scan, max()"))
        yield Row("ingest peak memory", self.costs["ingest"].peak_mb, "MB", 600)
        yield Row("database size / SQLite size", self.database.stat().st_size / self.export.stat().st_size, "", 0.3)

    def _attribution_rows(self) -> Iterator[Row]:
        """NVTX parents and the ranges around every launch: on the input, and on many ranges of one thread."""
        deep, database = self.folder / "deep.sqlite", self.folder / "deep.duckdb"
        make_deep(deep)
        _ingest(deep, database)
        for name, target, limit in (("", self.database, 1), (", 222,000 ranges on one thread", database, 2)):
            yield Row(f"NVTX attribution CPU{name}", self._attribution(target) / self._slowness(), " s", limit)

    def _view_rows(self, nsys: str | None) -> Iterator[Row]:
        """The analyses, one by one and all of them against two of NVIDIA's reports; in turns with what they are compared to."""
        scan, all_views, two_reports = "SQLite scan, max()", "every view", "nsys, two reports"
        jobs = views.jobs(self.database, nsysql)
        jobs[scan] = self._jobs(self.export, self.database)[scan]
        jobs[all_views] = lambda: spend([sys.executable, VIEWS, self.database])
        if nsys:
            command = [nsys, "stats", "--format", "csv", "--report", ",".join(views.REPORTS), self._copy()]
            jobs[two_reports] = lambda: spend(command)
        costs = self.view_costs = best_of(self.rounds, jobs)
        self.costs |= {job: costs[job] for job in (all_views, two_reports) if job in costs}
        slowness = self._slowness(costs[scan])
        for view in views.VIEWS:
            yield Row(f"query {view} --limit 5 CPU", costs[view].cpu_s / slowness, " s", 1)
        apart = sum(costs[view].cpu_s for view in views.VIEWS)
        for how, cpu_s, limit in (("one process", costs[all_views].cpu_s, 4), ("a process each", apart, None)):
            name = f"{len(views.VIEWS)} views in {how} CPU / nsys {' + '.join(views.REPORTS)} CPU"
            yield Row(name, cpu_s / costs[two_reports].cpu_s if nsys else None, "", limit, NO_NSYS)

    def _many_row(self) -> Row:
        """Many small reports: loaded several at a time against one by one, by the clock."""
        name = f"ingest of {MANY} reports, several at once / one by one, elapsed"
        if len(os.sched_getaffinity(0)) < 2:
            return Row(name, None, "", 1 / 1.5, "one core")
        folder = make_copies(MANY_FIXTURE, self.folder / "many", MANY)
        elapsed: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(self.rounds):
            for at_once, options in ((True, []), (False, ["--jobs", "1"])):
                database = self.folder / "many.duckdb"
                database.unlink(missing_ok=True)
                started = time.monotonic()
                nsysql("ingest", folder, "--db", database, *options)
                elapsed[at_once].append(time.monotonic() - started)
        return Row(name, min(elapsed[True]) / min(elapsed[False]), "", 1 / 1.5)

    def _slowness(self, scan: Cost | None = None) -> float:
        """How much longer this machine takes than the one that the limits in seconds are for, by its SQLite scan."""
        expected = SCAN_S_PER_BYTE * self.export.stat().st_size
        return max(1.0, (scan or self.costs["SQLite scan, max()"]).cpu_s / expected)

    def _attribution(self, database: Path) -> float:
        """CPU seconds of its statements, each time in a new process: a small one's memory is paged in at a second time."""
        command = [sys.executable, str(ATTRIBUTION), str(database)]
        shown = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(self.rounds)]
        return min(float(text) for text in shown)

    def _nsys_rows(self) -> Iterator[Row]:
        """Against NVIDIA's tool, the same rows on both sides: the gaps of 1 ms and more, and all of them."""
        few = self._ratio("query gaps of 1 ms", "nsys gpu_gaps of 1 ms")
        yield Row("query gaps of 1 ms CPU / nsys gpu_gaps of 1 ms CPU", few, "", 0.7, NO_NSYS)
        every = self._ratio("query gaps", "nsys gpu_gaps, all")
        yield Row("query gaps CPU / nsys gpu_gaps, all, CPU", every, "", 0.5, NO_NSYS)

    def _scaling_rows(self) -> Iterator[Row]:
        """The same at COPIES times the input, which must cost little more than COPIES times as much."""
        limit = COPIES + 1
        name = f"query gaps CPU at {COPIES} copies / at 1"
        wanted_gb = 4 * COPIES * self.export.stat().st_size / 1e9
        free_gb = shutil.disk_usage(self.folder).free / 1e9
        if free_gb < wanted_gb:
            reason = f"{free_gb:.1f} GB free, {wanted_gb:.1f} GB wanted"
            yield Row(name, None, "x", limit, reason)
            return
        large, database = self.folder / "large.sqlite", self.folder / "large.duckdb"
        progress(f"making {COPIES} copies")
        tile(self.export, large, COPIES)
        costs = best_of(self.rounds, self._jobs(large, database))
        self.costs |= {f"{name}, {COPIES} copies": cost for name, cost in costs.items()}
        yield Row(name, self._ratio(f"query gaps, {COPIES} copies", "query gaps"), "x", limit)
        yield from self._worst_view_rows(database, limit)
        yield from stats.large_rows(self.costs, database, large, COPIES)
        attribution = self._attribution(database) / self._attribution(self.database)
        yield Row(f"NVTX attribution CPU at {COPIES} copies / at 1", attribution, "x", limit)
        ratio = self._ratio(f"ingest, {COPIES} copies", f"SQLite scan, rows, {COPIES} copies")
        yield Row(f"ingest CPU / bare SQLite scan CPU, {COPIES} copies", ratio, "", INGEST_LIMIT * limit / COPIES)
        yield Row(f"ingest CPU at {COPIES} copies / at 1", self._ratio(f"ingest, {COPIES} copies", "ingest"), "x")
        yield Row(f"ingest peak memory, {COPIES} copies", costs["ingest"].peak_mb, "MB", 600)
        yield Row(f"database size / SQLite size, {COPIES} copies", database.stat().st_size / large.stat().st_size)

    def _worst_view_rows(self, database: Path, limit: int) -> Iterator[Row]:
        """The three views that one look finds to grow most, then in turns on the input and on its copies."""
        small, large = views.jobs(self.database, nsysql), views.jobs(database, nsysql)
        worst = [view for view, _ in views.worst(best_of(1, large), self.view_costs)][:3]
        costs = best_of(3, {view: small[view] for view in worst} | {f"large {view}": large[view] for view in worst})
        for view in worst:
            ratio = costs[f"large {view}"].cpu_s / costs[view].cpu_s
            yield Row(f"query {view} CPU at {COPIES} copies / at 1, of the worst three", ratio, "x", limit)


def make_copies(export: Path, folder: Path, count: int) -> Path:
    """A folder of `count` exports that differ in when they were recorded, so that they are so many reports."""
    folder.mkdir()
    for number in range(count):
        path = folder / f"rank{number:02}.sqlite"
        shutil.copyfile(export, path)
        with closing(sqlite3.connect(path)) as db:
            db.execute("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + ?", [number])
            db.commit()
    return folder


def _ingest(export: Path, database: Path) -> Cost:
    database.unlink(missing_ok=True)
    return nsysql("ingest", export, "--db", database)


def obtain_input(given: Path | None, folder: Path) -> tuple[Path, str]:
    """The export to measure with, and what it is: the given one, the corpus's, or a fixture repeated in time."""
    corpus = Path(os.environ.get("NSYSQL_CORPUS", "")) / "own" / "big.sqlite.xz"
    source = given or (corpus if "NSYSQL_CORPUS" in os.environ and corpus.is_file() else None)
    if source is None:
        export = folder / "tiled.sqlite"
        tile(FIXTURE, export, FIXTURE_COPIES)
        return export, f"fixtures/{FIXTURE.name} repeated {FIXTURE_COPIES} times (no --input, no NSYSQL_CORPUS)"
    if source.suffix != ".xz":
        return source, source.name
    export = folder / source.stem
    with lzma.open(source) as packed, export.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)
    return export, source.name


def print_table(rows: list[Row]) -> None:
    """Print the rows as a Markdown table."""
    cells = [("name", "measured", "limit", "ok"), *(row.cells() for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(3)]
    for number, (name, measured, limit, verdict) in enumerate(cells):
        print(f"{name:<{widths[0]}} | {measured:>{widths[1]}} | {limit:>{widths[2]}} | {verdict}")
        if number == 0:
            print(" | ".join("-" * width for width in (*widths, 2)))


def print_costs(costs: dict[str, Cost]) -> None:
    """Print what the ratios were made of."""
    print("\nCPU seconds (best) and peak memory (largest) of each process:")
    for name, cost in costs.items():
        print(f"  {name:<30} {cost.cpu_s:8.2f} s {cost.peak_mb:7.0f} MB")


def main() -> None:
    """Command line; see bench/README.md."""
    parser = argparse.ArgumentParser(description="Measure nsysql against its limits.")
    parser.add_argument("--input", type=Path, help="an export, .sqlite or .sqlite.xz")
    parser.add_argument("--rounds", type=int, default=3, help="how often everything is measured; the best counts")
    options = parser.parse_args()
    if options.rounds < 1 or not (options.input is None or options.input.is_file()):
        parser.error(f"--rounds must be at least 1, and {options.input or 'the input'} a file")
    with tempfile.TemporaryDirectory(prefix="nsysql-bench-") as name:
        export, label = obtain_input(options.input, Path(name))
        print(f"input: {label}, {export.stat().st_size / 1e6:.1f} MB; best of {options.rounds}\n", flush=True)
        bench = Bench(export, Path(name), options.rounds)
        rows = list(bench.rows())
    progress("")
    print_table(rows)
    print_costs(bench.costs)
    sys.exit(any(row.is_missed for row in rows))


if __name__ == "__main__":
    main()
