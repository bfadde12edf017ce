"""Runs the commands and the Python of a Markdown page and puts in what they print."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from pathlib import Path

from nsysql.catalog import load_catalog
from nsysql.header import View

ROOT = Path(__file__).parent.parent
COLUMNS = 120
_BLOCK = re.compile(r"```(console|python)\n(.*?)```(\n\n?```text\n.*?```)?", re.DOTALL)


def rendered(page: Path, folder: Path) -> str:
    """The page with the output of every command in it as it is now, run in `folder` as on a terminal."""
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    text = _BLOCK.sub(lambda block: _block(block[1], block[2], folder), page.read_text())
    return re.sub(r"(<!-- views:.*?-->\n).*?(<!-- /views -->)", lambda m: m[1] + _views() + m[2], text, flags=re.DOTALL)


def _block(kind: str, body: str, folder: Path) -> str:
    if kind == "python":
        shown = on_terminal([sys.executable, "-c", body], folder)
        return f"```python\n{body}```\n\n```text\n{shown}```"
    commands = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
    return "```console\n" + "".join(f"$ {c}\n{on_terminal(['bash', '-c', c], folder)}" for c in commands) + "```"


def on_terminal(command: list[str], folder: Path, term: str = "dumb") -> str:
    """What a command prints on a terminal of COLUMNS columns, both streams together."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {"PATH": path, "HOME": str(folder), "TERM": term, "LANG": "C.UTF-8", "COLUMNS": str(COLUMNS)}
    process = subprocess.Popen(command, cwd=folder, stdout=slave, stderr=slave, stdin=subprocess.DEVNULL, env=env)
    os.close(slave)
    output = b""
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break
        if not chunk:
            break
        output += chunk
    os.close(master)
    process.wait()
    return re.sub(r"\x1b\[[0-9;]*m", "", output.decode().replace("\r\n", "\n"))


def views_page() -> str:
    """docs/views.md: what the headers of all public views say."""
    views = [v for v in load_catalog().views.values() if not v.is_private]
    parts = [
        "# Views\n\nMade from the headers in queries/ by `pytest --update-docs`. The same is in every database, as "
        "`nsysql_views`, `nsysql_columns` and `nsysql_params`.\n"
    ]
    for layer in dict.fromkeys(v.layer for v in views):
        parts += [f"## {layer}\n", *(_view(v) for v in views if v.layer == layer)]
    return "\n".join(parts)


def _view(view: View) -> str:
    kind = {"macro": ", a macro over relations", "scalar": ", a macro over values"}.get(view.kind, "")
    parts = [f"### {view.name}\n", f"{view.summary} (version {view.version}{kind})\n"]
    parts += [f"{view.prose}\n"] if view.prose else []
    parts += ["One row per " + ", ".join(f"`{g}`" for g in view.grain) + ".\n"] if view.grain else []
    if view.params:
        rows = [f"| `{p.name}` | {p.type} | {p.unit} | {p.default or 'required'} | {p.doc} |" for p in view.params]
        parts += ["| parameter | type | unit | default | |\n|---|---|---|---|---|", *rows, ""]
    rows = [f"| `{c.name}` | {c.type} | {c.unit} | {c.doc} |" for c in view.columns]
    parts += ["| column | type | unit | |\n|---|---|---|---|", *rows, ""]
    parts += [f"Not verified: {text}\n" for text in view.unverified]
    parts += [f"```sql\n{e}\n```\n" for e in view.examples]
    return "\n".join(parts)


def cli_page() -> str:
    """docs/cli.md: what --help prints."""
    commands = re.findall(r"^  (\w+) ", _help().partition("Commands:")[2], re.MULTILINE)
    parts = ["# Command line\n\nMade from `--help` by `pytest --update-docs`.\n", f"```text\n{_help()}```\n"]
    return "\n".join([*parts, *(f"## {c}\n\n```text\n{_help(c)}```\n" for c in commands)])


def _help(*command: str) -> str:
    env = os.environ | {"COLUMNS": "100", "TERM": "dumb"}
    done = subprocess.run(
        [sys.executable, "-m", "nsysql", *command, "--help"], capture_output=True, text=True, env=env, check=True
    )
    return re.sub(r" +$", "", done.stdout, flags=re.MULTILINE).replace("python -m nsysql", "nsysql").strip("\n") + "\n"


def _views() -> str:
    rows = [f"| `{v.name}` | {v.layer} | {v.summary} |" for v in load_catalog().views.values() if not v.is_private]
    return "| view | folder | what it is |\n|---|---|---|\n" + "\n".join(rows) + "\n"
