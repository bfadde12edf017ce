"""verdicts on the bundled reports: which there are, and their numbers against loops over the source and other views."""

from __future__ import annotations

import re
import statistics
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import nsysql
import pytest
from nsysql.catalog import load_catalog, queries_dir
from nsysql.database import Database
from nsysql.errors import CannotAnswerError

from tests.brute import (
    both_ns,
    busy_islands,
    busy_ns,
    capture_ns,
    family_of,
    gpu_of,
    gpu_ops,
    launching_calls,
    nvtx_rows,
    rows_of,
)
from tests.conftest import FIXTURES

Verdicts = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def told(database_path: Path) -> Verdicts:
    """The verdicts of every bundled report, by its name."""
    by_report: Verdicts = {}
    with nsysql.open(database_path) as database:
        relation = database.sql(
            "SELECT r.name, v.* FROM verdicts AS v JOIN reports AS r USING (report_id) ORDER BY v.report_id, place"
        )
        for name, *row in relation.fetchall():
            by_report.setdefault(name, []).append(dict(zip(relation.columns[1:], row)))
    return by_report


def evidence(told: Verdicts, report: str, verdict: str) -> list[dict[str, float]]:
    return [row["evidence"] for row in told[report] if row["verdict"] == verdict]


def sentence(told: Verdicts, report: str, verdict: str) -> str:
    (row,) = [row for row in told[report] if row["verdict"] == verdict]
    return row["sentence"]


def idle_parts(db: Database, report: str) -> dict[tuple[Any, ...], list[int]]:
    """Lengths of the parts of gaps between operations by (GPU, folded path, cause, name): gap_causes has its own loop."""
    found = defaultdict(list)
    for gpu, path, *cause, length in (
        db.query("gap_causes", where="position = 'between'", reports=[report])
        .project("gpu_id, nvtx_path, cause, name, dur_ns")
        .fetchall()
    ):
        found[(gpu, path and re.sub(r"\d+", "*", path), *cause)].append(length)
    return found


@pytest.mark.parametrize(
    ("report", "some", "none"),
    [
        (
            "train_bad",
            {
                "capture_window",
                "warmup_in_window",
                "gpu_starved",
                "lazy_loading",
                "fp32_gemm_off_tensor_cores",
                "pageable_copies",
            },
            {"queue_full", "trace_incomplete", "no_nvtx", "graph_mode"},
        ),
        ("train_good", {"capture_window", "fp32_gemm_off_tensor_cores"}, {"pageable_copies", "queue_full"}),
        ("backpressure", {"queue_full"}, {"no_nvtx", "pageable_copies", "sync_in_loop"}),
        ("graphs_graph", {"graph_mode"}, {"trace_incomplete"}),
        ("graphs_node", {"capture_window"}, {"graph_mode", "trace_incomplete"}),
        ("tiny", {"no_nvtx"}, {"warmup_in_window"}),
        ("ddp_one", {"exposed_communication", "warmup_in_window", "nsys_complains"}, {"no_nvtx"}),
        ("pipeline", {"gpu_starved"}, {"capture_window"}),
    ],
)
def test_what_known_programs_are_told(told: Verdicts, report: str, some: set[str], none: set[str]) -> None:
    got = {row["verdict"] for row in told[report]}
    assert some <= got
    assert not none & got


def test_places_go_by_time_at_stake(told: Verdicts) -> None:
    for rows in told.values():
        assert [r["place"] for r in rows] == list(range(1, len(rows) + 1))
        times = [r["at_stake_ns"] for r in rows]
        assert times == sorted([t for t in times if t is not None], reverse=True) + [None] * times.count(None)


def test_a_report_without_cuda_has_none(db: Database) -> None:
    with pytest.raises(CannotAnswerError, match="nocuda"):
        db.query("verdicts", reports=["nocuda"])


@pytest.mark.parametrize("report", ["train_bad", "train_good", "backpressure", "ddp_one", "graphs_graph", "multiproc"])
def test_capture_window(told: Verdicts, report: str) -> None:
    export = FIXTURES / f"{report}.sqlite"
    ops, capture = gpu_ops(export), capture_ns(export)
    assert capture is not None
    first, last = min(o["start"] for o in ops), max(o["end"] for o in ops)
    want = {"lead_in_ns": first, "active_ns": last - first, "tail_ns": capture - last, "capture_ns": capture}
    assert evidence(told, report, "capture_window") == [want]
    (action,) = [row["action"] for row in told[report] if row["verdict"] == "capture_window"]
    delay, duration = (int(re.findall(rf"--{o}=(\d+)", action)[0]) for o in ("delay", "duration"))
    assert delay * 10**9 <= first and last <= (delay + duration) * 10**9 < last + 10**9


@pytest.mark.parametrize(("report", "count"), [("train_bad", 1), ("train_good", 3), ("ddp_rank1", 3), ("ddp_one", 1)])
def test_warmup_in_window(told: Verdicts, report: str, count: int) -> None:
    by_thread: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for r in nvtx_rows(FIXTURES / f"{report}.sqlite").values():
        if re.fullmatch(r"step_\d+", r["name"]):
            by_thread[r["thread"]].append((r["start"], r["end"] - r["start"]))
    want = []
    for own in by_thread.values():
        lengths = [n for _, n in sorted(own)]
        usual = statistics.median(lengths)
        warm = [n for i, n in enumerate(lengths) if all(m > 1.5 * usual for m in lengths[: i + 1])]
        extra = sum(warm) - usual * len(warm)
        want.append({"warmup_count": len(warm), "step_count": len(lengths), "extra_ns": extra, "median_ns": usual})
    got = evidence(told, report, "warmup_in_window")
    assert sorted(got, key=lambda e: e["extra_ns"]) == sorted(want, key=lambda e: e["extra_ns"])
    assert {e["warmup_count"] for e in got} == {count}


@pytest.mark.parametrize(
    ("report", "key", "doing"),
    [
        ("train_bad", (0, "step_*/data_load", "host_code", None), "in no CUDA call, in step_*/data_load."),
        ("train_bad", (0, None, "host_code", None), "in no CUDA call, outside of NVTX ranges."),
        ("pipeline", (0, "starved_*/data_load", "os_call", "nanosleep"), "blocked in nanosleep, in starved_*/data_load."),
        ("ddp_one", (1, None, "host_code", None), "in no CUDA call, outside of NVTX ranges."),
    ],
)
def test_gpu_starved(told: Verdicts, db: Database, report: str, key: tuple[Any, ...], doing: str) -> None:
    lengths = idle_parts(db, report)[key]
    (got,) = [
        v["evidence"]
        for v in told[report]
        if v["verdict"] == "gpu_starved" and v["sentence"].startswith(f"GPU {key[0]} ") and v["sentence"].endswith(doing)
    ]
    export = FIXTURES / f"{report}.sqlite"
    gpu = gpu_of(export)
    ops = [o for o in gpu_ops(export) if gpu[o["globalPid"], o["deviceId"]] == key[0]]
    active = max(o["end"] for o in ops) - min(o["start"] for o in ops)
    assert (got["idle_ns"], got["part_count"], got["active_ns"]) == (sum(lengths), len(lengths), active)


@pytest.mark.parametrize("report", ["train_bad", "train_good", "backpressure", "graphs_graph", "multiproc"])
def test_lazy_loading(told: Verdicts, db: Database, report: str) -> None:
    found = idle_parts(db, report)
    lengths = [n for key in found if key[2] in ("module_load", "first_use") for n in found[key]]
    (got,) = evidence(told, report, "lazy_loading")
    assert (got["idle_ns"], got["part_count"]) == (sum(lengths), len(lengths))


@pytest.mark.parametrize("report", ["train_bad", "train_good", "pipeline", "multiproc", "tiny"])
def test_fp32_gemm_off_tensor_cores(told: Verdicts, report: str) -> None:
    export = FIXTURES / f"{report}.sqlite"
    texts = {r["id"]: r["value"] for r in rows_of(export, "StringIds")}
    kernels = rows_of(export, "CUPTI_ACTIVITY_KIND_KERNEL")
    gemms = [k for k in kernels if _is_fp32_gemm(family_of(texts[k["demangledName"]])[1])]
    want = {
        "gemm_ns": sum(k["end"] - k["start"] for k in gemms),
        "kernel_ns": sum(k["end"] - k["start"] for k in kernels),
        "kernel_count": len(gemms),
    }
    assert evidence(told, report, "fp32_gemm_off_tensor_cores") == [want]


def _is_fp32_gemm(answer: list[str | None]) -> bool:
    return answer[0] == "gemm" and answer[2:] == ["fp32", "no"]


@pytest.mark.parametrize("report", ["train_bad", "pipeline", "graphs_graph", "graphs_node"])
def test_pageable_copies(told: Verdicts, report: str) -> None:
    export = FIXTURES / f"{report}.sqlite"
    kinds = {r["id"]: r["label"] for r in rows_of(export, "ENUM_CUDA_MEM_KIND")}
    copies = [
        c for c in rows_of(export, "CUPTI_ACTIVITY_KIND_MEMCPY") if c["copyKind"] == 1 and kinds[c["srcKind"]] == "Pageable"
    ]
    calls = launching_calls(export)
    own = [calls[c["globalPid"], c["correlationId"]] for c in copies]
    want = {
        "copy_count": len(copies),
        "size_bytes": sum(c["bytes"] for c in copies),
        "copy_ns": sum(c["end"] - c["start"] for c in copies),
        "call_ns": sum(c["end"] - c["start"] for c in own),
    }
    assert want in evidence(told, report, "pageable_copies")


def test_queue_full(db: Database, told: Verdicts) -> None:
    (got,) = evidence(told, "backpressure", "queue_full")
    slow = "SELECT count(*), sum(dur_ns) FROM slow_launches WHERE cause = 'queue_full' AND report_id = {}"
    count, total = db.sql(slow.format(db.report_ids(["backpressure"])[0])).fetchall()[0]
    assert (got["launch_count"], got["wait_ns"]) == (count, total)
    assert sentence(told, "backpressure", "queue_full").startswith(f"{count} launches took ")


def test_graph_mode(told: Verdicts) -> None:
    launched = rows_of(FIXTURES / "graphs_graph.sqlite", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE")
    want = {"graph_launch_count": len(launched), "graph_ns": sum(g["end"] - g["start"] for g in launched)}
    assert evidence(told, "graphs_graph", "graph_mode") == [want]
    assert sentence(told, "graphs_graph", "graph_mode").startswith("30 launches of CUDA graphs (")


def test_no_nvtx(told: Verdicts) -> None:
    ops = gpu_ops(FIXTURES / "tiny.sqlite")
    want = {"op_count": len(ops), "op_dur_ns": sum(o["end"] - o["start"] for o in ops)}
    assert evidence(told, "tiny", "no_nvtx") == [want]
    assert sentence(told, "tiny", "no_nvtx").startswith("65 GPU operations (")


def test_exposed_communication(told: Verdicts) -> None:
    export = FIXTURES / "ddp_one.sqlite"
    texts, gpu = {r["id"]: r["value"] for r in rows_of(export, "StringIds")}, gpu_of(export)
    kernels = [k for k in rows_of(export, "CUPTI_ACTIVITY_KIND_KERNEL") if gpu[k["globalPid"], k["deviceId"]] == 0]
    kinds: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    for k in kernels:
        kinds[texts[k["demangledName"]].startswith("ncclDevKernel")].append((k["start"], k["end"]))
    both = both_ns(busy_islands(kinds[True]), busy_islands(kinds[False]))
    want = {"exposed_ns": busy_ns(kinds[True]) - both, "comm_ns": busy_ns(kinds[True]), "compute_ns": busy_ns(kinds[False])}
    assert evidence(told, "ddp_one", "exposed_communication") == [want]


def test_nsys_complains(told: Verdicts) -> None:
    rows = [r for r in rows_of(FIXTURES / "ddp_one.sqlite", "DIAGNOSTIC_EVENT") if r["severity"] in (2, 3)]
    assert evidence(told, "ddp_one", "nsys_complains") == [{"warning_count": len(rows), "error_count": 0}]


def test_what_is_advised_exists(nsys: str) -> None:
    advice = " ".join(p.read_text() for p in (queries_dir() / "check").glob("_*_verdicts.sql"))
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", advice))
    known = subprocess.run([nsys, "profile", "--help"], capture_output=True, text=True, check=True).stdout
    missing = {o for o in options if not re.search(rf"{o}=|{o}$|{o}\W", known)}
    assert missing - {"--pytorch", "--sampling-frequency"} == set()
    assert {"--capture-range", "--capture-range-end", "--cuda-graph-trace", "--kill", "--delay", "--duration"} <= options


def test_every_view_that_is_named_exists(told: Verdicts) -> None:
    catalog = load_catalog()
    sources = [(queries_dir() / "check" / f"_{topic}_verdicts.sql").read_text() for topic in ("trace", "idle", "work")]
    named = {name for text in sources for name in re.findall(r"'([a-z]+(?:_[a-z]+)*)'", text) if name in catalog.views}
    shown = {row["view_name"] for rows in told.values() for row in rows}
    assert shown <= named and not any(catalog.get(name).is_private for name in shown)
