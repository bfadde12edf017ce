"""Rules of kernel families: what the shipped ones make of known names, and the user's own file."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import nsysql
import pytest
from nsysql import families
from nsysql.catalog import load_catalog
from nsysql.errors import UsageError
from nsysql.families import COLUMNS, Rule, read_rules, shipped_file, shipped_rules
from nsysql.install import create_tables

from tests.brute import rules
from tests.conftest import FIXTURES

NAMES = Path(__file__).parent / "kernel_names.txt"
Known = tuple[str, list[str | None]]


def known_names() -> list[Known]:
    """(name, [family, operation, precision, tensor cores]) of every line of kernel_names.txt."""
    lines = [line.split(" | ", 1) for line in NAMES.read_text().splitlines() if not line.startswith("#")]
    return [(name, [None if word == "-" else word for word in said.split()]) for said, name in lines]


def classified(names: list[str], own: list[Rule] | None = None) -> dict[str, dict[str, Any]]:
    """What nsysql makes of names: the row of kernel_names of each."""
    with duckdb.connect() as con:
        create_tables(con)
        con.execute("CREATE SCHEMA s; CREATE TABLE s._kernel_names (report_id INTEGER, name_id BIGINT, name VARCHAR)")
        con.executemany("INSERT INTO s._kernel_names VALUES (1, ?, ?)", list(enumerate(names)))
        families.keep_rules(con, own or [])
        families.classify(con, "s")
        result = con.execute("SELECT name, n.* FROM nsysql_meta.kernel_names n JOIN s._kernel_names USING (report_id, name_id)")
        columns = [c[0] for c in result.description or ()]
        return {row[0]: dict(zip(columns, row)) for row in result.fetchall()}


@pytest.fixture(scope="module")
def shipped() -> dict[str, dict[str, Any]]:
    return classified([name for name, _ in known_names()])


@pytest.mark.parametrize("known", known_names(), ids=lambda k: k[0][:70])
def test_what_a_name_means(shipped: dict[str, dict[str, Any]], known: Known) -> None:
    name, answer = known
    row = shipped[name]
    assert [row[column] for column in COLUMNS[1:]] == answer, f"by line {row['line']}: {row['pattern']}"


def test_every_rule_has_a_name_for_which_it_is_the_first(shipped: dict[str, dict[str, Any]]) -> None:
    used = {row["line"] for row in shipped.values()}
    assert [rule for rule in shipped_rules() if rule["line"] not in used] == []
    assert len(shipped) >= 120


NO_FAMILY = (
    "GrayscaleKernel(uchar4 *, uchar4 *, int, int)", "void I420ToRGB<uchar4, (bool)0>(unsigned char *, int)", "vadd", "main_60_gpu",
    "plotHistogramKernel(int *)", "summary_kernel", "apply_quantum_gate(double2*)", "distribution_streaming", "energy_loss(float*)",
    "flip_spins", "importance_sampling(float*)", "europe_option(float*)", "void sim::step<gemm, softmax_warp_forward>(attention*)",
)  # fmt: skip


COLLECTIVES = (
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)",
    "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)",
    "ncclKernel_AllReduce_RING_LL_Sum_half(ncclDevComm *, unsigned long, ncclWork *)",
    "ncclAllReduceRingLLKernel_sum_f32(ncclColl)",
    "ncclSymDevKernel_AllGather_LL(ncclSymDevArgs)",
    "ncclSymkDevKernel_ReduceScatter_LD_Sum_bf16(ncclSymkDevWorkArgs4K)",
    "void nvshmemi_barrier_on_stream_kernel<1>(int)",
    "void nvshmem::barrier_all_kernel(int)",
    "void deep_ep::intranode::dispatch<(int)8, (int)768, (int)8192>(int4 *, float *)",
    "void deep_ep::internode_ll::combine<(bool)1, (int)7168>(void *)",
    "void deep_ep::intranode::cached_notify_combine<(int)8>(void **)",
    "void vllm::cross_device_reduce_1stage<__nv_bfloat16, (int)2>(vllm::RankData *)",
    "void sglang::cross_device_reduce_2stage<half, (int)8>(sglang::RankData *)",
    "void tensorrt_llm::kernels::oneShotAllReduceKernel<float, (int)8>(AllReduceParams)",
    "void tensorrt_llm::kernels::ar_fusion::allreduce_fusion_kernel_oneshot_lamport<(int)1>(AllReduceFusionParams)",
    "void c10d::(anonymous namespace)::two_shot_all_reduce_kernel<c10::BFloat16, (int)16>(c10::BFloat16 **)",
    "void <unnamed>::multimem_one_shot_all_reduce_kernel<float, (int)16>(float *)",
    "multimem_all_gather_kernel",
    "kuserbuffers_pushrecv(int, int, int *)",
)
NO_COLLECTIVES = (
    "void at::native::vectorized_elementwise_kernel<(int)4, at::native::ncclDevKernel_Like<float>>(int)",
    "void cub::DeviceReduceKernel<Policy, one_shot_all_reduce>(int)",
    "my_ncclDevKernel_free(float *)",
    "void deep_ep::layout::get_dispatch_layout<(int)256>(long const *)",
    "void moe::dispatch<float>(float *)",
    "void combine(float *)",
    "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16",
    "void reduce_kernel<512, 1, at::native::ReduceOp<float>>(at::native::ReduceOp<float>)",
)


def test_communication_is_told_by_the_name_of_the_function() -> None:
    found = classified([*COLLECTIVES, *NO_COLLECTIVES])
    assert [n for n in COLLECTIVES if found[n]["family"] != "collective"] == []
    assert [n for n in NO_COLLECTIVES if found[n]["family"] == "collective"] == []


def test_names_that_look_like_something_else_are_in_no_family() -> None:
    assert {name: row["family"] for name, row in classified(list(NO_FAMILY)).items()} == dict.fromkeys(NO_FAMILY)


def test_the_shipped_file_is_one_that_a_user_could_give() -> None:
    found = read_rules(shipped_file())
    assert found == list(shipped_rules())
    assert [(r["line"], [r[c] for c in COLUMNS[1:]]) for r in found] == [(line, answer) for _, line, answer in rules()]
    assert len({r["pattern"] for r in found}) == len(found)


def test_shipped_words_are_the_documented_ones() -> None:
    text = load_catalog().get("kernel_families").prose
    words = {r["family"] for r in shipped_rules()} | {r["precision"] for r in shipped_rules() if r["precision"]}
    assert {
        word
        for word in words
        if word not in text.replace(",", " ").replace(";", " ").replace(".", " ").replace(":", " ").split()
    } == set()


def test_only_matrix_work_has_a_precision_or_tensor_cores() -> None:
    for rule in shipped_rules():
        if rule["family"] not in ("gemm", "conv", "attention"):
            assert rule["precision"] is None, rule
            assert rule["tensor_cores"] == "no" or rule["family"] in ("triton", "rnn"), rule


def own(folder: Path, text: str) -> Path:
    path = folder / "rules.csv"
    path.write_text(text)
    return path


def test_the_first_rule_counts_and_own_ones_come_first(tmp_path: Path) -> None:
    path = own(
        tmp_path,
        "# mine\npattern,family,tensor_cores\n\nsimt,mine,no\n# not reached\nsimt_sgemm,second,yes\nnothing_of_the_kind,third,\n",
    )
    names = ["cutlass_80_simt_sgemm_64x64", "cutlass_80_simt_dgemm_64x64", "volta_sgemm_128x64_nn"]
    rows = classified(names, read_rules(path))
    assert [(rows[n]["is_own"], rows[n]["line"], rows[n]["family"], rows[n]["tensor_cores"]) for n in names] == [
        (True, 4, "mine", "no"),
        (True, 4, "mine", "no"),
        (False, rows[names[2]]["line"], "gemm", "no"),
    ]


def test_columns_may_stand_in_any_order_and_be_left_out(tmp_path: Path) -> None:
    rows = read_rules(own(tmp_path, '\ufefffamily,pattern\r\nmine,"a{1,2}, b"\r\n'))
    assert rows == [
        {"line": 2, "pattern": "a{1,2}, b", "family": "mine", "operation": None, "precision": None, "tensor_cores": "unknown"}
    ]


BAD = {
    "no pattern": (b"family,operation\nmine,x\n", "rules.csv:1: there is no column pattern"),
    "no family": (b"# of mine\npattern\nx\n", "rules.csv:2: there is no column family"),
    "misspelled": (b"pattern,family,tensor_core\nx,mine,yes\n", "rules.csv:1: column 'tensor_core' is not known"),
    "twice": (b"pattern,family,family\nx,mine,mine\n", "rules.csv:1: column 'family' is not known or is there twice"),
    "regex": (b"pattern,family\nx,mine\n(x,mine\n", "rules.csv:3: the pattern is no regular expression of RE2: missing"),
    "lookahead": (b"pattern,family\n(?!x)y,mine\n", "rules.csv:2: the pattern is no regular expression of RE2: invalid perl operator"),
    "answer": (b"pattern,family,tensor_cores\nx,mine,maybe\n", "rules.csv:2: tensor_cores is 'maybe'; it is one of yes, no, unknown"),
    "cells": (b"pattern,family\nx{1,2},mine\n", "rules.csv:2: has 3 cells, the header 2"),
    "empty pattern": (b"pattern,family\n,mine\n", "rules.csv:2: pattern is empty"),
    "empty family": (b"pattern,family\nx,\n", "rules.csv:2: family is empty"),
    "quotes": (b'pattern,family\nx,mine\n"x,mine\n', "rules.csv:3: is not CSV"),
    "binary": (b"pattern,family\n\xff\xfe\x00,mine\n", "rules.csv:2: is not text"),
    "zero bytes": (b"pattern,family\nx\x00,mine\n", "rules.csv:2"),
    "sqlite": (b"SQLite format 3\x00\x10\x00\n", "rules.csv:1"),
    "empty": (b"", "holds no rule. `--families none` removes"),
    "header alone": (b"pattern,family\n", "holds no rule"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_before_anything_is_ingested(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "rules.csv"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        nsysql.ingest([FIXTURES / "tiny.sqlite"], tmp_path / "x.duckdb", families=path)
    assert message in str(caught.value)
    assert not (tmp_path / "x.duckdb").exists()


@pytest.mark.parametrize("place", ["missing.csv", "."])
def test_no_file_there(tmp_path: Path, place: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        nsysql.set_families(tmp_path / place, tmp_path / "x.duckdb")


def mine(database: Path) -> list[tuple[str, str]]:
    """(report, family) of kernels that an own rule sorts."""
    query = "SELECT DISTINCT r.name, k.family FROM kernel_names k JOIN reports r USING (report_id) WHERE rule_source = 'own' ORDER BY ALL"
    with nsysql.open(database) as db:
        return db.sql(query).fetchall()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with tiny, and a file of rules for it."""
    nsysql.ingest([FIXTURES / "tiny.sqlite"], tmp_path / "x.duckdb")
    return tmp_path / "x.duckdb"


def test_own_rules_are_for_every_report_whenever_it_came(database: Path, tmp_path: Path) -> None:
    path = own(tmp_path, "pattern,family\nreduce_kernel,sums\nsgemm,products\n")
    (kept,) = nsysql.ingest([FIXTURES / "tiny.sqlite"], database, families=path)
    assert kept.action == "kept"
    assert mine(database) == [("tiny", "products"), ("tiny", "sums")]
    nsysql.ingest([FIXTURES / "train_bad.sqlite"], database)
    assert mine(database) == [("tiny", "products"), ("tiny", "sums"), ("train_bad", "products"), ("train_bad", "sums")]


def test_a_file_takes_the_place_of_the_earlier_one(database: Path, tmp_path: Path) -> None:
    assert nsysql.set_families(own(tmp_path, "pattern,family\nsgemm,products\nnever,x\n"), database) == families.FamiliesSet(
        2, (3,)
    )
    assert mine(database) == [("tiny", "products")]
    nsysql.set_families(own(tmp_path, "pattern,family\nreduce_kernel,sums\n"), database)
    assert mine(database) == [("tiny", "sums")]
    assert nsysql.set_families("none", database) == families.FamiliesSet(0, ())
    assert mine(database) == []
    with nsysql.open(database) as db:
        assert db.sql("SELECT count(*) FROM kernel_names WHERE family IS NULL").fetchall() == [(0,)]


def test_a_bad_file_leaves_the_earlier_one(database: Path, tmp_path: Path) -> None:
    nsysql.set_families(own(tmp_path, "pattern,family\nsgemm,products\n"), database)
    before = database.read_bytes()
    with pytest.raises(UsageError):
        nsysql.set_families(own(tmp_path, "pattern,family\n(,products\n"), database)
    assert database.read_bytes() == before


def test_the_same_file_again_changes_nothing(database: Path, tmp_path: Path) -> None:
    path = own(tmp_path, "pattern,family\nsgemm,products\n")
    nsysql.set_families(path, database)
    before = database.read_bytes()
    nsysql.set_families(path, database)
    assert database.read_bytes() == before


def test_rules_may_be_there_before_the_first_report(tmp_path: Path) -> None:
    database = tmp_path / "new.duckdb"
    nsysql.set_families("none", database)
    assert not database.exists()
    nsysql.set_families(own(tmp_path, "pattern,family\nsgemm,products\n"), database)
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database)
    assert mine(database) == [("tiny", "products")]


def test_own_rules_and_names_outlive_a_change_of_version(database: Path, tmp_path: Path) -> None:
    nsysql.set_families(own(tmp_path, "pattern,family\nsgemm,products\n"), database)
    with duckdb.connect(str(database)) as con:
        con.execute("UPDATE nsysql_meta.settings SET value = 'other' WHERE name = 'catalog'")
        con.execute("UPDATE nsysql_meta.kernel_names SET family = 'by rules of then'")
    assert mine(database) == [("tiny", "products")]
    with nsysql.open(database) as db:
        assert db.sql("SELECT DISTINCT family FROM kernel_names WHERE family LIKE 'by%'").fetchall() == []


def test_a_database_of_before_there_were_families(database: Path) -> None:
    with duckdb.connect(str(database)) as con:
        con.execute("DROP TABLE nsysql_meta.kernel_names")
        con.execute("CREATE TABLE nsysql_meta.keyed (name VARCHAR PRIMARY KEY, value VARCHAR)")
        con.execute("INSERT INTO nsysql_meta.keyed SELECT name, if(name = 'catalog', 'older', value) FROM nsysql_meta.settings")
        con.execute("DROP TABLE nsysql_meta.settings")
        con.execute("ALTER TABLE nsysql_meta.keyed RENAME TO settings")
    with nsysql.open(database) as db:
        assert db.sql("SELECT count(*) > 0, count(family) > 0 FROM kernel_names").fetchall() == [(True, True)]
    nsysql.ingest([FIXTURES / "pipeline.sqlite"], database)
    nsysql.set_families("none", database)


def test_dropped_and_replaced_reports_leave_no_names(database: Path) -> None:
    nsysql.ingest([FIXTURES / "train_bad.sqlite"], database)
    nsysql.ingest([FIXTURES / "tiny.sqlite"], database, replace=True)
    nsysql.drop("train_bad", database)
    with nsysql.open(database) as db:
        query = "SELECT report_id, count(*), count(DISTINCT name_id) FROM nsysql_meta.kernel_names GROUP BY 1"
        ((report, rows, names),) = db.sql(query).fetchall()
        assert (report, rows) == (1, names)


def test_another_set_of_shipped_rules_is_another_catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nsysql import catalog

    before = catalog.Catalog.read(shipped_file().parent).fingerprint
    changed = tmp_path / "kernel_families.csv"
    shutil.copy(shipped_file(), changed)
    with changed.open("a") as file:
        file.write("one_more,other,,,no\n")
    monkeypatch.setattr(catalog, "shipped_file", lambda: changed)
    assert catalog.Catalog.read(shipped_file().parent).fingerprint != before


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "nsysql", *arguments], cwd=folder, capture_output=True, text=True)


def test_on_the_command_line(tmp_path: Path) -> None:
    own(tmp_path, "pattern,family\nsgemm,products\nnever,x\n")
    done = run(tmp_path, "ingest", str(FIXTURES / "tiny.sqlite"), "--families", "rules.csv")
    assert done.returncode == 0, done.stderr
    assert "2 own rules for kernel families in nsysql.duckdb" in done.stderr
    assert "rules.csv: of the kernels in nsysql.duckdb none goes by the rule in line 3" in done.stderr
    done = run(tmp_path, "query", "kernel_families", "--where", "family = 'products'")
    assert len(done.stdout.splitlines()) == 2
    done = run(tmp_path, "ingest", "--families", "none")
    assert (done.returncode, done.stderr) == (0, "nsysql: 0 own rules for kernel families in nsysql.duckdb\n")
    assert len(run(tmp_path, "query", "kernel_families", "--where", "family = 'products'").stdout.splitlines()) == 1
    done = run(tmp_path, "ingest", "--families", "missing.csv", str(FIXTURES / "nocuda.sqlite"))
    assert (done.returncode, "missing.csv: cannot be read" in done.stderr) == (2, True)
    done = run(tmp_path, "ingest")
    assert (done.returncode, "no report was given" in done.stderr) == (2, True)
