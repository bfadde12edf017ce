"""verdicts on rows that can be checked by eye: each one at its threshold and just below it."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from nsysql.connect import SETTINGS

from tests.blueprint import build

BELOW = (
    "idle_by_cause", "gpu_busy", "trace_states", "gpu_ops", "_application_ranges", "api_calls", "_op_calls", "reports", "diagnostics",
    "graph_launches", "cpu_samples", "_nvtx_rows", "kernel_families", "memcpys", "_api_rows", "comm_overlap",
    "_busy_in_calls",
)  # fmt: skip
MS = 1_000_000
ACTIVE = "report_id,gpu_id,op_count,busy_ns,active_ratio,op_dur_ns,first_start_ns,last_end_ns,lead_in_ns,tail_ns,capture_ns\n"
BUSY = ACTIVE + "1,0,9,500000,0.5,400000,0,1000000,0,0,1000000"
IDLE = "report_id,gpu_id,process_id,position,nvtx_path,cause,name,gap_count,idle_ns,longest_ns\n"


def found(columns: str = "verdict", **rows: str) -> list[Any]:
    """Columns of the verdicts on rows of the views below; a view that is not given has none."""
    given = {name: rows.get(name, "report_id\n") for name in BELOW} | ({"gpu_busy": BUSY} if "gpu_busy" not in rows else {})
    with duckdb.connect(config=SETTINGS) as con:
        build(con, given, "report_id\n1\n2", "SELECT * FROM verdicts")
        got = con.sql(f"SELECT {columns} FROM verdicts ORDER BY report_id, place").fetchall()
    return [row[0] if len(row) == 1 else row for row in got]


def idle(
    cause: str, idle_ns: int, gaps: int, name: str = "", path: str = "", longest: int = 1, position: str = "between"
) -> str:
    return IDLE + f"1,0,7,{position},{path},{cause},{name},{gaps},{idle_ns},{longest}"


@pytest.mark.parametrize(
    ("cause", "verdict", "least_ns", "least_gaps", "doing"),
    [
        ("host_code", "gpu_starved", 30_000, 1, "the launching thread was in no CUDA call, in step_*/data"),
        ("os_call", "gpu_starved", 30_000, 1, "the launching thread was blocked in f, in step_*/data"),
        ("sync", "sync_in_loop", 10_000, 5, "the launching thread waited in f, in step_*/data"),
        ("blocking_copy", "blocking_copies", 10_000, 5, "the launching thread waited in f, in step_*/data"),
        ("alloc", "allocation_in_loop", 10_000, 5, "memory was allocated or freed by f, in step_*/data"),
        ("module_load", "lazy_loading", 10_000, 1, "code was loaded, compiled or launched for the first time"),
        ("first_use", "lazy_loading", 10_000, 1, "code was loaded, compiled or launched for the first time"),
        ("launch", "launch_bound", 50_000, 100, "launches were on their way"),
        ("gpu_dispatch", "launch_bound", 50_000, 100, "launches were on their way"),
        ("cuda", "cuda_calls", 30_000, 5, "the launching thread was in f, in step_*/data"),
        ("dependency", "gpu_dependency", 30_000, 1, "the next operation was launched already and waited for something else"),
        ("profiler_overhead", "profiler_overhead", 10_000, 1, "the profiler did work of its own on the launching thread"),
        ("unknown", "launches_not_recorded", 30_000, 1, "it is not known what the CPU did: what came next has no call in the trace"),
    ],
)  # fmt: skip
def test_idle_time_at_its_threshold(cause: str, verdict: str, least_ns: int, least_gaps: int, doing: str) -> None:
    rows = (cause, least_ns, least_gaps, "f", "step_*/data")
    percent = least_ns / 10_000
    assert found("verdict, sentence, at_stake_ns, whole_ns, topic", idle_by_cause=idle(*rows)) == [
        (verdict, f"GPU 0 idled {least_ns / 1000:.1f} µs ({percent:.1f} % of its active time) while {doing}.", least_ns, 10**6, "idle")
    ]  # fmt: skip
    assert found(idle_by_cause=idle(cause, least_ns - 1, *rows[2:])) == []
    if least_gaps > 1:
        assert found(idle_by_cause=idle(cause, least_ns, least_gaps - 1, *rows[3:])) == []
    assert found(idle_by_cause=idle(*rows, position="lead_in")) == []


def test_causes_of_one_verdict_add_up_and_ranges_do_not() -> None:
    two = idle("module_load", 6000, 1, path="a") + "\n1,0,8,between,b,first_use,f,2,5000,4000"
    assert found("verdict, evidence", idle_by_cause=two) == [
        ("lazy_loading", {"idle_ns": 11000, "active_ns": 10**6, "part_count": 3, "longest_ns": 4000})
    ]
    assert found(idle_by_cause=idle("sync", 9000, 9, "f", "a") + "\n1,0,7,between,b,sync,f,9,9000,1") == []
    one = idle("sync", 9000, 9, "f", "a") + "\n1,0,8,between,a,sync,f,9,9000,1"
    assert found("evidence['idle_ns']", idle_by_cause=one) == [18000]


@pytest.mark.parametrize(
    ("longest", "said"),
    [
        (60_000, ", all in one gap) while"),
        (59_400, ", nearly all in one gap) while"),
        (59_399, ", 59.4 µs of it in one gap) while"),
        (30_000, ", 30.0 µs of it in one gap) while"),
        (29_999, "active time) while"),
    ],
)
def test_one_long_gap_is_told_from_many(longest: int, said: str) -> None:
    ((sentence, action),) = found("sentence, action", idle_by_cause=idle("host_code", 60_000, 2, longest=longest))
    assert said in sentence
    assert sentence.endswith(", outside of NVTX ranges.")
    assert ("If that gap is set-up" in action) == (longest >= 30_000)


@pytest.mark.parametrize(
    ("state", "doing", "is_advised"),
    [
        ("recorded", "ran code of its own", False),
        ("none", "ran code of its own", False),
        ("not_traced", "was in no CUDA call", True),
        ("unknown", "was in no CUDA call", True),
    ],
)
def test_host_code_is_certain_only_if_os_calls_were_traced(state: str, doing: str, is_advised: bool) -> None:
    states = f"report_id,source,state\n1,osrt_calls,{state}"
    ((sentence, action),) = found("sentence, action", idle_by_cause=idle("host_code", 60_000, 9), trace_states=states)
    assert f"the launching thread {doing}," in sentence
    assert ("--trace=osrt" in action) == is_advised


@pytest.mark.parametrize(
    ("lead_in", "tail", "is_found", "clock"),
    [
        (900 * MS, 100 * MS, True, "by the clock: --duration=4 --kill=none."),
        (900 * MS, 100 * MS - 1, False, ""),
        (1900 * MS, 0, True, "by the clock: --delay=1 --duration=3 --kill=none."),
    ],
)
def test_capture_window(lead_in: int, tail: int, is_found: bool, clock: str) -> None:
    capture = 4000 * MS
    gpus = [(0, lead_in, tail), (1, lead_in + 7, tail + 7)]
    busy = ACTIVE + "\n".join(f"1,{g},1,1,0,1,0,9,{a},{b},{capture}" for g, a, b in gpus)
    got = found("verdict, at_stake_ns, whole_ns, severity, action", gpu_busy=busy)
    assert [row[:4] for row in got] == [("capture_window", lead_in + tail, capture, "high")] * is_found
    assert all(row[4].endswith(clock) for row in got)
    short = ACTIVE + f"1,0,1,1,0,1,0,9,{900 * MS},{100 * MS - 1},{1500 * MS}"
    assert found(gpu_busy=short) == []
    assert found(gpu_busy=ACTIVE + f"1,0,1,1,0,1,0,9,{lead_in},,") == []


@pytest.mark.parametrize(
    ("state", "said", "trace"),
    [("recorded", "", False), ("none", "", False), ("unknown", "", True), ("not_traced", ", as NVTX was not traced", True)],
)
def test_no_nvtx(state: str, said: str, trace: bool) -> None:
    ops = "report_id,op_id,process_id,dur_ns\n1,8,7,100\n1,16,9,300000"
    states = f"report_id,source,state\n1,nvtx_ranges,{state}"
    rows = {"gpu_ops": ops, "trace_states": states}
    annotated = "report_id,range_id,process_id\n1,1,9"
    ((sentence, action, at_stake),) = found("sentence, action, at_stake_ns", **rows, _application_ranges=annotated)
    assert sentence == (
        f"1 GPU operation (100 ns of work) in processes without NVTX ranges of their own{said}: "
        "nothing tells which part of the program launched what."
    )
    assert (at_stake, "--trace=cuda,nvtx" in action) == (100, trace)
    assert found("severity, whole_ns", **rows) == [("high", 400_000)]
    assert found(**rows, _application_ranges=annotated + "\n1,2,7") == []


def launches(missing: int, more: str = "", name: str = "cudaLaunchKernel", result: int = 0) -> dict[str, str]:
    """200 launches of which some have no kernel."""
    calls = [f"1,{i},5,{name},{i * 10},false,{result}" for i in range(1, 201)]
    return {
        "api_calls": "report_id,call_id,thread_id,name,start_ns,is_nested,result\n" + "\n".join([*calls, more]),
        "_op_calls": "report_id,op_id,call_id\n" + "\n".join(f"1,{i * 8},{i}" for i in range(missing + 1, 201)),
        "reports": "report_id,duration_ns,cuda_driver_version,capture_version,export_version\n1,5000,12040,2023.4.4,2025.1",
    }


def test_trace_incomplete() -> None:
    assert found("verdict, severity, sentence", **launches(10)) == [
        (
            "trace_incomplete",
            "high",
            "10 of 200 kernel launches without a kernel in the trace (driver for CUDA 12.4, recorded by nsys 2023.4.4): "
            "GPU times are of what is left.",
        )
    ]
    assert found(**launches(9)) == []
    assert found(**launches(10, name="cudaMemcpyAsync")) == []
    assert found(**launches(10, result=1)) == []


def test_a_launch_into_a_graph_that_is_captured_runs_nothing() -> None:
    begin, end = "1,301,5,cudaStreamBeginCapture_v2,1,false,0", "1,302,5,cudaStreamEndCapture_v2,105,false,0"
    names = [begin.replace("_v2", ""), end.replace("_v2", "")]
    assert found(**launches(10, "\n".join(names))) == []
    other_thread = [n.replace(",5,", ",6,", 1) for n in names]
    assert found(**launches(10, "\n".join(other_thread))) == ["trace_incomplete"]
    ended = names[1].replace(",105,", ",5,")
    assert found(**launches(10, "\n".join([names[0], ended]))) == ["trace_incomplete"]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["warning,late", "info,x"], "1 warning about this capture; the first: late"),
        (["error,two\twords", "warning,b", "warning,c"], "1 error and 2 warnings about this capture; the first: two words"),
        (["error," + "x" * 201], "1 error about this capture; the first: " + "x" * 197 + "..."),
        (["error," + "x" * 200], "1 error about this capture; the first: " + "x" * 200),
    ],
)
def test_nsys_complains(messages: list[str], said: str) -> None:
    rows = "report_id,diagnostic_id,severity,text\n" + "\n".join(f"1,{i},{m}" for i, m in enumerate(messages))
    assert found("severity, sentence", diagnostics=rows) == [("medium", f"nsys gave {said}")]
    assert found(diagnostics="report_id,diagnostic_id,severity,text\n1,1,info,fine") == []


def test_graph_mode() -> None:
    graphs = "report_id,op_id,start_ns,dur_ns,is_expanded\n1,3,5,1000,false\n1,11,50,2000,false\n1,19,90,77,true\n1,27,,,false"
    assert found("verdict, evidence", graph_launches=graphs) == [("graph_mode", {"graph_launch_count": 2, "graph_ns": 3000})]
    ((sentence,),) = [(s,) for s in found("sentence", graph_launches=graphs)]
    assert sentence.startswith("2 launches of CUDA graphs (3.00 µs of GPU time) traced as one operation each")
    assert found(graph_launches="report_id,op_id,start_ns,dur_ns,is_expanded\n1,19,90,77,true") == []


@pytest.mark.parametrize(("span_ms", "is_found"), [(4, True), (3, False)])
def test_cpu_samples_thin(span_ms: int, is_found: bool) -> None:
    times = [0, MS, 2 * MS + 1, span_ms * MS]
    rows = "report_id,sample_id,time_ns,is_sample\n" + "\n".join(
        f"1,{i},{t},true" for i, t in enumerate([*times[:2], times[3]])
    )
    other = f"{rows}\n1,9,{times[2]},false"
    got = found("verdict, severity, at_stake_ns", cpu_samples=other, reports=f"report_id,duration_ns\n1,{9 * MS}")
    assert got == [("cpu_samples_thin", "low", None)] * is_found


def steps(lengths: list[int], names: list[str], pause: int = 0) -> dict[str, str]:
    """Ranges of one thread, one after the other."""
    starts = [sum(lengths[:i]) + i * pause for i in range(len(lengths))]
    spans = [(i, s, s + n) for i, (s, n) in enumerate(zip(starts, lengths))]
    return {
        "_application_ranges": "report_id,range_id,process_id,thread_id,domain_id,start_ns,end_ns,depth,is_open,name\n"
        + "\n".join(f"1,{i},7,5,0,{a},{b},0,false,{names[i]}" for i, a, b in spans),
        "_nvtx_rows": "report_id,range_id,name\n" + "\n".join(f"1,{i},{names[i]}" for i, *_ in spans),
    }


def test_warmup_in_window() -> None:
    names = [f"step_{i}" for i in range(5)]
    assert found("verdict, sentence, at_stake_ns", **steps([3 * MS, 2 * MS, 2 * MS, 2 * MS, 2 * MS], names)) == []
    assert found("sentence", **steps([3 * MS, *[2 * MS - 2] * 4], names)) == [
        "The first of the 5 ranges step_* took 1.00 ms more than the usual 2.00 ms: warm-up."
    ]
    two = steps([9 * MS, 7 * MS, *[2 * MS] * 4], [*names, "step_5"])
    assert found("sentence, at_stake_ns", **two) == [
        ("The first 2 of the 6 ranges step_* took 12.0 ms more than the usual 2.00 ms each: warm-up.", 12 * MS)
    ]
    (action,) = found("action", **two)
    assert "Leave them out" in action and "after step_1:" in action
    (action,) = found("action", **steps([9 * MS, *[2 * MS] * 4], ["step"] * 5))
    assert "Leave it out" in action and "after it:" in action
    short = [1_600_000, *[MS] * 4]
    assert found(**steps(short, names)) == []


def test_ranges_that_are_no_loop_have_no_warmup() -> None:
    lengths, names = [9 * MS, *[2 * MS] * 4], [f"step_{i}" for i in range(5)]
    assert found(**steps(lengths, names, pause=2 * MS)) == ["warmup_in_window"]
    assert found(**steps(lengths, names, pause=3 * MS)) == []


@pytest.mark.parametrize(
    ("ratio", "busy", "expect"), [(0.95, MS, ["gpu_saturated"]), (0.94999, MS, []), (0.95, MS - 1, [])]
)  # fmt: skip
def test_gpu_saturated(ratio: float, busy: int, expect: list[str]) -> None:
    assert found(gpu_busy=ACTIVE + f"1,0,9,{busy},{ratio},1,0,{2 * MS},0,0,{2 * MS}") == expect


@pytest.mark.parametrize(
    ("precision", "cores", "dur", "expect"),
    [
        ("fp32", "no", 50, ["fp32_gemm_off_tensor_cores"]),
        ("fp32", "no", 49, []),
        ("fp32", "unknown", 500, []),
        ("tf32", "yes", 500, []),
        ("fp64", "no", 500, []),
    ],
)
def test_fp32_gemm_off_tensor_cores(precision: str, cores: str, dur: int, expect: list[str]) -> None:
    families = "report_id,gpu_id,family,precision,tensor_cores,kernel_count,dur_ns\n"
    rows = (
        families + f"1,0,gemm,{precision},{cores},3,{dur}\n1,0,elementwise,fp32,no,9,{1000 - dur}\n1,1,elementwise,,no,1,9000"
    )
    assert found(kernel_families=rows) == expect


@pytest.mark.parametrize(("dur", "expect"), [(200_000, "high"), (199_999, "medium"), (49_999, "low")])
def test_matrix_products_weigh_as_much_as_they_are_of_the_active_time(dur: int, expect: str) -> None:
    families = "report_id,gpu_id,family,precision,tensor_cores,kernel_count,dur_ns\n"
    assert found("severity, whole_ns", kernel_families=families + f"1,0,gemm,fp32,no,3,{dur}") == [(expect, MS)]


@pytest.mark.parametrize(
    ("count", "call_ns", "kind", "expect"),
    [
        (10, 200, "pageable", ["pageable_copies"]),
        (9, 9000, "pageable", []),
        (10, 199, "pageable", []),
        (10, 9000, "pinned", []),
        (10, 9000, "", []),
    ],
)
def test_pageable_copies(count: int, call_ns: int, kind: str, expect: list[str]) -> None:
    copies = [f"1,{i},HtoD,{kind},device,100000,5" for i in range(count)] + [
        f"1,{i + 99},DtoD,pageable,device,1,9999" for i in range(9)
    ]
    rows = {
        "memcpys": "report_id,op_id,direction,src_kind,dst_kind,size_bytes,dur_ns\n" + "\n".join(copies),
        "_op_calls": "report_id,op_id,call_id\n" + "\n".join(f"1,{i},{i + 50}" for i in range(count)),
        "_api_rows": "report_id,call_id,dur_ns\n" + "\n".join(f"1,{i + 50},{call_ns}" for i in range(count)),
    }
    assert found(**rows) == expect
    if expect:
        ((sentence, action),) = found("sentence, action", **rows)
        assert sentence == (
            "10 copies from pageable host memory (1.00 MB): 50 ns on the GPU, 2.00 µs in the calls, with what they waited for."
        )
        assert action.startswith("Pin the host memory")


def test_a_call_of_several_pageable_copies_counts_once() -> None:
    rows = {
        "memcpys": "report_id,op_id,direction,src_kind,dst_kind,size_bytes,dur_ns\n"
        + "\n".join(f"1,{i},HtoD,pageable,device,100000,5" for i in range(12)),
        "_op_calls": "report_id,op_id,call_id\n" + "\n".join(f"1,{i},{50 + i // 6}" for i in range(12)),
        "_api_rows": "report_id,call_id,dur_ns\n1,50,3000\n1,51,4000",
    }
    assert found("at_stake_ns", **rows) == [7000]


def test_small_pageable_copies_of_unknown_calls() -> None:
    copies = "\n".join(f"1,{i},DtoH,device,pageable,4,500" for i in range(10))
    rows = {"memcpys": "report_id,op_id,direction,src_kind,dst_kind,size_bytes,dur_ns\n" + copies}
    ((sentence, action),) = found("sentence, action", **rows)
    assert sentence == "10 copies to pageable host memory (40 B): 5.00 µs on the GPU, the calls were not recorded."
    assert action.startswith("They are small")


def test_exposed_communication() -> None:
    overlap = "report_id,gpu_id,comm_ns,exposed_ns,exposed_ratio,compute_ns\n1,0,20000,{},0.5,7"
    assert found("verdict, sentence", comm_overlap=overlap.format(10_000)) == [
        (
            "exposed_communication",
            "GPU 0 communicated for 10.0 µs with no compute beside it (1.0 % of its active time, 50 % of its communication).",
        )
    ]
    assert found(comm_overlap=overlap.format(9_999)) == []


def test_queue_full() -> None:
    calls = (
        "report_id,call_id,class,dur_ns,is_nested\n1,1,queue_full,{},false\n1,2,queue_full,9000000,true\n1,3,idle,9000000,false"
    )
    assert found("severity, evidence", _busy_in_calls=calls.format(MS)) == [("good", {"launch_count": 1, "wait_ns": MS})]
    assert found(_busy_in_calls=calls.format(MS - 1)) == []


def test_severity_is_the_share_and_the_place_goes_by_time() -> None:
    shares = {"a": 200_000, "b": 199_999, "c": 50_000, "d": 49_999}
    rows = "\n".join(f"{r},0,7,between,{path},host_code,,9,{ns},1" for r in (1, 2) for path, ns in shares.items())
    busy = BUSY + "\n2,0,9,500000,0.5,400000,0,1000000,0,0,1000000"
    diagnostics = "report_id,diagnostic_id,severity,text\n1,1,error,x\n2,1,error,x"
    got = found("report_id, place, severity, at_stake_ns", idle_by_cause=IDLE + rows, gpu_busy=busy, diagnostics=diagnostics)
    severities = ["high", "medium", "medium", "low", "medium"]
    assert got == [(r, i + 1, s, n) for r in (1, 2) for i, (s, n) in enumerate(zip(severities, [*shares.values(), None]))]
