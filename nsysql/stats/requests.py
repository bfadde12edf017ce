"""What a command line of `stats` or `analyze` asks for: which reports, in which layout, where to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from nsysql.catalog import Catalog
from nsysql.errors import UsageError
from nsysql.header import View

from .layouts import Layout, parse_layout

LIKES = ("2023.4", "2025.3")
"""The versions of nsys that can be printed like."""

DEFAULT_REPORTS = (
    *("nvtx_sum", "osrt_sum", "cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum"),
    *("openmp_sum", "opengl_khr_range_sum", "opengl_khr_gpu_range_sum", "vulkan_marker_sum", "vulkan_gpu_marker_sum"),
    *("dx11_pix_sum", "dx12_gpu_marker_sum", "dx12_pix_sum", "wddm_queue_sum", "um_sum", "um_total_sum"),
    *("um_cpu_page_faults_sum", "openacc_sum"),
)
DEFAULT_RULES = (
    *("cuda_memcpy_async", "cuda_memcpy_sync", "cuda_memset_sync", "cuda_api_sync", "gpu_gaps", "gpu_time_util"),
    "dx12_mem_ops",
)
GRAPHICS = frozenset(
    [
        *("opengl_khr_range_sum", "opengl_khr_gpu_range_sum", "vulkan_marker_sum", "vulkan_gpu_marker_sum", "dx11_pix_sum"),
        *("dx12_gpu_marker_sum", "dx12_pix_sum", "wddm_queue_sum", "dx12_mem_ops", "nvvideo_api_sum", "network_congestion"),
        *("vulkan_api_sum", "vulkan_api_trace", "vulkan_gpu_marker_trace"),
    ]
)
"""Reports of NVIDIA's tools on graphics, video and network cards, whose tables nsysql does not load."""

_OLD_NAMES = {
    **{"cudaapisum": "cuda_api_sum", "cudaapitrace": "cuda_api_trace", "apigpusum": "cuda_api_gpu_sum"},
    **{"gpukernsum": "cuda_gpu_kern_sum", "gpukerngbsum": "cuda_gpu_kern_gb_sum", "gpumemsizesum": "cuda_gpu_mem_size_sum"},
    **{"gpumemtimesum": "cuda_gpu_mem_time_sum", "gpusum": "cuda_gpu_sum", "gputrace": "cuda_gpu_trace"},
    **{"kernexecsum": "cuda_kern_exec_sum", "kernexectrace": "cuda_kern_exec_trace", "nvtxsum": "nvtx_sum"},
    **{"nvtxppsum": "nvtx_pushpop_sum", "nvtxpptrace": "nvtx_pushpop_trace", "nvtxsesum": "nvtx_startend_sum"},
    **{"nvtxkernsum": "nvtx_kern_sum", "nvtxgpuproj": "nvtx_gpu_proj_trace", "osrtsum": "osrt_sum"},
    **{"openaccsum": "openacc_sum", "openmpevtsum": "openmp_sum", "unifiedmemory": "um_sum"},
    **{"unifiedmemorytotals": "um_total_sum", "umcpupagefaults": "um_cpu_page_faults_sum"},
    **{"cuda-async-memcpy": "cuda_memcpy_async", "cuda-sync-api": "cuda_api_sync", "cuda-sync-memcpy": "cuda_memcpy_sync"},
    **{"cuda-sync-memset": "cuda_memset_sync", "gpu-starv": "gpu_gaps", "gpu-low-util": "gpu_time_util"},
    **{"dx12-mem-op": "dx12_mem_ops"},
}
"""Names of up to nsys 2022.4, which scripts still use."""


@dataclass(frozen=True)
class Request:
    """A report to print: its name, what followed the name, its layout, its output (`-`, `.`, a base name or `@command`)."""

    name: str
    arguments: tuple[str, ...]
    layout: Layout
    output: str

    @property
    def key(self) -> str:
        """The name as it is in catalogs today."""
        return _OLD_NAMES.get(self.name, self.name)


def requests(
    names: Sequence[str], layouts: Sequence[str], outputs: Sequence[str], default: Sequence[str], timeunit: str | None
) -> tuple[list[Request], list[str]]:
    """One request per name: the first with the first layout and output, ...; the last of these goes for all that follow.

    Also gives the warning to print below them, of two the first. Raises UsageError for a layout that there is not.
    """
    chosen = _split(names) or list(default)
    given_layouts, given_outputs = _split(layouts), _split(outputs)
    warnings = [
        f"WARNING: Number of specified output {what} exceeds number of reports."
        for what, given in (("formats", given_layouts), ("files", given_outputs))
        if len(given) > len(chosen)
    ][:1]
    made = []
    for number, text in enumerate(chosen):
        name, *arguments = text.split(":")
        output = given_outputs[min(number, len(given_outputs) - 1)] if given_outputs else "-"
        layout = given_layouts[min(number, len(given_layouts) - 1)] if given_layouts else "."
        kind = ("column" if output == "-" else "csv") if layout.partition(":")[0] == "." else ""
        text = kind + layout[1:] if kind else layout
        made.append(Request(name.removesuffix(".py"), tuple(a for a in arguments if a), parse_layout(text, timeunit), output))
    return made, warnings


def parameters(view: View, arguments: Sequence[str]) -> tuple[dict[str, str], int | None]:
    """Parameters of the view, and the most rows to print (None for all), that arguments behind the name stand for.

    Raises UsageError for an argument that the report does not have.
    """
    assert view.printed is not None
    known, rows = view.printed.arguments, view.printed.rows
    params = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if name == "rows" and view.printed.rows is not None and _is_whole(value):
            rows = int(value)
        elif name in known and (known[name][1] is None) == bool(equals):
            param, fixed = known[name]
            params[param] = value if fixed is None else fixed
        else:
            there = [a if fixed else f"{a}=..." for a, (_, fixed) in known.items()] + ["rows=..."] * (rows is not None)
            raise UsageError(f"{view.name}: there is no argument {argument!r}; there are {', '.join(there) or 'none'}.")
    return params, None if rows is None or rows < 0 else rows


def find(catalog: Catalog, request: Request) -> View | None:
    """The view that a request is for; None if there is none."""
    view = catalog.views.get(request.key)
    return view if view and view.printed else None


def questions(catalog: Catalog, found: Iterable[Request]) -> Iterator[tuple[str, dict[str, str]]]:
    """The views, each with its parameters, that requests ask; one that cannot be answered asks nothing."""
    for request in found:
        view = find(catalog, request)
        if view is None:
            continue
        with suppress(UsageError):
            params, _ = parameters(view, request.arguments)
            is_like = "like_nsys" in {param.name for param in view.params}
            for more in [{"like_nsys": version} for version in LIKES] if is_like else [{}]:
                yield view.name, params | more


def _split(texts: Sequence[str]) -> list[str]:
    return [part for text in texts for part in text.split(",")]


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
