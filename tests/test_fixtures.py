"""The bundled reports are those that fixtures/README.md lists."""

from __future__ import annotations

import hashlib
import re

from tests.conftest import FIXTURES


def test_provenance_of_every_file() -> None:
    rows = re.findall(r"^\| (\S+) \| .* \| `([0-9a-f]{64})` \|$", (FIXTURES / "README.md").read_text(), re.MULTILINE)
    files = {p.name: p for p in FIXTURES.iterdir() if p.suffix in (".sqlite", ".nsys-rep")}
    assert dict(rows) == {name: hashlib.sha256(p.read_bytes()).hexdigest() for name, p in files.items()}
    assert all(p.stat().st_size < 1_500_000 for p in files.values())
