"""Progress is drawn on a terminal after a second, and nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from nsysql import progress
from nsysql.progress import ProgressBars

from tests.docs import on_terminal


def test_silent_when_not_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "_AFTER_S", 0.0)
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    with ProgressBars() as bars:
        bars.of(Path("report"))("kernels", 5, 10)
    assert capsys.readouterr() == ("", "")


def test_drawn_on_a_terminal(tmp_path: Path) -> None:
    code = """
from nsysql import progress
progress._AFTER_S = progress._EVERY_S = 0.0
from pathlib import Path
with progress.ProgressBars() as bars:
    for name in ("report", "other"):
        bars.of(Path(name))("kernels", 5, 10)
        bars.of(Path(name))("derived rows", 0, 0)
    bars.finish(Path("other"))
"""
    drawn = on_terminal([sys.executable, "-c", code], tmp_path, term="xterm")
    assert "report: derived rows" in drawn
    assert on_terminal([sys.executable, "-c", code], tmp_path, term="dumb") == ""


def test_not_within_the_first_second(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "_can_draw", lambda: True)
    with ProgressBars() as bars:
        bars.of(Path("report"))("kernels", 5, 10)
    assert capsys.readouterr() == ("", "")
