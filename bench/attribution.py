"""CPU seconds of NVTX attribution on an ingested database: usage: attribution.py DATABASE

The parents of every range and the ranges around every launch, computed anew by the text of the views.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from nsysql.catalog import load_catalog
from nsysql.connect import connect

VIEWS = ("_nvtx_nesting", "_call_ranges")


def attribution_cpu_s(database: Path) -> float:
    """User and system time of this process for computing the rows of VIEWS."""
    catalog = load_catalog()
    bodies = [catalog.qualified_body(catalog.views[name]) for name in VIEWS]
    with connect(database, read_only=True) as con:
        con.execute("FROM duckdb_tables()").fetchall()
        before = time.process_time()
        for number, body in enumerate(bodies):
            con.execute(f"CREATE TEMP TABLE rows_{number} AS {body}")
        return time.process_time() - before


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(attribution_cpu_s(Path(sys.argv[1])))
