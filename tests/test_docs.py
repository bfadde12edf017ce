"""Every command and every piece of Python in the pages runs and prints what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import ROOT, rendered


@pytest.mark.parametrize("page", ["README.md"])
def test_pages_show_what_their_commands_print(page: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    current = rendered(ROOT / page, tmp_path)
    if request.config.getoption("--update-docs"):
        (ROOT / page).write_text(current)
    assert (ROOT / page).read_text() == current, "pytest --update-docs puts in what is printed now"
