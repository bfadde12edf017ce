"""Where the shipped SQL files are."""

from __future__ import annotations

from pathlib import Path


def queries_dir() -> Path:
    """Folder of the shipped view files: inside the installed package, or beside it in a checkout."""
    packaged = Path(__file__).parent / "queries"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "queries"
