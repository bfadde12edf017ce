"""Synchronisation rows carry a device and a stream, yet the GPU does nothing in them."""

from _nsys import MS, US, Export, answer, gpid, gtid, out_path

pid, tid = 5100, gtid(5100, 5100)
x = Export(out_path(), "2025.3.1")
g, steps = gpid(pid), 5
for i in range(steps):
    t0, c = 10 * MS + i * 10 * MS, 600 + i * 10
    x.launch("sample_rows(int*)", t0, t0 + 20 * US, t0 + 3 * MS, c, tid, g)
    # the caller waits for the kernel, then does host work; the wait is a row on stream 7 and one on the context
    x.api("cudaStreamSynchronize_v3020", t0 + 30 * US, t0 + 3010 * US, c + 1, tid)
    x.sync(t0 + 31 * US, t0 + 3009 * US, c + 1, g, stream=7, kind=3)
    x.api("cudaDeviceSynchronize_v3020", t0 + 5 * MS, t0 + 9 * MS, c + 2, tid)
    x.sync(t0 + 5001 * US, t0 + 8999 * US, c + 2, g, kind=4)  # four milliseconds in which nothing runs
x.close()

busy, gap = 3 * MS - 20 * US, 7 * MS + 20 * US
answer(
    "How long was the GPU busy and where was it idle; which waits waited for work?",
    {
        "busy_ns": steps * busy,
        "span_ns": (steps - 1) * 10 * MS + busy,
        "gaps": steps - 1,
        "gap_ns_each": gap,
        "gpu_operations": steps,
        "stream_sync_calls": steps,
        "device_sync_calls": steps,
        "stream_sync_while_gpu_busy_ns": steps * (3000 - 30) * US,
        "device_sync_while_gpu_busy_ns": 0,
        "device_sync_total_ns": steps * 4 * MS,
    },
    wrong=["gaps of 2 ms and 1 ms (waits taken for operations)", "streams 2 (4294967295 is none)"],
)
