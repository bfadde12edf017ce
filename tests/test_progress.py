"""Progress is drawn on a terminal after a second, and nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from nsysql import progress
from nsysql.progress import ProgressLine

from tests.docs import on_terminal


def test_silent_when_not_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "_AFTER_S", 0.0)
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    with ProgressLine("report") as line:
        line("kernels", 5, 10)
    assert capsys.readouterr() == ("", "")


def test_drawn_on_a_terminal(tmp_path: Path) -> None:
    code = """
from nsysql import progress
progress._AFTER_S = progress._EVERY_S = 0.0
with progress.ProgressLine("report") as line:
    line("kernels", 5, 10)
    line("derived rows", 0, 0)
"""
    assert "report" in on_terminal([sys.executable, "-c", code], tmp_path, term="xterm")
    assert on_terminal([sys.executable, "-c", code], tmp_path, term="dumb") == ""


def test_not_within_the_first_second(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "_can_draw", lambda: True)
    with ProgressLine("report") as line:
        line("kernels", 5, 10)
    assert capsys.readouterr() == ("", "")
