"""The floor that ingest is measured against: reads an export's rows with Python's sqlite3 and throws them away.

usage: scan.py URI < statements    (file: URI of the export; one SELECT a line, made by run.py)

A process of its own that imports nothing else, so that its CPU time is SQLite's and the cursor's.
"""

import sqlite3
import sys
from collections import deque

with sqlite3.connect(f"{sys.argv[1]}?mode=ro", uri=True) as db:
    for statement in sys.stdin:
        deque(db.execute(statement), maxlen=0)
