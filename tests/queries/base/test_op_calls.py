"""_op_calls against a loop over the source rows: the call of each operation, its place among them, how many bear the number."""

from __future__ import annotations

from collections import Counter, defaultdict

from tests.brute import api_calls, gpu_ops
from tests.brute_attribution import call_of_ops
from tests.queries.conftest import Traced, each_export


@each_export("families", "memcpy", "um_faults", "mpi_openacc_4proc", "saxpy_mpi_2022_2", "jetson_2024_5", "nccl_payload_2026_2")
def test_equals_a_loop(traced: Traced) -> None:
    call_of = call_of_ops(traced.export)
    bearers = Counter((c["process"], c["correlationId"]) for c in api_calls(traced.export))
    ops = {op["op_id"]: op for op in gpu_ops(traced.export)}
    of_call = defaultdict(list)
    for op in sorted(call_of, key=lambda number: (ops[number]["start"], number)):
        of_call[call_of[op]].append(op)
    expected = [
        (op, call, of_call[call].index(op) + 1, bearers[ops[op]["globalPid"], ops[op]["correlationId"]])
        for op, call in sorted(call_of.items())
    ]
    assert traced.rows("_op_calls", "op_id, call_id, op_number, call_count") == expected
