"""Writes small files shaped like an `nsys export --type=sqlite`, for the case generators beside it.

Column lists are those of 2023.4.4 (schema 3.7.2) and, where they differ, 2025.3.1 (3.20.3).
As in a lazy export a table exists only when it has rows. Standard library only.
"""

import json
import os
import sqlite3
import sys

# table | column, with :T text, :R real (otherwise integer), ! = NOT NULL
COLUMNS = """
ThreadNames | nameId! priority globalTid
PROCESSES | globalPid pid name:T
TARGET_INFO_SYSTEM_ENV | globalVid devStateName:T! name:T! nameEnum! value:T!
TARGET_INFO_SESSION_START_TIME | utcEpochNs utcTime:T localTime:T
ANALYSIS_DETAILS | globalVid! duration! startTime! stopTime!
TARGET_INFO_GPU | vmId! id! name:T busLocation:T isDiscrete l2CacheSize totalMemory memoryBandwidth clockRate smCount pwGpuId uuid:T luid chipName:T cuDevice ctxswDevPath:T ctrlDevPath:T revision nodeMask constantMemory maxIPC maxRegistersPerBlock maxShmemPerBlock maxShmemPerBlockOptin maxShmemPerSm maxRegistersPerSm threadsPerWarp asyncEngines maxWarpsPerSm maxBlocksPerSm maxThreadsPerBlock maxBlockDimX maxBlockDimY maxBlockDimZ maxGridDimX maxGridDimY maxGridDimZ computeMajor computeMinor smMajor smMinor
TARGET_INFO_CUDA_CONTEXT_INFO | nullStreamId! hwId! vmId! processId! deviceId! contextId! parentContextId isGreenContext
TARGET_INFO_CUDA_STREAM | streamId! hwId! vmId! processId! contextId! priority! flag!
META_DATA_CAPTURE | name:T! value:T
META_DATA_EXPORT | name:T! value:T
CUPTI_ACTIVITY_KIND_KERNEL | start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid demangledName! shortName! mangledName launchType cacheConfig registersPerThread! gridX! gridY! gridZ! blockX! blockY! blockZ! staticSharedMemory! dynamicSharedMemory! localMemoryPerThread! localMemoryTotal! gridId! sharedMemoryExecuted graphNodeId sharedMemoryLimitConfig
CUPTI_ACTIVITY_KIND_MEMCPY | start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid bytes! copyKind! deprecatedSrcId srcKind dstKind srcDeviceId srcContextId dstDeviceId dstContextId migrationCause graphNodeId virtualAddress
CUPTI_ACTIVITY_KIND_MEMSET | start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid value! bytes! graphNodeId memKind
CUPTI_ACTIVITY_KIND_SYNCHRONIZATION | start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid syncType! eventId!
CUPTI_ACTIVITY_KIND_RUNTIME | start! end! eventClass! globalTid correlationId nameId! returnValue! callchainId
OSRT_API | start! end! eventClass! globalTid nameId! returnValue! nestingLevel callchainId!
NVTX_EVENTS | start! end eventType! rangeId category color text:T globalTid endGlobalTid textId domainId uint64Value int64Value doubleValue:R uint32Value int32Value floatValue:R jsonTextId jsonText:T
"""
COLUMNS_2025 = """
TARGET_INFO_CUDA_DEVICE | gpuId cudaId! pid!
CUPTI_ACTIVITY_KIND_MEMCPY | start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid bytes! copyKind! deprecatedSrcId srcKind dstKind srcDeviceId srcContextId dstDeviceId dstContextId migrationCause graphNodeId virtualAddress copyCount
CUPTI_ACTIVITY_KIND_SYNCHRONIZATION | start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid deprecatedSyncType syncType! eventId! eventSyncId
NVTX_EVENTS | start! end eventType! rangeId category color text:T globalTid endGlobalTid textId domainId uint64Value int64Value doubleValue:R uint32Value int32Value floatValue:R jsonTextId jsonText:T binaryData:T
DIAGNOSTIC_EVENT | timestamp! timestampType! source! severity! text:T! globalPid
"""
VERSIONS = {  # product version, schema version, checksum of the full DDL
    "2023.4.4": ("2023.4.4.54", "3.7.2", "2307844469 139029"),
    "2025.3.1": ("2025.3.1.0", "3.20.3", "4021079525 170230"),
}
ENUMS = {
    "CUDA_MEMCPY_OPER": "CUDA_MEMCPY_KIND_|UNKNOWN=Unknown HTOD=Host-to-Device DTOH=Device-to-Host HTOA=Host-to-Array "
    "ATOH=Array-to-Host ATOA=Array-to-Array ATOD=Array-to-Device DTOA=Device-to-Array DTOD=Device-to-Device "
    "HTOH=Host-to-Host PTOP=Peer-to-Peer UVM_HTOD=Unified_Host-to-Device UVM_DTOH=Unified_Device-to-Host "
    "UVM_DTOD=Unified_Device-to-Device",
    "CUDA_MEM_KIND": "CUDA_MEMOPR_MEMORY_KIND_|PAGEABLE=Pageable PINNED=Pinned DEVICE=Device ARRAY=Array "
    "MANAGED=Managed DEVICE_STATIC=Device_Static MANAGED_STATIC=Managed_Static UNKNOWN=Unknown",
    "CUPTI_STREAM_TYPE": "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_|UNKNOWN=Unknown_stream_type DEFAULT=Default_stream "
    "NON_BLOCKING=Non-blocking_stream NULL=Null_stream",
}
NONE32 = 4294967295  # nsys writes this for "no stream" and "no event" in SYNCHRONIZATION
RUNTIME, DRIVER = 0, 1
PUSHPOP, STARTEND, MARK, DOMAIN = 59, 60, 34, 75
MS, US = 1_000_000, 1_000


def gpid(pid, vm=1, hw=0):
    """Global process id as nsys stores it: 8 bits hardware, 8 bits VM, 24 bits pid, 24 zero bits, signed."""
    value = hw << 56 | vm << 48 | pid << 24
    return value - (1 << 64) if value >= 1 << 63 else value


def gtid(pid, tid, vm=1, hw=0):
    return gpid(pid, vm, hw) | tid


class Export:
    def __init__(self, path, version="2023.4.4", epoch_ns=1_750_000_000_000_000_000, gpus=("NVIDIA H100 80GB HBM3",)):
        if os.path.exists(path):
            os.remove(path)
        self.db, self.version, self.epoch_ns, self.duration = sqlite3.connect(path), version, epoch_ns, None
        self.columns = {}
        for line in (COLUMNS + (COLUMNS_2025 if version != "2023.4.4" else "")).strip().splitlines():
            if line:
                table, cols = line.split(" | ")
                self.columns[table] = cols.split()
        self.strings, self.rows, self.threads, self.streams, self.contexts = {"[Unknown]": 0}, {}, {}, set(), set()
        self.process_names = {}
        for i, name in enumerate(gpus):
            self.row(
                "TARGET_INFO_GPU",
                vmId=1 << 48,
                id=i,
                name=name,
                busLocation=f"0000:{i + 1:02x}:00.0",
                isDiscrete=1,
                totalMemory=80 << 30,
                smCount=132,
                uuid=f"0{i}" * 16,
                computeMajor=9,
                computeMinor=0,
                smMajor=9,
                smMinor=0,
                threadsPerWarp=32,
                cuDevice=i,
            )

    def text(self, value):
        return self.strings.setdefault(value, len(self.strings))

    def row(self, table, **values):
        self.rows.setdefault(table, []).append(values)

    def thread(self, global_tid, name="worker"):
        self.threads[global_tid] = name

    def api(self, name, start, end, corr, tid, cls=RUNTIME, result=0):
        self.threads.setdefault(tid, "worker")
        self.row(
            "CUPTI_ACTIVITY_KIND_RUNTIME",
            start=start,
            end=end,
            eventClass=cls,
            globalTid=tid,
            correlationId=corr,
            nameId=self.text(name),
            returnValue=result,
        )

    def _device(self, start, end, corr, pid, dev, ctx, stream):
        self.streams.add((pid, ctx, stream))
        self.contexts.add((pid, dev, ctx))
        return dict(
            start=start,
            end=end,
            deviceId=dev,
            contextId=ctx,
            greenContextId=0,
            streamId=stream,
            correlationId=corr,
            globalPid=pid,
        )

    def kernel(self, name, start, end, corr, pid, dev=0, ctx=1, stream=7, short=None, grid=(64, 1, 1), **more):
        short = short or name.split("(")[0].split("<")[0].split(" ")[-1].split("::")[-1]
        self.row(
            "CUPTI_ACTIVITY_KIND_KERNEL",
            **self._device(start, end, corr, pid, dev, ctx, stream),
            demangledName=self.text(name),
            shortName=self.text(short),
            mangledName=self.text("_Z" + short),
            launchType=1,
            cacheConfig=0,
            registersPerThread=32,
            gridX=grid[0],
            gridY=grid[1],
            gridZ=grid[2],
            blockX=256,
            blockY=1,
            blockZ=1,
            staticSharedMemory=0,
            dynamicSharedMemory=0,
            localMemoryPerThread=0,
            localMemoryTotal=0,
            gridId=corr,
            sharedMemoryExecuted=32768,
            sharedMemoryLimitConfig=0,
            **more,
        )

    def memcpy(self, kind, nbytes, start, end, corr, pid, dev=0, ctx=1, stream=7, src=1, dst=2, **more):
        self.row(
            "CUPTI_ACTIVITY_KIND_MEMCPY",
            **self._device(start, end, corr, pid, dev, ctx, stream),
            bytes=nbytes,
            copyKind=kind,
            srcKind=src,
            dstKind=dst,
            **more,
        )

    def memset(self, nbytes, start, end, corr, pid, dev=0, ctx=1, stream=7):
        self.row(
            "CUPTI_ACTIVITY_KIND_MEMSET",
            **self._device(start, end, corr, pid, dev, ctx, stream),
            value=0,
            bytes=nbytes,
            memKind=2,
        )

    def launch(self, name, at, start, end, corr, tid, pid, api="cudaLaunchKernel_v7000", cost=5 * US, **more):
        """A launch call of `cost` ns at `at`, and the kernel it starts."""
        self.api(api, at, at + cost, corr, tid, DRIVER if api.startswith("cuL") else RUNTIME)
        self.kernel(name, start, end, corr, pid, **more)

    def sync(self, start, end, corr, pid, stream=NONE32, dev=0, ctx=1, kind=3):
        self.row(
            "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
            start=start,
            end=end,
            deviceId=dev,
            contextId=ctx,
            streamId=stream,
            correlationId=corr,
            globalPid=pid,
            syncType=kind,
            eventId=NONE32,
            **({} if self.version == "2023.4.4" else {"eventSyncId": NONE32}),
        )

    def nvtx(self, name, start, end, tid, kind=PUSHPOP, domain=0, registered=False, **more):
        self.threads.setdefault(tid, "worker")
        key = {"textId": self.text(name)} if registered else {"text": name}
        self.row("NVTX_EVENTS", start=start, end=end, eventType=kind, globalTid=tid, domainId=domain, **key, **more)

    def os_call(self, name, start, end, tid, level=0):
        self.threads.setdefault(tid, "worker")
        self.row(
            "OSRT_API",
            start=start,
            end=end,
            eventClass=27,
            globalTid=tid,
            nameId=self.text(name),
            returnValue=0,
            nestingLevel=level,
            callchainId=0,
        )

    def _finish(self):
        last = max((r.get("end") or r.get("start") or 0 for rows in self.rows.values() for r in rows), default=0)
        product, schema, checksum = VERSIONS[self.version]
        self.row(
            "TARGET_INFO_SESSION_START_TIME",
            utcEpochNs=self.epoch_ns,
            utcTime="2025-06-15T15:06:40",
            localTime="2025-06-15T15:06:40",
        )
        self.row(
            "ANALYSIS_DETAILS",
            globalVid=1 << 48,
            duration=self.duration or last + MS,
            startTime=5 * MS,
            stopTime=5 * MS + (self.duration or last + MS),
        )
        self.row("TARGET_INFO_SYSTEM_ENV", globalVid=1 << 48, devStateName="CpuCores", name="CpuCores", nameEnum=1, value="64")
        pids = {t & ~0xFFFFFF for t in self.threads} | {p for p, _, _ in self.contexts}
        for p in sorted(pids):
            self.row("PROCESSES", globalPid=p, pid=p >> 24 & 0xFFFFFF, name=self.process_names.get(p, "trainer"))
        for t, name in self.threads.items():
            self.row("ThreadNames", nameId=self.text(name), priority=20, globalTid=t)
        for p, dev, ctx in sorted(self.contexts):
            self.row(
                "TARGET_INFO_CUDA_CONTEXT_INFO",
                nullStreamId=7,
                hwId=p >> 56 & 255,
                vmId=p >> 48 & 255,
                processId=p >> 24 & 0xFFFFFF,
                deviceId=dev,
                contextId=ctx,
                parentContextId=0,
                isGreenContext=0,
            )
        for p, ctx, stream in sorted(self.streams):
            self.row(
                "TARGET_INFO_CUDA_STREAM",
                streamId=stream,
                hwId=p >> 56 & 255,
                vmId=p >> 48 & 255,
                processId=p >> 24 & 0xFFFFFF,
                contextId=ctx,
                priority=0,
                flag=3 if stream == 7 else 2,
            )
        for event in ("NvtxEvents", "Cuda"):
            self.row("META_DATA_CAPTURE", name="CAPTURE_EVENT_TYPE", value=event)
        major, minor, micro = schema.split(".")
        for name, value in dict(
            PRODUCT_NAME="NVIDIA Nsight Systems",
            PRODUCT_VERSION=product,
            SCHEMA_VERSION=schema,
            SCHEMA_VERSION_MAJOR=major,
            SCHEMA_VERSION_MINOR=minor,
            SCHEMA_VERSION_MICRO=micro,
            SCHEMA_VERSION_CKSUM=checksum,
            PLATFORM="linux-desktop",
            ARCH="x64",
            PARAM_LAZY="true",
            PARAM_TABLES_TO_EXPORT="",
            PARAM_TIMES_TO_EXPORT="",
            CONFIG_TIME_SHIFT="0",
            TIME="0.01 sec",
        ).items():
            self.row("META_DATA_EXPORT", name="EXPORT_" + name, value=value)

    def close(self):
        self._finish()
        run, types = self.db.execute, {"T": "TEXT", "R": "REAL"}
        run("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        self.db.executemany("INSERT INTO StringIds VALUES (?, ?)", ((i, s) for s, i in self.strings.items()))
        for table, rows in self.rows.items():
            cols = [(c.rstrip("!").partition(":"), c.endswith("!")) for c in self.columns[table]]
            run(
                f"CREATE TABLE {table} ("
                + ", ".join(f'"{c}" {types.get(t, "INTEGER")}{" NOT NULL" if required else ""}' for (c, _, t), required in cols)
                + ")"
            )
            names = [c for (c, _, _), _ in cols]
            unknown = {k for r in rows for k in r} - set(names)
            assert not unknown, (table, unknown)
            self.db.executemany(
                f"INSERT INTO {table} VALUES ({','.join('?' * len(names))})", ([r.get(c) for c in names] for r in rows)
            )
        for enum, spec in ENUMS.items():
            prefix, items = spec.split("|")
            run(f"CREATE TABLE ENUM_{enum} (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)")
            for i, item in enumerate(items.split(" ")):
                name, label = item.split("=")
                run(f"INSERT INTO ENUM_{enum} VALUES (?, ?, ?)", (i, prefix + name, label.replace("_", " ")))
        self.db.commit()
        self.db.close()


def out_path():
    if len(sys.argv) != 2:
        sys.exit(f"usage: python3 {os.path.basename(sys.argv[0])} OUT.sqlite")
    return sys.argv[1]


def sibling(path, mark):
    """The second file of a pair: out.sqlite -> out.MARK.sqlite."""
    stem, ext = os.path.splitext(path)
    return f"{stem}.{mark}{ext}"


def answer(question, right, **notes):
    print(json.dumps({"question": question, "right": right, **notes}, indent=1))
