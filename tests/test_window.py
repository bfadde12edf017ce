"""Windows of time: against loops over source rows cut by hand, and against the whole that they are parts of."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import nsysql
import pytest
from nsysql import checks, window
from nsysql.catalog import load_catalog
from nsysql.database import Database
from nsysql.errors import CannotAnswerError, UsageError

from tests import brute
from tests.conftest import EXPORTS
from tests.test_cli import nsysql as run

PUBLIC = [v for v in load_catalog().views.values() if not v.is_private and not v.is_macro and v.has_view]
SECOND = 10**9
Edges = tuple[int, int]


def cut(rows: list[dict[str, Any]], start: int, end: int) -> list[dict[str, Any]]:
    """Rows with start and end (None: it goes on) that are in the window, cut to it."""
    kept = []
    for row in rows:
        ends = float("inf") if row["end"] is None else row["end"]
        if row["start"] < end and (ends > start or row["start"] >= start):
            last = None if row["end"] is None else min(max(row["end"], start), end)
            kept.append(row | {"start": max(row["start"], start), "end": last})
    return kept


def windows(export: Path) -> list[Edges]:
    """Windows that begin and end at an operation's bounds, in the midst of one, between two, in thirds, with nothing."""
    capture = brute.capture_ns(export) or 0
    ops = sorted(brute.gpu_ops(export), key=lambda o: o["start"])
    third = capture // 3
    found = [(0, third), (third, 2 * third), (2 * third, capture), (capture - 1, capture)]
    if ops:
        first, middle, longest = ops[0], ops[len(ops) // 2], max(ops, key=lambda o: o["end"] - o["start"])
        half = (longest["start"] + longest["end"]) // 2
        found += [(first["start"], middle["end"]), (first["end"], middle["start"]), (half, half + 1), (half, capture)]
        found += [(max(first["start"] - 1000, 0), first["start"]), (middle["start"], middle["start"] + 1)]
    return [(a, b) for a, b in found if a < b]


def each(db: Database, export: Path):
    """Every window of an export with the database that shows it."""
    for start, end in windows(export):
        with db.window(start, end, export.stem) as shown:
            yield start, end, shown


def rows(db: Database, query: str) -> list[tuple[Any, ...]]:
    """Rows of a query, sorted where some are NULL too; floats without their last digits, which hang on the order of a sum."""
    found = [tuple(float(f"{v:.9g}") if isinstance(v, float) else v for v in row) for row in db.sql(query).fetchall()]
    return sorted(found, key=lambda row: [(v is None, v) for v in row])


each_export = pytest.mark.parametrize("export", EXPORTS, ids=lambda p: p.stem)


@each_export
def test_busy_and_gaps_equal_loops(db: Database, export: Path) -> None:
    gpu = brute.gpu_of(export)
    for start, end, shown in each(db, export):
        own: dict[Any, list[Edges]] = defaultdict(list)
        for op in cut(brute.gpu_ops(export), start, end):
            own[gpu[op["globalPid"], op["deviceId"]]].append((op["start"], op["end"]))
        expected, gaps = [], []
        for ops in own.values():
            islands = brute.busy_islands(ops)
            edges = [start, *(t for island in islands for t in island), end]
            idle = [(a, b) for a, b in zip(edges[::2], edges[1::2])]
            busy = sum(b - a for a, b in islands)
            inner = sum(b - a for a, b in idle[1:-1])
            lead_in, tail = (b - a for a, b in (idle[0], idle[-1]))
            assert busy + lead_in + inner + tail == end - start
            expected.append((len(ops), busy, lead_in, inner, tail, end - start - busy, end - start))
            gaps += [g for g in idle if g[1] > g[0]]
        columns = "op_count, busy_ns, lead_in_ns, between_ns, tail_ns, idle_ns, capture_ns"
        assert rows(shown, f"SELECT {columns} FROM gpu_busy WHERE op_count > 0") == sorted(expected), (start, end)
        assert rows(shown, "SELECT start_ns, end_ns FROM gaps") == sorted(gaps), (start, end)
        bins = rows(
            shown, "SELECT min(start_ns), max(end_ns), sum(busy_ns) FROM gpu_utilization(bin_count := 7) GROUP BY gpu_id"
        )
        idle_gpus = shown.sql("SELECT count(*) FROM gpu_busy WHERE op_count = 0").fetchall()[0][0]
        assert bins == sorted([(start, end, e[1]) for e in expected] + [(start, end, 0)] * idle_gpus)


@each_export
def test_kernels_and_copies_equal_loops(db: Database, export: Path) -> None:
    texts = {r["id"]: r["value"] for r in brute.rows_of(export, "StringIds")}
    for start, end, shown in each(db, export):
        kernels, copies = defaultdict(list), defaultdict(list)
        for op in cut(brute.gpu_ops(export), start, end):
            if op["table"] == "KERNEL":
                kernels[op["globalPid"], op["deviceId"], texts[op["demangledName"]]].append(op["end"] - op["start"])
            if op["table"] == "MEMCPY":
                key = op["globalPid"], op["deviceId"], op["copyKind"], op.get("srcKind"), op.get("dstKind")
                copies[key].append((op["end"] - op["start"], op["bytes"]))
        expected = sorted((len(d), sum(d), min(d), max(d), key[2]) for key, d in kernels.items())
        columns = "kernel_count, dur_ns, min_ns, max_ns, name"
        assert rows(shown, f"SELECT {columns} FROM kernel_sum") == expected, (start, end)
        expected = sorted((len(d), sum(a for a, _ in d), sum(b for _, b in d)) for d in copies.values())
        assert rows(shown, "SELECT op_count, dur_ns, size_bytes FROM memcpy_sum") == expected, (start, end)


@each_export
def test_calls_equal_a_loop(db: Database, export: Path) -> None:
    texts = {r["id"]: r["value"] for r in brute.rows_of(export, "StringIds")}
    apis = {0: "runtime", 1: "driver", 13: "egl"}
    for start, end, shown in each(db, export):
        calls = cut(brute.api_calls(export), start, end)
        around = brute.enclosing_calls(calls)
        found: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for call in calls:
            name = re.sub(r"(_v[0-9]+|_ptsz|_ptds)+$", "", texts[call["nameId"]])
            entry = found[call["globalTid"], apis.get(call["eventClass"], "other"), name]
            length, is_inner = call["end"] - call["start"], bool(around[call["_rowid"]])
            for place, value in enumerate((1, is_inner, length, 0 if is_inner else length)):
                entry[place] += value
        columns = "thread_id, api, name, call_count, nested_count, inclusive_ns, outermost_ns"
        expected = sorted((*key, *entry) for key, entry in found.items())
        assert rows(shown, f"SELECT {columns} FROM api_sum") == expected, (start, end)


@pytest.mark.parametrize("export", [e for e in EXPORTS if e.stem != "nvtx_coarse"], ids=lambda p: p.stem)
def test_ranges_equal_a_loop(db: Database, export: Path) -> None:
    """Nesting of the ranges as they are cut, and what is in each beside its children."""
    whole = brute.nvtx_rows(export)
    is_library = dict(db.sql(f"SELECT range_id, is_library FROM nvtx_ranges WHERE report_id = {one(db, export)}").fetchall())
    for start, end, shown in each(db, export):
        own = {r["id"]: r for r in cut([r | {"id": i} for i, r in whole.items()], start, end)}
        expected = brute.nested(own)
        columns = "range_id, parent_id, depth, path, dur_ns, is_open"
        assert rows(shown, f"SELECT {columns} FROM nvtx_ranges") == expected, (start, end)
        if any(is_library[i] for i in own):
            continue
        children = defaultdict(list)
        for i, parent, *_ in expected:
            if parent is not None:
                last = own[i]["end"] if own[i]["end"] is not None else own[parent]["end"]
                children[parent].append((own[i]["start"], last))
        sums: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for i, _, _, _, length, is_open in expected:
            inside = 0 if is_open else brute.busy_ns(children[i])
            name = own[i]["family"][0], own[i]["family"][1], own[i]["name"], own[i]["thread"] >> 24
            for place, value in enumerate((not is_open, is_open, length or 0, (length or 0) - inside)):
                sums[name][place] += value
        columns = "range_count, open_count, inclusive_ns, exclusive_ns"
        assert rows(shown, f"SELECT {columns} FROM nvtx_range_sum") == sorted(map(tuple, sums.values())), (start, end)


def one(db: Database, export: Path) -> int:
    """Id of the report of an export."""
    return db.report_ids(export.stem)[0]


@pytest.mark.parametrize("is_forced", [False, True], ids=["whole", "wide"])
def test_the_whole_capture_is_what_there_is_without_a_window(
    db: Database, monkeypatch: pytest.MonkeyPatch, is_forced: bool
) -> None:
    """Of every report and public view; also if everything is cut, at edges where nothing is."""
    if is_forced:
        wide = window.Bounds(str(-(2**61)), str(2**61), None)
        monkeypatch.setattr(window, "bounds", lambda *_: (wide, []))
    else:
        longest = db.sql("SELECT max(duration_ns) FROM reports").fetchall()[0][0]
        assert window.bounds(db, 0, longest, None) == (window.Bounds(str(-(2**63 - 1)), str(2**63 - 1), None), [])
    with db.window(0, 2**61) as shown:
        for view in PUBLIC:
            text = f"FROM {view.name}"
            if is_forced and view.name == "cuda_events":
                text += " WHERE time_ns IS NOT NULL"
            assert rows(shown, text) == rows(db, text), view.name


@pytest.mark.parametrize("middle", [SECOND // 2, 1_100_000_007, 3 * SECOND])
def test_windows_side_by_side_add_up_to_the_whole(db: Database, middle: int) -> None:
    sums = [
        "SELECT report_id, sum(busy_ns) FROM gpu_busy GROUP BY 1 HAVING sum(busy_ns) > 0",
        "SELECT report_id, sum(dur_ns) FROM kernel_sum GROUP BY 1",
        "SELECT report_id, sum(dur_ns) FROM memcpy_sum GROUP BY 1",
        "SELECT report_id, sum(inclusive_ns) FROM api_sum GROUP BY 1",
        "SELECT report_id, sum(dur_ns) FROM gpu_ops GROUP BY 1",
        "SELECT report_id, sum(dur_ns) FROM syncs GROUP BY 1",
        "SELECT report_id, sum(inclusive_ns) FROM os_call_sum GROUP BY 1",
        "SELECT report_id, sum(dur_ns) FROM sched_slices GROUP BY 1",
        "SELECT report_id, sum(inclusive_ns) FROM nvtx_range_sum GROUP BY 1",
        "SELECT report_id, sum(dur_ns) FROM overheads GROUP BY 1",
        "SELECT report_id, count(*) FROM nvtx_marks GROUP BY 1",
        "SELECT report_id, count(*) FROM gpu_metrics GROUP BY 1",
        "SELECT report_id, count(*) FROM cpu_samples GROUP BY 1",
        "SELECT report_id, count(*) FROM allocations GROUP BY 1",
    ]
    with db.window(0, middle) as before, db.window(middle, None) as after:
        for query in sums:
            found: dict[int, int] = defaultdict(int)
            for report_id, value in before.sql(query).fetchall() + after.sql(query).fetchall():
                found[report_id] += value or 0
            whole = {i: v for i, v in db.sql(query).fetchall() if v}
            assert {i: v for i, v in found.items() if v} == whole, query


@pytest.mark.parametrize("edges", [(1 * SECOND, 2 * SECOND), (300_000_000, None)])
def test_every_check_holds_in_a_window(db: Database, edges: tuple[int | None, int | None]) -> None:
    """Columns, grain, asserts, order, examples, bewares of every view, but for what does not hold of the whole."""
    with db.window(*edges) as shown:
        faults = [(v, *fault) for v in load_catalog().views.values() for fault in checks.faults(shown, v)]
    assert [(v.name, name, what) for v, name, what in faults if (name, what) not in checks.faults(db, v, [name])] == []


def test_each_report_is_cut_on_its_own_axis(db: Database) -> None:
    durations = dict(db.sql("SELECT name, duration_ns FROM reports").fetchall())
    start, end = sorted(durations.values())[len(durations) // 3] - 1, sorted(durations.values())[-2]
    with db.window(start, end) as shown:
        captures = shown.sql("SELECT r.name, r.duration_ns, r.capture_start_ns, r.capture_end_ns FROM reports AS r").fetchall()
        expected = [(n, min(d, end) - start, start, min(d, end)) for n, d in durations.items() if d > start]
        assert sorted(captures) == sorted(expected)
        assert len(shown.notes) == sum(d <= start for d in durations.values())
        assert {i for (i,) in shown.sql("SELECT DISTINCT report_id FROM gpus").fetchall()} <= {
            i for (i,) in shown.sql("SELECT report_id FROM reports").fetchall()
        }


def test_a_range_that_is_cut_is_not_open(db: Database) -> None:
    ranges = f"SELECT range_id, (start_ns + end_ns) // 2 FROM nvtx_ranges WHERE report_id = {db.report_ids('train_good')[0]}"
    range_id, middle = db.sql(f"{ranges} ORDER BY end_ns - start_ns DESC LIMIT 1").fetchall()[0]
    with db.window(None, middle, ["train_good"]) as shown:
        row = f"SELECT is_open, end_ns, recorded_end_ns FROM nvtx_ranges WHERE range_id = {range_id}"
        assert shown.sql(row).fetchall() == [(False, middle, middle)]
        assert shown.sql("SELECT count(*) FROM nvtx_ranges WHERE is_open").fetchall() == [(0,)]


def test_work_called_for_before_the_window_is_said(db: Database) -> None:
    op, launch = db.sql(
        "SELECT start_ns, launch_start_ns FROM kernel_launches WHERE queue_ns > 1000 AND report_id = "
        f"{db.report_ids('backpressure')[0]} ORDER BY queue_ns DESC LIMIT 1"
    ).fetchall()[0]
    view = db.catalog.get("kernel_launches")
    with db.window(op - 1, None, ["backpressure"]) as shown:
        reason = "SELECT reason, call_id FROM kernel_launches ORDER BY start_ns LIMIT 1"
        assert shown.sql(reason).fetchall() == [("call_not_recorded", None)]
        shown.answer(view)
        assert any("were called for outside of it" in note for note in shown.bewares(view))
    with db.window(launch, None, ["backpressure"]) as shown:
        kernel = f"SELECT call_id IS NOT NULL FROM kernel_launches WHERE start_ns = {op}"
        assert shown.sql(kernel).fetchall() == [(True,)]


def test_what_is_traced_and_empty_in_the_window_is_said(db: Database) -> None:
    view = db.catalog.get("kernel_sum")
    with db.window(0, 1000, ["train_bad"]) as shown:
        assert shown.answer(view).notes("kernel_sum") == ["kernel_sum: traced, nothing happened in the window in train_bad"]
        assert shown.query("kernel_sum").fetchall() == []
    with db.window(0, 1000, ["nocuda"]) as shown, pytest.raises(CannotAnswerError):
        shown.query("kernel_sum")


def test_query_takes_a_window(db: Database) -> None:
    whole = db.query("gpu_busy", reports=["tiny"]).fetchall()[0]
    columns = db.query("gpu_busy").columns
    end = whole[columns.index("last_end_ns")]
    part = db.query("gpu_busy", reports=["tiny"], from_ns=0, to_ns=end, where="gpu_id = 0").fetchall()[0]
    assert part[columns.index("capture_ns")] == end
    assert part[columns.index("tail_ns")] == 0
    assert part[columns.index("busy_ns")] == whole[columns.index("busy_ns")]


UNCUT = (
    "FROM v1.gaps",
    'FROM "main" . gaps',
    "FROM raw.NVTX_EVENTS",
    "SELECT 1 FROM my.thing",
    "FROM RAW.NVTX_EVENTS",
    "FROM nsysql.kernels",
    "FROM query_table('main.gaps')",
    "FROM v1.interval_union('kernels')",
    "DESCRIBE main.gaps",
)


@pytest.mark.parametrize("query", UNCUT)
def test_what_no_window_cuts_is_refused(db: Database, query: str) -> None:
    with db.window(0, SECOND) as shown, pytest.raises(UsageError, match="without a schema"):
        shown.sql(query)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("SELECT count(*) FROM {} WHERE short_name <> 'main.forward'", id="a text like a name with a schema"),
        pytest.param("SELECT count(v1.dur_ns) FROM {} AS v1", id="an alias like a schema"),
        pytest.param('SELECT count(*) FROM temp."{}"', id="the temporary schema, quoted"),
    ],
)
def test_names_are_cut_however_they_are_written(db: Database, query: str) -> None:
    end = db.sql("SELECT median(start_ns)::BIGINT FROM kernels").fetchall()[0][0]
    expect = db.sql(f"SELECT count(*) FROM kernels WHERE start_ns < {end}").fetchall()
    assert 0 < expect[0][0] < db.sql("SELECT count(*) FROM kernels").fetchall()[0][0]
    for name in ("KERNELS", "Kernels", "kernels"):
        with db.window(0, end) as shown:
            assert shown.sql(query.format(name)).fetchall() == expect, name


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ((5, 5), "is empty"),
        ((SECOND, 5), "from 1 s to 0.000000005 s is empty"),
        ((10**14, None), "outside of the capture: .*tiny: 0 s to "),
        ((0, 0), "is empty"),
        ((None, 0), "outside of the capture"),
    ],
)
def test_windows_that_are_none(db: Database, edges: tuple[int | None, int | None], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        db.window(*edges)


@pytest.mark.parametrize(
    ("text", "time_ns"),
    [("1.5", 1_500_000_000), ("1500ms", 1_500_000_000), ("20us", 20_000), ("7ns", 7), ("0", 0), (".25 s", 250_000_000)],
)
def test_times(text: str, time_ns: int) -> None:
    assert window.nanoseconds(text) == time_ns


@pytest.mark.parametrize("text", ["", "-1", "1m", "1.5ns", "nan", "1e3", "1,5", "99999999999"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError, match="a time on the report's axis is wanted"):
        window.nanoseconds(text)


def test_own_views_are_cut_too(database_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "copy.duckdb"
    shutil.copy(database_path, path)
    head = "-- Work.\n--\n-- @version 1\n-- @grain   report_id\n-- @column  report_id INTEGER id Report.\n"
    text = (
        head
        + "-- @column  {0} BIGINT {1} It.\n-- @example SELECT 1 FROM {2}\nSELECT report_id, {3} AS {0} FROM {4} GROUP BY ALL\n"
    )
    own = tmp_path / "views"
    own.mkdir()
    sql = "CAST(sum(dur_ns) AS BIGINT)"
    (own / "own_kernel_time.sql").write_text(text.format("dur_ns", "ns", "own_kernel_time", sql, "kernels"))
    (own / "rows_of_nvtx.sql").write_text(text.format("event_count", "count", "rows_of_nvtx", "count(*)", "raw.NVTX_EVENTS"))
    (own / "pinned.sql").write_text(text.format("dur_ns", "ns", "pinned", sql, "v1.kernels"))
    with nsysql.open(path, views=own) as db, db.window(0, 4 * SECOND, ["train_bad"]) as shown:
        assert (
            shown.sql("FROM own_kernel_time").fetchall()
            == shown.sql("SELECT report_id, sum(dur_ns) FROM kernels GROUP BY 1").fetchall()
        )
        assert shown.bewares(db.catalog.get("own_kernel_time")) == []
        shown.sql("FROM rows_of_nvtx")
        assert shown.bewares(db.catalog.get("rows_of_nvtx")) == [
            "rows_of_nvtx reads raw tables, and they are not cut to the window"
        ]
        with pytest.raises(UsageError, match=r"names v1\.kernels"):
            shown.sql("FROM pinned")


def test_the_file_and_its_folder_stay_as_they_are(database_path: Path, tmp_path: Path) -> None:
    before = hashlib.sha256(database_path.read_bytes()).hexdigest(), sorted(database_path.parent.iterdir())
    with nsysql.open(database_path) as db:
        rows_of_window = db.query("kernel_launches", from_ns=SECOND, to_ns=4 * SECOND)
        whole = db.query("kernel_launches").fetchall()
        assert 0 < len(rows_of_window.fetchall()) < len(whole)
        written = db.window(SECOND, 4 * SECOND).export(tmp_path, ["gaps"])
        assert written[0][1] == len(db.query("gaps", from_ns=SECOND, to_ns=4 * SECOND).fetchall())
    after = hashlib.sha256(database_path.read_bytes()).hexdigest(), sorted(database_path.parent.iterdir())
    assert after == before


def test_the_command_line_takes_a_window(database_path: Path) -> None:
    at = "--db", str(database_path), "-r", "train_bad"
    done = run("query", "gpu_busy", "--from", "1.5", "--to", "1600ms", *at, "-f", "jsonl")
    assert (done.returncode, '"capture_ns":100000000' in done.stdout.replace(" ", "")) == (0, True)
    done = run("query", "gaps", "--to", "1us", *at)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    assert done.stderr == "nsysql: gaps: traced, nothing happened in the window in train_bad\n"
    query = "SELECT count(*) AS n FROM reports WHERE capture_end_ns = 5"
    assert run("sql", query, "--to", "5ns", "--db", database_path).stdout == f"n\n{len(EXPORTS)}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--from", "2", "--to", "1"], "the window from 2 s to 1 s is empty"),
        (["--from", "99", "--to", "100"], "the window from 99 s to 100 s lies outside of the capture: train_bad: 0 s to "),
        (["--from", "soon"], "soon: a time on the report's axis is wanted"),
        (["--to", "1ms", "--where", "gap_id IN (SELECT gap_id FROM v1.gaps)"], "without a schema"),
    ],
)
def test_what_is_wrong_with_a_window_is_said(database_path: Path, options: list[str], message: str) -> None:
    done = run("query", "gaps", "-r", "train_bad", "--db", database_path, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_others_read_the_file_at_the_same_time(database_path: Path) -> None:
    with nsysql.open(database_path) as db, db.window(0, SECOND) as shown:
        shown.sql("FROM gaps")
        assert run("query", "gaps", "--from", "0.5", "--db", database_path).returncode == 0
