"""Source rows of a small recording, for cases that must hold whatever views stand between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PROCESS, OTHER_PROCESS = 5 << 24, 6 << 24
MAIN, HELPER, OTHER = PROCESS | 7, PROCESS | 8, OTHER_PROCESS | 7


def recorded(
    calls: Sequence[tuple[Any, ...]],
    ops: Sequence[tuple[Any, ...]],
    os_calls: Sequence[tuple[Any, ...]] = (),
    overheads: Sequence[tuple[Any, ...]] = (),
    duration: int = 0,
    report: int = 1,
) -> dict[str, list[str]]:
    """Source rows by table, as lines under COLUMNS.

    Calls are (thread, name, start, end, correlation id), kernels (correlation id, start, end[, name, process]), OS calls
    (thread, name, start, end[, level]), overheads (thread, name, start, end). The capture ends with the last kernel if no
    duration is given.
    """
    texts = sorted({"k", *(row[1] for row in (*calls, *os_calls, *overheads)), *(row[3] for row in ops if len(row) > 3)})
    number = {text: str(place) for place, text in enumerate(texts, 1)}
    end = duration or max(op[2] for op in ops)

    def lines(rows: Sequence[tuple[Any, ...]]) -> list[str]:
        return [",".join(str(value) for value in (report, place, *row)) for place, row in enumerate(rows, 1)]

    return {
        "raw.CUPTI_ACTIVITY_KIND_RUNTIME": lines(
            [(c[0], number[c[1]], c[2], c[3], c[4], int(c[1][2].isupper())) for c in calls]
        ),
        "raw.CUPTI_ACTIVITY_KIND_KERNEL": lines(
            [(o[0], o[1], o[2], *[number[o[3] if len(o) > 3 else "k"]] * 2, o[4] if len(o) > 4 else PROCESS, 0) for o in ops]
        ),
        "raw.OSRT_API": lines([(c[0], number[c[1]], c[2], c[3], 27, c[4] if len(c) > 4 else 0) for c in os_calls]),
        "raw.PROFILER_OVERHEAD": lines([(o[0], number[o[1]], o[2], o[3]) for o in overheads]),
        "raw.StringIds": [f'{report},{place},"{text}"' for text, place in number.items()],
        "raw.ANALYSIS_DETAILS": [f"{report},{end}"],
        "raw.TARGET_INFO_GPU": [f"{report},0,0"],
    }


COLUMNS = {
    "raw.CUPTI_ACTIVITY_KIND_RUNTIME": "report_id,_rowid,globalTid,nameId,start,end,correlationId,eventClass",
    "raw.CUPTI_ACTIVITY_KIND_KERNEL": "report_id,_rowid,correlationId,start,end,demangledName,shortName,globalPid,deviceId",
    "raw.OSRT_API": "report_id,_rowid,globalTid,nameId,start,end,eventClass,nestingLevel",
    "raw.PROFILER_OVERHEAD": "report_id,_rowid,globalTid,nameId,start,end",
    "raw.StringIds": "report_id,id,value",
    "raw.ANALYSIS_DETAILS": "report_id,duration",
    "raw.TARGET_INFO_GPU": "report_id,id,cuDevice",
}
