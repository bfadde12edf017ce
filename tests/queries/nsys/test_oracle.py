"""The views that claim to equal NVIDIA's reports, against what its tool printed for the same files."""

from __future__ import annotations

import lzma
import shutil
from pathlib import Path

import nsysql
import pytest
from nsysql.catalog import load_catalog

from tests.conftest import EXPORTS
from tests.oracle import UNPRINTED, VIEWS, compare, csv_path
from tests.queries.nsys.made_up_calls import CALLS

ORACLE = Path(__file__).parents[2] / "oracle"
LISTED_DIFFERENCES = {
    *((file, report) for file in ("nvtx_coarse", "nvtx_edges") for report in VIEWS),
    ("ddp_one", "cuda_memcpy_async"),
}
"""Reports whose values differ where docs/nvidia-differences.md says so: see test_differences.py."""


def test_every_view_is_compared() -> None:
    assert set(VIEWS) == {v.name for v in load_catalog().views.values() if v.layer == "nsys" and not v.is_private}


@pytest.mark.parametrize(
    ("file", "report"),
    [(p.stem, report) for p in EXPORTS for report in VIEWS if (p.stem, report) not in LISTED_DIFFERENCES],
)
def test_bundled_reports(db: nsysql.Database, file: str, report: str) -> None:
    comparison = compare(db, ORACLE, file, report)
    assert comparison is None or comparison.is_equal, comparison


def test_every_report_has_rows_to_compare() -> None:
    found = {report for report in VIEWS for p in EXPORTS if csv_path(ORACLE, p.stem, report)}
    made_up = {report for case in CALLS.values() for report in case.printed}
    assert found | made_up | UNPRINTED == set(VIEWS)
    assert all(VIEWS[report].unverified for report in UNPRINTED)


@pytest.mark.corpus
def test_every_own_file(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of NVIDIA's numbers for all files; the table goes to the terminal."""
    packed = corpus / "own" / "big.sqlite.xz"
    with lzma.open(packed) as source, (tmp_path / packed.stem).open("wb") as target:
        shutil.copyfileobj(source, target)
    folder = corpus / "oracle"
    files = sorted(p.name for p in folder.iterdir() if p.is_dir())
    exports = [p for name in files for p in (corpus / "own" / f"{name}.sqlite", tmp_path / f"{name}.sqlite") if p.is_file()]
    assert len(exports) == len(files) > 20
    nsysql.ingest(exports, tmp_path / "all.duckdb")
    with nsysql.open(tmp_path / "all.duckdb") as db:
        found = {(file, report): compare(db, folder, file, report) for file in files for report in VIEWS}
    with capsys.disabled():
        print(f"\n{'rows equal / rows':17}", *(f"{report:>13}" for report in VIEWS), sep="  ")
        for file in files:
            cells = (str(found[file, report] or "-").rjust(max(13, len(report))) for report in VIEWS)
            print(f"{file:17}", *cells, sep="  ")
    assert {key: c for key, c in found.items() if c and not c.is_equal} == {}
