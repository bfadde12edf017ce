"""Made-up copies and memsets with the calls that asked for them, and a loop over the source rows that pairs both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.brute import api_calls, rows_of

OPS = "report_id,op_id,process_id,device_id,context_id,stream_id,start_ns,dur_ns,size_bytes"


def calls_of(*names: str) -> dict[str, str]:
    """Relations below the rules: an operation of the process with pid 5 for each name, numbered from 1, and the call that asked for it."""
    lines = [f"1,{n},{name}" for n, name in enumerate(names, start=1)]
    return {
        "_op_calls": "report_id,op_id,call_id\n" + "\n".join(f"1,{n},{n}" for n, _ in enumerate(names, start=1)),
        "_api_rows": "report_id,call_id,raw_name\n" + "\n".join(lines),
    }


def pairs(export: Path, table: str, prefix: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every operation with every call of that number whose name begins with `prefix`, of whatever process."""
    names = {row["id"]: row["value"] for row in rows_of(export, "StringIds")}
    calls: dict[int, list[dict[str, Any]]] = {}
    for call in api_calls(export):
        calls.setdefault(call["correlationId"], []).append(call | {"name": names[call["nameId"]]})
    ops = [op for op in rows_of(export, f"CUPTI_ACTIVITY_KIND_{table}") if op["correlationId"]]
    return [(op, call) for op in ops for call in calls.get(op["correlationId"], ()) if call["name"].startswith(prefix)]


def is_of_one_process(op: dict[str, Any], call: dict[str, Any]) -> bool:
    """True if the call is one of the operation's own process."""
    return bool(op["globalPid"] == call["process"])
