"""Ingests that are killed, starved of room and crowded: one table of outcomes; the exit code is 1 if anything was lost.

After every trial the reports that were there before must read the same, the new one must be whole or absent, no process may
be left, and the exit code must be one that is documented for what happened.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import nsysql
from nsysql.locks import is_free

FIXTURES = Path(__file__).parent.parent / "fixtures"
EARLIER = [FIXTURES / "tiny.sqlite", FIXTURES / "train_bad.sqlite"]
NEW = FIXTURES / "ddp_one.sqlite"
NEW_REPORT = FIXTURES / "pipeline.nsys-rep"
PHASES = ("start", "export", "load", "merge", "commit or checkpoint")
POINTS = 10
END_S = 20.0

Print = list[tuple[object, ...]]


@dataclass
class Outcomes:
    """What became of the trials of one kind."""

    exits: Counter[int] = field(default_factory=Counter)
    added: int = 0
    faults: list[str] = field(default_factory=list)


class Ordeal:
    """The trials, on a database in `folder`, and their outcomes by kind."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.database = folder / "crash.duckdb"
        self.random = random.Random(seed)
        self.log = (0, 0)
        self.outcomes: dict[str, Outcomes] = defaultdict(Outcomes)
        self.nsys = shutil.which(os.environ.get("NSYSQL_NSYS") or "nsys")
        self.cache = folder / "cache"
        os.environ["NSYSQL_CACHE"] = str(self.cache)
        nsysql.ingest(EARLIER, self.database)
        self.before = fingerprint(self.database)
        self.whole = {path: self._whole(path) for path in (NEW, NEW_REPORT) if path == NEW or self.nsys}

    def _whole(self, path: Path) -> Print:
        other = self.folder / "whole.duckdb"
        nsysql.ingest([path], other)
        found = fingerprint(other)
        other.unlink()
        return [row[2:] for row in found]

    def start(self, path: Path = NEW, *options: str, prepare: Callable[[], None] | None = None) -> subprocess.Popen[str]:
        """An ingest of `path` in a process of its own; one in four has to make the blank database first."""
        if self.random.random() < 0.25:
            shutil.rmtree(self.cache, ignore_errors=True)
        command = [sys.executable, "-m", "nsysql", "ingest", "--db", str(self.database), *options, str(path)]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=prepare)

    def judge(self, kind: str, code: int, allowed: set[int], message: str = "", path: Path = NEW) -> None:
        """Compare the database with what it must hold, and take the new report out again."""
        outcome = self.outcomes[kind]
        outcome.exits[code] += 1
        if code not in allowed or "Traceback" in message:
            outcome.faults.append(f"exit code {code}: {message.strip()[-300:]}")
        rows = fingerprint(self.database)
        kept = [row for row in rows if row[0] in (1, 2)]
        new = [row[2:] for row in rows if row[0] not in (1, 2)]
        if kept != self.before:
            outcome.faults.append("an earlier report differs")
        if new and new != self.whole[path]:
            outcome.faults.append("the new report is not whole")
        if code == 0 and not new:
            outcome.faults.append("exit code 0 without the report")
        outcome.added += bool(new)
        if new:
            nsysql.drop([path.stem], self.database)

    def kill(self, phase: str) -> None:
        """Kill the ingest, or one of its workers, or all of them, at a random moment of a phase."""
        path = NEW_REPORT if phase == "export" else NEW
        self.log = self._log()
        process = self.start(path)
        while process.poll() is None and not self._is_in(phase):
            time.sleep(0.0005)
        time.sleep(
            self.random.random()
            * {"start": 0.2, "export": 0.04, "load": 0.3, "merge": 0.15, "commit or checkpoint": 0.03}[phase]
        )
        family = [process.pid, *descendants(process.pid)]
        doomed = self.random.choice([family[:1], family[1:2] or family, family])
        at = self._phase()
        for pid in doomed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _, message = process.communicate(timeout=60)
        kind = f"SIGKILL during {at}"
        left = wait_for_end(family[1:])
        if left:
            self.outcomes[kind].faults.append(f"{len(left)} processes went on")
        self.judge(kind, process.returncode, {0, 4, -signal.SIGKILL}, message, path)

    def _is_in(self, phase: str) -> bool:
        return PHASES.index(self._phase()) >= PHASES.index(phase)

    def _phase(self) -> str:
        if self._log() != self.log:
            return "commit or checkpoint"
        if not is_free(self.database.with_name(f".{self.database.name}.lock")):
            return "merge"
        for phase, file in (("load", "loaded.duckdb"), ("export", "export.sqlite")):
            if glob.glob(f"{self.folder}/.crash.duckdb.ingest-*/*/{file}"):  # noqa: PTH207
                return phase
        return "start"

    def _log(self) -> tuple[int, int]:
        """Size and time of DuckDB's log, which a killed ingest may have left."""
        try:
            stat = self.database.with_name(f"{self.database.name}.wal").stat()
        except OSError:
            return 0, 0
        return stat.st_size, stat.st_mtime_ns

    def limit_file_size(self, point: int) -> None:
        """No file may grow beyond a size between that of the database and what loading takes."""
        size = int(self.database.stat().st_size * (0.2 + 0.35 * point))
        process = self.start(prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        _, message = process.communicate(timeout=120)
        self.judge("file-size limit", process.returncode, {0, 9}, message)

    def fill_disk(self, point: int) -> None:
        """A disk of its own with room for the database and a part of what loading takes."""
        size = int(self.database.stat().st_size * (1.3 + 0.4 * point))
        with small_disk(self.folder / "small", size) as disk:
            home, self.database = self.database, disk / self.database.name
            shutil.copyfile(home, self.database)
            try:
                process = self.start()
                _, message = process.communicate(timeout=120)
                self.judge("full disk", process.returncode, {0, 9}, message)
            finally:
                self.database = home

    def ingest_twice(self) -> None:
        """Two ingests at once, and a reader in a loop."""
        stop, seen = threading.Event(), Counter[bool]()

        def read() -> None:
            while not stop.is_set():
                seen[[row for row in fingerprint(self.database) if row[0] in (1, 2)] == self.before] += 1

        reader = threading.Thread(target=read)
        reader.start()
        other = FIXTURES / "nocuda.sqlite"
        processes = [self.start(), self.start(other)]
        messages = [process.communicate(timeout=120)[1] for process in processes]
        stop.set()
        reader.join()
        kind = "two ingests and a reader at once"
        if seen[False] or not seen[True]:
            self.outcomes[kind].faults.append(f"{seen[False]} of {seen.total()} reads differ")
        codes = [process.returncode for process in processes]
        if codes[1] == 0:
            nsysql.drop([other.stem], self.database)
        self.judge(kind, max(codes), {0}, " ".join(messages))

    def hold(self) -> None:
        """A DuckDB shell has the file open; then it dies, and leaves its lock."""
        code = "import duckdb, sys, time; con = duckdb.connect(sys.argv[1]); print('open', flush=True); time.sleep(60)"
        shell = subprocess.Popen([sys.executable, "-c", code, str(self.database)], stdout=subprocess.PIPE, text=True)
        assert shell.stdout is not None
        shell.stdout.readline()
        process = self.start(NEW, "--wait", "1")
        _, message = process.communicate(timeout=60)
        shell.kill()
        shell.wait()
        if str(shell.pid) not in message:
            self.outcomes["a shell holds the file"].faults.append(f"the process is not named: {message}")
        self.judge("a shell holds the file", process.returncode, {8}, message)
        self.database.with_name(f".{self.database.name}.lock").write_text("process 1 since long ago")
        process = self.start(NEW, "--wait", "1")
        _, message = process.communicate(timeout=60)
        self.judge("the holder of the lock is dead", process.returncode, {0}, message)


def fingerprint(database: Path) -> Print:
    """(report_id, table, rows, hash of all rows) for every report and table with rows."""
    with nsysql.open(database) as db:
        tables = db.sql(
            "SELECT schema_name || '.' || table_name AS name, list(column_name ORDER BY column_name) FROM duckdb_columns() "
            "WHERE schema_name IN ('raw', 'derived') GROUP BY ALL HAVING list_contains(list(column_name), 'report_id')"
        ).fetchall()
        parts = []
        for name, columns in sorted(tables):
            hashed = ", ".join(f'"{c}"' for c in columns if c not in ("report_id", "value", "uuid"))
            parts.append(f"SELECT report_id, '{name}', count(*), sum(hash({hashed})) FROM {name} GROUP BY report_id")
        rows = db.sql(" UNION ALL ".join(parts) + " ORDER BY ALL").fetchall()
    return [(r, t, t, n, h) for r, t, n, h in rows]


def descendants(pid: int) -> list[int]:
    """Processes that a process started, and those that they started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found, todo = [], [pid]
    while todo:
        parent = todo.pop()
        children = [p for p, of in parents.items() if of == parent]
        found += children
        todo += children
    return found


def wait_for_end(pids: list[int]) -> list[int]:
    """Those that still run after END_S."""
    deadline = time.monotonic() + END_S
    left = pids
    while left and time.monotonic() < deadline:
        left = [p for p in left if is_running(p)]
        time.sleep(0.02)
    return left


def is_running(pid: int) -> bool:
    """True unless the process is gone or only waits to be looked after."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A file system in memory of `size` bytes; raises PermissionError where that is not allowed."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, text=True)
    if done.returncode != 0:
        raise PermissionError(done.stderr.strip())
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def run(ordeal: Ordeal, kills: int) -> list[str]:
    """All trials; returns what could not be tried."""
    skipped = []
    phases = [p for p in PHASES if p != "export" or ordeal.nsys]
    if not ordeal.nsys:
        skipped.append("SIGKILL during export: no nsys, name one with NSYSQL_NSYS")
    for number in range(kills):
        ordeal.kill(phases[number % len(phases)])
    for point in range(POINTS):
        ordeal.limit_file_size(point)
    try:
        for point in range(POINTS):
            ordeal.fill_disk(point)
    except (PermissionError, FileNotFoundError) as error:
        skipped.append(f"full disk: {error}")
    ordeal.ingest_twice()
    ordeal.hold()
    return skipped


def main() -> None:
    """Command line; see bench/README.md."""
    parser = argparse.ArgumentParser(description="Kill, starve and crowd ingests, and see that nothing is lost.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"DuckDB {duckdb.__version__}, seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="nsysql-crash-") as name:
        ordeal = Ordeal(Path(name), options.seed)
        skipped = run(ordeal, options.kills)
    print(f"{'what':<34} {'trials':>6} {'added':>6} {'lost':>5}  exits")
    for kind, outcome in ordeal.outcomes.items():
        exits = json.dumps({str(code): count for code, count in sorted(outcome.exits.items())})
        print(f"{kind:<34} {outcome.exits.total():>6} {outcome.added:>6} {len(outcome.faults):>5}  {exits}")
    for line in skipped:
        print(f"not tried: {line}")
    faults = [f"{kind}: {fault}" for kind, outcome in ordeal.outcomes.items() for fault in outcome.faults]
    print("\n".join(faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
