"""reports: what the metadata tables say, whichever of them an export has."""

from __future__ import annotations

import nsysql

from tests.blueprint import check


def test_nothing_recorded_is_null_not_zero() -> None:
    check(
        rows={},
        query="SELECT start_utc_ns, duration_ns, offset_ns, export_version, is_partial, time_shift_ns FROM reports",
        expect="start_utc_ns,duration_ns,offset_ns,export_version,is_partial,time_shift_ns\n,,,,,",
    )


def test_offsets_are_within_a_run() -> None:
    check(
        reports="report_id,name,run\n1,a,x\n2,b,x\n3,c,\n4,d,",
        rows={"raw.TARGET_INFO_SESSION_START_TIME": "report_id,utcEpochNs\n1,1000\n2,1500\n3,7\n4,9"},
        query="SELECT report_id, offset_ns FROM reports ORDER BY 1",
        expect="report_id,offset_ns\n1,0\n2,500\n3,0\n4,0",
    )


def test_a_limited_export_is_partial() -> None:
    check(
        rows={
            "raw.META_DATA_EXPORT": "report_id,name,value\n1,EXPORT_PARAM_TABLES_TO_EXPORT,cupti.*\n1,EXPORT_CONFIG_TIME_SHIFT,-5"
        },
        query="SELECT is_partial, time_shift_ns FROM reports",
        expect="is_partial,time_shift_ns\nTrue,-5",
    )


def test_a_real_file(db: nsysql.Database) -> None:
    row = db.sql(
        "SELECT duration_ns, export_version, schema_version, is_partial, source_kind FROM reports WHERE name = 'train_bad'"
    ).fetchall()
    assert row == [(13087584846, "2025.3.2.0", "3.20.3", False, "sqlite")]
