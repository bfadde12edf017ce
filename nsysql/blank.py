"""A database without reports, kept in the user's cache folder: to copy its views takes a tenth of what to make them takes."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import duckdb

from .catalog import Catalog
from .connect import NEW_FILE, SETTINGS, check_name
from .errors import UsageError
from .install import install
from .sqltext import ident, literal

_ATTACHED = "nsysql_blank"
_MADE = "blank.duckdb"
_OURS = re.compile(r"\.nsysql-making-.*|nsysql-[0-9a-f]{16}-[0-9a-f]{16}\.duckdb")
_FORGOTTEN_S = 30 * 24 * 3600


def install_copied(con: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    """Install `catalog` into the empty database behind `con`, as `install` does, from the blank one where it can be kept."""
    blank = _kept(catalog)
    try:
        if blank is not None:
            con.execute(f"ATTACH {literal(str(blank))} AS {_ATTACHED} (READ_ONLY)")
    except duckdb.Error:
        blank = None
    if blank is None:
        install(con, catalog)
        return
    name = con.execute("SELECT current_database()").fetchall()[0][0]
    con.execute(f"COPY FROM DATABASE {_ATTACHED} TO {ident(name)}")
    con.execute(f"DETACH {_ATTACHED}")


def cache_folder() -> Path | None:
    """Folder that NSYSQL_CACHE names, by default nsysql's in the user's cache folder; None if it is empty or there is none."""
    named = os.environ.get("NSYSQL_CACHE")
    if named is None:
        import platformdirs

        with suppress(RuntimeError):  # no home folder
            folder = platformdirs.user_cache_path("nsysql", appauthor=False)
            return folder if folder.is_absolute() else None
        return None
    return Path(named).absolute() if named else None


def _kept(catalog: Catalog) -> Path | None:
    """The blank database of this nsysql and this DuckDB, made if it is not there or not whole; None where none can be kept."""
    folder, key = cache_folder(), _key(catalog)
    if folder is None:
        return None
    try:
        check_name(folder / _MADE)
        for path in folder.glob(f"{key}-*.duckdb"):
            if path.stem == f"{key}-{_hash(path)}":
                return path
            path.unlink()
        return _make(folder, key, catalog)
    except (OSError, UsageError, duckdb.Error):
        return None


def _make(folder: Path, key: str, catalog: Catalog) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".nsysql-making-") as place:
        made = Path(place) / _MADE
        with duckdb.connect(str(made), config=SETTINGS | NEW_FILE | {"threads": 1}) as con:
            install(con, catalog)
        blank = made.replace(folder / f"{key}-{_hash(made)}.duckdb")
    _forget(folder, key)
    return blank


def _forget(folder: Path, key: str) -> None:
    """Delete what was made long ago, for another nsysql, or was left when it was made."""
    for path in folder.iterdir():
        with suppress(OSError):
            is_old = path.stat().st_mtime < time.time() - _FORGOTTEN_S
            if is_old and _OURS.fullmatch(path.name) and not path.name.startswith(key):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _key(catalog: Catalog) -> str:
    """Changes with whatever a blank database is made of, or by."""
    digest = hashlib.sha256(f"{duckdb.__version__} {catalog.fingerprint}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return f"nsysql-{digest.hexdigest()[:16]}"


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
