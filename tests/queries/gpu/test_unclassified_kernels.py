"""unclassified_kernels on rows that can be checked by eye; how much of real captures the shipped rules leave."""

from __future__ import annotations

import lzma
import shutil
from pathlib import Path

import nsysql
import pytest

from tests.blueprint import check


def test_names_without_a_family() -> None:
    check(
        rows={
            "kernel_names": "report_id,name,short_name,kernel_count,dur_ns,dur_ratio,family\n1,a(),a,1,10,0.1,gemm\n1,b(),b,2,90,0.9,"
        },
        query="FROM unclassified_kernels",
        expect="""report_id,short_name,kernel_count,dur_ns,dur_ratio,name
            1,b,2,90,0.9,b()""",
    )


@pytest.mark.corpus
def test_little_of_the_kernel_time_is_without_a_family(corpus: Path, tmp_path: Path) -> None:
    folder = next(corpus.rglob("families.sqlite")).parent
    exports = sorted(folder.glob("*.sqlite"))
    for packed in folder.glob("*.sqlite.xz"):
        with lzma.open(packed) as source, (tmp_path / packed.stem).open("wb") as target:
            shutil.copyfileobj(source, target)
        exports.append(tmp_path / packed.stem)
    nsysql.ingest(exports, tmp_path / "all.duckdb")
    with nsysql.open(tmp_path / "all.duckdb") as db:
        ((left, total),) = db.sql("SELECT sum(dur_ns) FILTER (family IS NULL), sum(dur_ns) FROM kernel_families").fetchall()
    assert (left or 0) < 0.03 * total
