"""Which nsys are found, which one reads a report, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from nsysql import nsys
from nsysql.errors import InputError
from nsysql.nsys import Nsys, find_all, judge, readers, report_version

from tests.conftest import FIXTURES
from tests.test_exporter import program, stand_in

REPORT = FIXTURES / "pipeline.nsys-rep"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without any nsys, on which PATH is the folder bin and the usual places are those below opt."""
    (tmp_path / "bin").mkdir()
    monkeypatch.delenv("NSYSQL_NSYS", raising=False)
    monkeypatch.delenv("NSYS_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/sbin")
    monkeypatch.setattr(nsys, "PLACES", (f"{tmp_path}/opt/*/bin/nsys",))
    return tmp_path


def install(machine: Path, version: str, body: str = "") -> Path:
    folder = machine / "opt" / version / "bin"
    folder.mkdir(parents=True)
    return stand_in(folder / "nsys", body, version)


def test_the_newest_comes_first_and_the_named_before_it(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = install(machine, "2022.4.2.1"), install(machine, "2025.3.1.90")
    on_path = stand_in(machine / "bin" / "nsys", "", "2024.2.3.38")
    assert [n.path for n in find_all()] == [new, on_path, old]
    assert find_all()[0].version == (2025, 3, 1, 90)
    assert [n.found_by for n in find_all()] == ["its usual place", "PATH", "its usual place"]
    monkeypatch.setenv("NSYS_HOME", str(old.parent.parent))
    assert [n.found_by for n in find_all() if n.path == old] == ["NSYS_HOME"]
    monkeypatch.setenv("NSYSQL_NSYS", str(old))
    assert [n.path for n in find_all()] == [old, new, on_path]
    assert [n.path for n in find_all(str(on_path))] == [on_path, new, old]


def test_links_to_one_program_are_one(machine: Path) -> None:
    new = install(machine, "2025.3.1")
    (machine / "bin" / "nsys").symlink_to(new)
    assert [n.found_by for n in find_all()] == ["PATH"]


def test_what_cannot_be_used_comes_last_and_says_why(machine: Path) -> None:
    program(machine / "bin" / "nsys", "echo 'ERROR : nsight-systems directory is not found' >&2; exit 1")
    good = install(machine, "2019.5.2") and install(machine, "2023.1.2")
    found = find_all()
    assert found[0].path == good
    assert [n.trouble for n in found[1:]] == [
        "from before 2020: has no export command",
        "cannot be run: a wrapper without Nsight Systems behind it: ERROR : nsight-systems directory is not found",
    ]


def test_a_report_says_which_release_made_it(tmp_path: Path) -> None:
    assert report_version(REPORT) == (2023, 4, 4, 54)
    assert report_version(FIXTURES / "pipeline.sqlite") is None
    (tmp_path / "old.qdrep").write_bytes(b"NVIDIA Tegra Profiler Report 1.\n")
    assert report_version(tmp_path / "old.qdrep") is None


def test_only_those_that_are_new_enough_read_a_report(machine: Path) -> None:
    install(machine, "2022.4.2")
    with pytest.raises(InputError, match=r"needs nsys 2023.4.4 or newer; here are 2022.4.2 \("):
        readers(find_all(), REPORT)
    new = install(machine, "2023.4.4")
    assert [n.path for n in readers(find_all(), REPORT)] == [new]
    assert [verdict for _, verdict in judge(find_all(), REPORT)] == [
        "used: the newest",
        f"too old: {REPORT} was made by 2023.4.4.54",
    ]


def test_without_any_it_says_what_to_do(machine: Path) -> None:
    with pytest.raises(InputError, match="Install Nsight Systems") as error:
        readers(find_all(), REPORT)
    assert str(REPORT) in str(error.value)
    program(machine / "bin" / "nsys", "exit 3")
    with pytest.raises(InputError, match="cannot be run: exit code 3"):
        readers(find_all(), None)


@pytest.mark.parametrize(
    ("path", "version", "remark"),
    [
        ("/opt/nvidia/nsight-compute/2025.3/host/target-linux-x64/nsys", (2025, 3, 1), "Nsight Compute"),
        ("/usr/lib/x86_64-linux-gnu/nsight-systems/target-linux-x64/nsys", (2023, 4, 4), "distribution"),
        ("/opt/nvidia/nsight-systems/2021.3.3/bin/nsys", (2021, 3, 3), "only .qdrep"),
        ("/opt/nvidia/nsight-systems/2025.3.1/bin/nsys", (2025, 3, 1), ""),
    ],
)
def test_pitfalls(path: str, version: tuple[int, ...], remark: str) -> None:
    remarks = Nsys(Path(path), "PATH", version).remarks()
    assert remark in " ".join(remarks) and bool(remark) == bool(remarks)
