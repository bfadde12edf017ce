"""Where SQL files are: the shipped ones, and those of the user."""

from __future__ import annotations

import os
from pathlib import Path


def queries_dir() -> Path:
    """Folder of the shipped view files: inside the installed package, or beside it in a checkout."""
    packaged = Path(__file__).parent / "queries"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "queries"


def own_views_dir() -> Path | None:
    """Folder of the user's own view files, which NSYSQL_VIEWS names; None without one."""
    named = os.environ.get("NSYSQL_VIEWS")
    return Path(named).absolute() if named else None
