"""Make an export with many NVTX ranges on one thread: usage: deep.py TARGET.sqlite

2,000 steps of 10 layers of 10 operators, every one a range: 222,000 ranges; a launch in every layer: 20,000.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

STEPS, LAYERS, OPERATORS = 2_000, 10, 10
PROCESS = 1 << 48 | 4_000 << 24
THREAD = PROCESS | 4_000
_TABLES = """
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER, "end" INTEGER, eventType INTEGER, globalTid INTEGER, textId INTEGER, domainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
    start INTEGER, "end" INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
    start INTEGER, "end" INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER,
    globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
"""


def make(target: Path) -> None:
    """Write the export."""
    with closing(sqlite3.connect(target)) as db:
        db.executescript(_TABLES)
        names = ["kernel", "cudaLaunchKernel_v7000", "step", *(f"layer_{i}" for i in range(LAYERS)), "operator"]
        db.executemany("INSERT INTO StringIds VALUES (?, ?)", enumerate(names))
        db.executemany("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?, 0)", _ranges())
        launches = [
            (step * 12_000 + layer * 1_100 + 55, step * LAYERS + layer + 1) for step in range(STEPS) for layer in range(LAYERS)
        ]
        calls = ((at, at + 5, THREAD, number) for at, number in launches)
        db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, 1)", calls)
        kernels = ((at + 100, at + 600, number, PROCESS) for at, number in launches)
        db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 7, ?, ?, 0, 0)", kernels)
        db.commit()


def _ranges() -> Iterator[tuple[int, int, int, int]]:
    for step in range(STEPS):
        begin = step * 12_000
        yield begin, begin + 11_500, THREAD, 2
        for layer in range(LAYERS):
            at = begin + layer * 1_100 + 10
            yield at, at + 1_050, THREAD, 3 + layer
            for operator in range(OPERATORS):
                yield at + operator * 100 + 10, at + operator * 100 + 90, THREAD, 3 + LAYERS


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make(Path(sys.argv[1]))
