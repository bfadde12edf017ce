"""How a command ends: one message and an exit code for whatever a user can cause, never a traceback."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import typer

from .errors import NsysqlError, StorageError
from .printing import close_quietly, fill_closed_streams, tell

INTERRUPTED = 130


def run(app: typer.Typer) -> NoReturn:
    """Run the app on the command line's arguments, and exit."""
    fill_closed_streams()
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        if sys.stdout:
            sys.stdout.flush()
    except NsysqlError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        close_quietly()
    except OSError as error:
        _fail(f"{error.filename or 'a file or the current folder'}: {error.strerror}", StorageError.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted", INTERRUPTED)
    except Exception as error:
        if "interrupted" in str(error).lower():  # DuckDB's own word for it
            _fail("interrupted", INTERRUPTED)
        if hasattr(error, "format_message"):  # a usage error of the argument parser
            command = getattr(getattr(error, "ctx", None), "command_path", "nsysql").replace("python -m nsysql", "nsysql")
            _fail(f"{error.format_message().rstrip('.')}. Try `{command} --help`.", 2)
        raise
    else:
        _leave(code if isinstance(code, int) else 0)


def _leave(code: int) -> NoReturn:
    """End the process at once: giving back its memory piece by piece takes a tenth of the time of a short command."""
    if sys.stderr:
        sys.stderr.flush()
    os._exit(code)


def _fail(message: str, code: int) -> NoReturn:
    tell(message)
    raise SystemExit(code)
