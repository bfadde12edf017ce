"""Every command and every piece of Python in the pages runs and prints what is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs import ROOT, cli_page, rendered, views_page


@pytest.mark.parametrize("page", ["README.md", "docs/reading-a-report.md", "docs/nsys-stats.md"])
def test_pages_show_what_their_commands_print(page: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    current = rendered(ROOT / page, tmp_path)
    if request.config.getoption("--update-docs"):
        (ROOT / page).write_text(current)
    assert (ROOT / page).read_text() == current, "pytest --update-docs puts in what is printed now"


@pytest.mark.parametrize(("page", "made"), [("docs/views.md", views_page), ("docs/cli.md", cli_page)])
def test_pages_made_from_headers_and_help(page: str, made: Callable[[], str], request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-docs"):
        (ROOT / page).write_text(made())
    assert (ROOT / page).read_text() == made(), "pytest --update-docs makes it anew"
