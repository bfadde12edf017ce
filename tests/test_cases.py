"""Small exports of kinds that have made tools of this field answer wrongly; each generator prints the right values."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nsysql
from nsysql.database import Database

CASES = Path(__file__).parent / "cases"


@contextmanager
def case(name: str, tmp_path: Path) -> Iterator[tuple[Database, dict[str, Any]]]:
    export = tmp_path / "case.sqlite"
    done = subprocess.run([sys.executable, f"{name}.py", str(export)], cwd=CASES, capture_output=True, text=True, check=True)
    nsysql.ingest([export], tmp_path / "case_db.duckdb")
    with nsysql.open(tmp_path / "case_db.duckdb") as db:
        yield db, json.loads(done.stdout)["right"]


def only_row(db: Database, view: str) -> SimpleNamespace:
    relation = db.query(view)
    (row,) = relation.fetchall()
    return SimpleNamespace(**dict(zip(relation.columns, row)))


def test_busy_is_a_union(tmp_path: Path) -> None:
    with case("02-busy-over-wall", tmp_path) as (db, right):
        busy = only_row(db, "gpu_busy")
        assert busy.busy_ns == right["busy_ns"]
        assert busy.between_ns == right["idle_ns"]
        assert busy.last_end_ns - busy.first_start_ns == right["span_ns"]
        assert round(100 * busy.active_ratio, 3) == right["utilisation_pct"]
        gaps = db.query("gaps", where="position = 'between'").fetchall()
        assert {row[6] for row in gaps} == {right["gap_ns_each"]}
        assert len(gaps) == right["gaps"]
        assert db.sql("SELECT sum(dur_ns) FROM kernel_sum").fetchall() == [(right["kernel_sum_ns"],)]
        union = "WITH rows AS (SELECT report_id, stream_id AS track_id, start_ns, end_ns FROM gpu_ops) SELECT track_id, sum(end_ns - start_ns) FROM interval_union('rows') GROUP BY ALL"
        streams = dict(db.sql(union).fetchall())
        assert streams == {7: right["stream_7_busy_ns"], 21: right["stream_21_busy_ns"]}


def test_stream_numbers_repeat(tmp_path: Path) -> None:
    with case("03-same-stream-number", tmp_path) as (db, right):
        assert len(db.query("streams", where="op_count > 0").fetchall()) == right["streams"]
        busy = {str(row[1]): row[5] for row in db.query("gpu_busy").fetchall()}
        assert busy == right["gpu_busy_ns"]
        streams = db.sql(
            """WITH rows AS (SELECT report_id, {p: process_id, g: gpu_id, c: context_id, s: stream_id} AS track_id, start_ns, end_ns FROM gpu_ops)
            SELECT format('pid {} gpu {} ctx {} stream {}', (track_id.p >> 24) & 16777215, track_id.g, track_id.c, track_id.s),
                sum(end_ns - start_ns) FROM interval_union('rows') GROUP BY ALL"""
        ).fetchall()
        assert dict(streams) == right["stream_busy_ns"]
        assert db.sql("SELECT count(*) FROM kernels").fetchall() == [(right["kernels"],)]
        assert db.sql("SELECT count(*) FROM kernels WHERE gpu_id = 1").fetchall() == [(right["gpu_1_kernels"],)]


def test_device_0_of_two_processes_is_two_gpus(tmp_path: Path) -> None:
    with case("05-same-ids-two-processes", tmp_path) as (db, right):
        busy = {row[2]: row[5] for row in db.query("gpu_busy", where="op_count > 0").fetchall()}
        assert busy == right["busy_ns"]
        assert len(busy) == right["physical_gpus"]
        for gpu, lengths in right["gaps"].items():
            rows = db.sql(
                f"SELECT dur_ns FROM gaps JOIN gpus USING (report_id, gpu_id) WHERE name = '{gpu}' AND position = 'between'"
            )
            assert [r[0] for r in rows.fetchall()] == lengths


def test_bytes_and_throughput_of_copies(tmp_path: Path) -> None:
    with case("09-copies-in-a-range", tmp_path) as (db, right):
        sums = db.sql("SELECT size_bytes, bytes_per_s FROM memcpy_sum WHERE direction = 'HtoD'").fetchall()
        assert sums == [(right["h2d_bytes"], right["h2d_bytes_per_s"])]
        rates = db.sql("SELECT DISTINCT bytes_per_s, memory_kind, nvtx_path FROM copies WHERE direction = 'HtoD'").fetchall()
        assert rates == [(right["h2d_bytes_per_s"], "pinned", "load_batch")]


def test_waits_are_no_work(tmp_path: Path) -> None:
    with case("11-waits-are-not-gpu-work", tmp_path) as (db, right):
        busy = only_row(db, "gpu_busy")
        assert busy.op_count == right["gpu_operations"]
        assert busy.busy_ns == right["busy_ns"]
        assert busy.last_end_ns - busy.first_start_ns == right["span_ns"]
        gaps = [row[6] for row in db.query("gaps", where="position = 'between'").fetchall()]
        assert gaps == [right["gap_ns_each"]] * right["gaps"]


def test_marks_and_domains_are_no_ranges(tmp_path: Path) -> None:
    with case("01-null-end-events", tmp_path) as (db, right):
        lengths = dict(
            db.sql(
                "SELECT CASE WHEN domain IS NULL THEN name ELSE domain || ':' || name END, sum(dur_ns) FROM nvtx_ranges GROUP BY ALL"
            ).fetchall()
        )
        assert lengths == right["range_ns"]
        counts = "SELECT count(*), count(*) FILTER (dur_ns = 0) FROM nvtx_ranges"
        assert db.sql(counts).fetchall() == [(right["ranges"], right["zero_length_ranges"])]
        assert db.sql("SELECT count(*) FROM nvtx_marks").fetchall() == [(right["marks"],)]
        assert db.sql("SELECT count(*) FROM nvtx_domains").fetchall() == [(right["domains"],)]
        assert db.sql("SELECT count(*) FROM kernels").fetchall() == [(right["kernels"],)]
        assert db.sql("SELECT count(*) FROM nvtx_gpu_proj_sum WHERE range_name LIKE 'checkpoint%'").fetchall() == [
            (right["gpu_ops_inside_marks"],)
        ]


def test_ids_repeat_between_processes(tmp_path: Path) -> None:
    with case("05-same-ids-two-processes", tmp_path) as (db, right):
        rows = db.sql("SELECT range_name, regexp_extract(kernel_name, '^\\w+'), kernel_count FROM nvtx_kern_sum").fetchall()
        assert {name: {kernel: count} for name, kernel, count in rows} == right["kernels_in_range"]


def test_a_kernel_that_starts_before_its_call_belongs_to_the_range_of_the_call(tmp_path: Path) -> None:
    with case("14-kernel-before-its-launch", tmp_path) as (db, right):
        assert db.sql("SELECT range_count, kernel_count FROM nvtx_kern_sum WHERE range_name = 'exchange'").fetchall() == [
            (right["exchange_instances"], right["kernels_in_exchange"])
        ]
        assert db.sql("SELECT count(*) FROM kernels").fetchall() == [(right["kernels"],)]


def test_open_ranges_have_no_length(tmp_path: Path) -> None:
    with case("16-ranges-left-open", tmp_path) as (db, right):
        rows = db.sql("SELECT name, range_count, inclusive_ns, open_count, mean_ns FROM nvtx_range_sum").fetchall()
        assert {r[0]: {"count": r[1], "total_ns": r[2]} for r in rows} == right["closed"]
        assert {r[0]: r[3] for r in rows if r[3]} == right["open"]
        assert [r[4] for r in rows if r[0] == "pick_column"] == [right["mean_closed_pick_column_ns"]]
        bounds = db.sql("SELECT open_at_least_ns FROM nvtx_ranges WHERE is_open ORDER BY 1").fetchall()
        assert [b[0] for b in bounds] == right["open_at_least_ns"]


def test_crossing_ranges_of_two_kinds(tmp_path: Path) -> None:
    with case("23-two-kinds-of-ranges", tmp_path) as (db, right):
        assert dict(db.sql("SELECT name, dur_ns FROM nvtx_ranges").fetchall()) == right["host_ns"]
        assert db.sql("SELECT count(*) FROM nvtx_ranges").fetchall() == [(right["ranges"],)]
        under = dict(
            db.sql("SELECT split_part(range_name, ':', -1), sum(kernel_count) FROM nvtx_kern_sum GROUP BY ALL").fetchall()
        )
        assert under == {name: count for name, count in right["kernels_under"].items() if count}
        innermost = db.sql(
            "SELECT name, count(*) FROM _call_ranges JOIN nvtx_ranges USING (report_id, range_id) WHERE is_innermost GROUP BY ALL"
        ).fetchall()
        assert dict(innermost) == right["kernels_innermost"]
        assert db.sql("SELECT exclusive_ns FROM nvtx_range_sum WHERE name = 'driver'").fetchall() == [
            (right["driver_without_any_child_ns"],)
        ]
        parents = dict(
            db.sql("SELECT r.name, p.name FROM nvtx_ranges r LEFT JOIN nvtx_ranges p ON p.range_id = r.parent_id").fetchall()
        )
        assert parents["inner"] == "wrap"
        assert parents["task"] == parents["copy"] == "driver"


def test_kernels_that_share_a_short_name(tmp_path: Path) -> None:
    with case("18-one-short-name", tmp_path) as (db, right):
        names = db.query("kernel_names").fetchall()
        assert len(names) == right["distinct_kernels"]
        assert (names[0][-1], names[0][3]) == (right["top_kernel"], right["top_kernel_ns"])
        by_short = db.sql("SELECT short_name, sum(dur_ns) FROM kernel_names GROUP BY ALL").fetchall()
        assert dict(by_short) == right["by_short_name_ns"]
        use = only_row(db, "tensor_core_use")
        assert (use.family, use.dur_ns, use.unknown_ns) == ("gemm", right["gemm_ns"], 0)
        assert (use.tensor_core_ns, use.cuda_core_ns) == (right["gemm_tensor_core_ns"], right["gemm_cuda_core_ns"])
        rest = db.sql("SELECT family, dur_ns FROM kernel_families WHERE family IS DISTINCT FROM 'gemm'").fetchall()
        assert rest == [("elementwise", right["not_gemm_ns"])]
