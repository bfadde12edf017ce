"""Streams overlap, and a dependent launch overlaps its predecessor in one stream: busy time is a union."""

from _nsys import MS, US, Export, answer, gpid, gtid, out_path

pid, tid = gpid(4200), gtid(4200, 4200)
x = Export(out_path())
steps, period = 20, 1000 * US
# name, offset in the step, length, stream; the second starts 20 us before the first one ends
work = [
    ("attend_fwd(half*)", 0, 600 * US, 7),
    ("project_out(half*)", 580 * US, 320 * US, 7),
    ("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 400 * US, 550 * US, 21),
]
corr = 100
for step in range(steps):
    t0 = 5 * MS + step * period
    for k, (name, offset, length, stream) in enumerate(work):
        corr += 1
        x.launch(name, t0 - 900 * US + 20 * US * k, t0 + offset, t0 + offset + length, corr, tid, pid, stream=stream)
x.close()

busy_step = 950 * US  # 0..950 us without a hole
span = (steps - 1) * period + busy_step
busy = steps * busy_step
answer(
    "How long was the GPU busy and idle between its first and last operation, and what is its utilisation?",
    {
        "span_ns": span,
        "busy_ns": busy,
        "idle_ns": span - busy,
        "utilisation_pct": round(100 * busy / span, 3),
        "gaps": steps - 1,
        "gap_ns_each": period - busy_step,
        "kernel_sum_ns": steps * (600 + 320 + 550) * US,
        "stream_7_busy_ns": steps * 900 * US,
        "stream_21_busy_ns": steps * 550 * US,
        "hidden_communication_ns": steps * 500 * US,
        "exposed_communication_ns": steps * 50 * US,
    },
    wrong=[f"{round(100 * steps * 1470 * US / span, 1)} % (sum over span)"],
)
