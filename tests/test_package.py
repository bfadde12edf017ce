"""The wheel alone, in an environment without the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import FIXTURES
from tests.docs import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
        str(ROOT),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def test_the_queries_are_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {f"nsysql/{p.relative_to(ROOT)}" for p in (ROOT / "queries").rglob("*.sql")}
    assert shipped <= names
    assert "nsysql/queries/kernel_families.csv" in names
    assert "nsysql/py.typed" in names
    assert not any(n.startswith(("tests/", "fixtures/")) for n in names)


def test_the_wheel_works_alone(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    run = f"import sys; sys.path.insert(0, r'{site}'); from nsysql.cli import main; import nsysql; assert nsysql.__file__.startswith(r'{site}'); main()"
    for args, expected in ((["ingest", str(FIXTURES / "tiny.sqlite")], ""), (["query", "gpu_busy"], "NVIDIA H200")):
        done = subprocess.run([sys.executable, "-c", run, *args], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout
