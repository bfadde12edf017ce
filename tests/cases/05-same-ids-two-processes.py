"""Two ranks in one file: equal correlation ids, and both call their GPU number 0."""

from _nsys import MS, US, Export, answer, gpid, gtid, out_path

x = Export(out_path(), "2025.3.1", gpus=["NVIDIA H100 80GB HBM3", "NVIDIA L4"])
ranks = {4500: (0, "gather", 3 * MS, 200 * US, 400 * US), 4501: (1, "relax", 4 * MS, 700 * US, 900 * US)}
count = 6
for pid, (gpu, name, begin, length, period) in ranks.items():
    x.row("TARGET_INFO_CUDA_DEVICE", gpuId=gpu, cudaId=0, pid=pid)  # each sees one GPU, as its number 0
    tid = gtid(pid, pid)
    for i in range(count):
        start = begin + i * period
        x.launch(f"{name}_cells(double*)", start - 50 * US, start, start + length, 50 + i, tid, gpid(pid))
    x.nvtx(name, begin - MS, begin + count * period, tid)
x.close()

answer(
    "Which kernel belongs to which launch, and how busy was each physical GPU?",
    {
        "launch_kernel_pairs": 2 * count,
        "launch_to_start_ns": 50 * US,
        "kernels_in_range": {"gather": {"gather_cells": count}, "relax": {"relax_cells": count}},
        "physical_gpus": 2,
        "busy_ns": {"NVIDIA H100 80GB HBM3": count * 200 * US, "NVIDIA L4": count * 700 * US},
        "gaps": {"NVIDIA H100 80GB HBM3": [200 * US] * (count - 1), "NVIDIA L4": [200 * US] * (count - 1)},
    },
    wrong=["24 pairs (join on the bare id)", "one GPU with overlapping work"],
)
