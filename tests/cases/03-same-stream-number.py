"""Stream and context numbers repeat on every GPU and in every process."""

from _nsys import MS, US, Export, answer, gpid, gtid, out_path

a, b = 4300, 4301
x = Export(out_path(), gpus=["NVIDIA L40S"] * 3)
steps = 10
# process, device, context, stream, offset, length: the last shares GPU 1 with the second, under the same numbers
streams = [(a, 0, 1, 7, 0, 860), (a, 1, 2, 17, 0, 860), (a, 2, 3, 17, 0, 300), (b, 1, 2, 17, 500, 400)]
for n, (p, dev, ctx, stream, offset, length) in enumerate(streams):
    for i in range(steps):
        start = 3 * MS + i * MS + offset * US
        x.launch(
            "blend_tiles(uchar4*)",
            start - 100 * US + n * 8 * US,
            start,
            start + length * US,
            10 * n + i + 1,
            gtid(p, p),
            gpid(p),
            dev=dev,
            ctx=ctx,
            stream=stream,
        )
x.close()

key = lambda s: f"pid {s[0]} gpu {s[1]} ctx {s[2]} stream {s[3]}"
answer(
    "How many streams worked, how busy was each, and how busy was each GPU?",
    {
        "streams": len(streams),
        "stream_busy_ns": {key(s): steps * s[5] * US for s in streams},
        "gpu_busy_ns": {"0": steps * 860 * US, "1": steps * 900 * US, "2": steps * 300 * US},
        "gpu_1_kernels": 2 * steps,
        "kernels": 4 * steps,
    },
    wrong=["stream 17 busy 15.6 ms in a 9.9 ms span", "GPU 1 busy 12.6 ms by adding processes"],
)
