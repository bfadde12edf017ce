"""process_gpus and _device_gpus: the four rules that find the GPU of a process's device number."""

from __future__ import annotations

import nsysql

from tests.blueprint import check

# Processes 1 and 2 on VM 1: hardware 0, VM 1 << 48, pid << 24.
VM = 1 << 48
P1, P2 = VM | 1 << 24, VM | 2 << 24
KERNELS = "raw.CUPTI_ACTIVITY_KIND_KERNEL"
GPUS = "raw.TARGET_INFO_GPU"
DEVICES = "raw.TARGET_INFO_CUDA_DEVICE"
QUERY = "SELECT process_id, device_id, gpu_id, mapping FROM process_gpus ORDER BY ALL"
HEADER = "process_id,device_id,gpu_id,mapping\n"


def mapped(expect: str, **rows: str) -> None:
    tables = {KERNELS: "report_id,globalPid,deviceId\n" + rows["kernels"]}
    if "gpus" in rows:
        tables[GPUS] = "report_id,vmId,id,cuDevice,uuid\n" + rows["gpus"]
    if "devices" in rows:
        tables[DEVICES] = "report_id,pid,cudaId,gpuId,uuid\n" + rows["devices"]
    check(rows=tables, query=QUERY, expect=HEADER + expect)


def test_reported_mapping_wins() -> None:
    mapped(
        f"{P1},0,0,reported\n{P2},0,1,reported",
        kernels=f"1,{P1},0\n1,{P2},0",
        gpus=f"1,{VM},0,0,a\n1,{VM},1,1,b",
        devices="1,1,0,0,\n1,2,0,1,",
    )


def test_the_only_gpu() -> None:
    mapped(f"{P1},3,0,only_gpu", kernels=f"1,{P1},3", gpus=f"1,{VM},0,0,a")


def test_equal_driver_number_is_assumed() -> None:
    mapped(f"{P1},0,1,assumed", kernels=f"1,{P1},0", gpus=f"1,{VM},0,1,a\n1,{VM},1,0,b")


def test_a_context_without_work_makes_a_gpu_of_no_use_beside_one_with_work() -> None:
    check(
        rows={
            KERNELS: f"report_id,globalPid,deviceId\n1,{P1},1",
            "raw.TARGET_INFO_CUDA_CONTEXT_INFO": "report_id,hwId,vmId,processId,deviceId\n1,0,1,1,0\n1,0,1,1,1\n1,0,1,2,0\n1,0,1,2,1",
            GPUS: f"report_id,vmId,id,cuDevice,uuid\n1,{VM},0,0,a\n1,{VM},1,1,b",
        },
        query="SELECT process_id, device_id, gpu_id, is_used FROM process_gpus ORDER BY ALL",
        expect=f"process_id,device_id,gpu_id,is_used\n{P1},0,0,False\n{P1},1,1,True\n{P2},0,0,True\n{P2},1,1,True",
    )


def test_no_hardware_listed_is_unknown_and_each_process_has_its_own() -> None:
    mapped(f"{P1},0,0,unknown\n{P2},0,1,unknown", kernels=f"1,{P1},0\n1,{P2},0")


def test_unknown_ones_come_after_the_listed_ones() -> None:
    mapped(f"{P1},7,2,unknown", kernels=f"1,{P1},7", gpus=f"1,{VM},0,0,a\n1,{VM},1,1,b")


def test_mig_instances_are_gpus_of_their_own() -> None:
    mapped(
        f"{P1},0,1,reported\n{P2},0,2,reported",
        kernels=f"1,{P1},0\n1,{P2},0",
        gpus=f"1,{VM},0,0,whole",
        devices="1,1,0,0,slice1\n1,2,0,0,slice2",
    )


def test_contradictory_reports_are_not_used() -> None:
    mapped(
        f"{P1},0,0,assumed",
        kernels=f"1,{P1},0",
        gpus=f"1,{VM},0,0,a\n1,{VM},1,1,b",
        devices="1,1,0,0,\n1,1,0,1,",
    )


def test_machines_do_not_mix() -> None:
    other = 2 << 56
    process = other | 1 << 24
    mapped(
        f"{P1},0,0,only_gpu\n{process},0,1,only_gpu",
        kernels=f"1,{P1},0\n1,{process},0",
        gpus=f"1,{VM},0,0,a\n1,{other},0,0,b",
    )


def test_hardware_id_of_128_and_above_is_negative() -> None:
    machine = (200 << 56) - (1 << 64)
    process = machine | 1 << 24
    mapped(f"{process},0,0,only_gpu", kernels=f"1,{process},0", gpus=f"1,{machine},0,0,a")


def test_a_missing_process_is_process_0() -> None:
    mapped("0,0,0,only_gpu", kernels="1,,0", gpus=f"1,{VM},0,0,a")


def test_old_exports_tell_by_the_pci_address() -> None:
    rows = {
        KERNELS: f"report_id,globalPid,deviceId\n1,{P1},0",
        GPUS: f"report_id,vmId,id,busLocation\n1,{VM},0,0000:2d:00.0\n1,{VM},1,0000:15:00.0",
        "raw.TARGET_INFO_CUDA_GPU": f"report_id,vmId,pid,deviceId,pciBusId\n1,{VM},1,0,0000:15:00.0\n1,{VM},1,1,0000:2D:00.0",
    }
    check(rows=rows, query=QUERY, expect=f"{HEADER}{P1},0,1,reported")


def test_real_files(db: nsysql.Database) -> None:
    rows = dict(
        db.sql(
            "SELECT r.name, list(DISTINCT g.gpu_id ORDER BY g.gpu_id) FROM process_gpus g JOIN reports r USING (report_id) GROUP BY ALL"
        ).fetchall()
    )
    assert rows["multiproc"] == [0]
    assert rows["ddp_one"] == [0, 1]
    assert "nocuda" not in rows
