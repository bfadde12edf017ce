"""_comm_names: names of kernels as programs have them."""

from __future__ import annotations

import pytest

from tests.blueprint import check

COMM = [
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)",
    "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)",
    "ncclKernel_AllReduce_RING_LL_Sum_half(ncclDevComm *, unsigned long, ncclWork *)",
    "ncclAllReduceRingLLKernel_sum_f32(ncclColl)",
    "ncclSymDevKernel_AllGather_LL(ncclSymDevArgs)",
    "ncclSymkDevKernel_ReduceScatter_LD_Sum_bf16(ncclSymkDevWorkArgs4K)",
    "void nvshmemi_barrier_on_stream_kernel<1>(int)",
    "void nvshmem::barrier_all_kernel(int)",
    "void deep_ep::intranode::dispatch<(int)8, (int)768, (int)8192>(int4 *, float *)",
    "void deep_ep::internode_ll::combine<(bool)1, (int)7168>(void *)",
    "void deep_ep::intranode::cached_notify_combine<(int)8>(void **)",
    "void vllm::cross_device_reduce_1stage<__nv_bfloat16, (int)2>(vllm::RankData *)",
    "void sglang::cross_device_reduce_2stage<half, (int)8>(sglang::RankData *)",
    "void tensorrt_llm::kernels::oneShotAllReduceKernel<float, (int)8>(AllReduceParams)",
    "void tensorrt_llm::kernels::ar_fusion::allreduce_fusion_kernel_oneshot_lamport<(int)1>(AllReduceFusionParams)",
    "void c10d::(anonymous namespace)::two_shot_all_reduce_kernel<c10::BFloat16, (int)16>(c10::BFloat16 **)",
    "void <unnamed>::multimem_one_shot_all_reduce_kernel<float, (int)16>(float *)",
    "multimem_all_gather_kernel",
    "kuserbuffers_pushrecv(int, int, int *)",
]
COMPUTE = [
    "void at::native::vectorized_elementwise_kernel<(int)4, at::native::ncclDevKernel_Like<float>>(int)",
    "void cub::DeviceReduceKernel<Policy, one_shot_all_reduce>(int)",
    "my_ncclDevKernel_free(float *)",
    "void deep_ep::layout::get_dispatch_layout<(int)256>(long const *)",
    "void moe::dispatch<float>(float *)",
    "void combine(float *)",
    "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16",
    "void reduce_kernel<512, 1, at::native::ReduceOp<float>>(at::native::ReduceOp<float>)",
]


@pytest.mark.parametrize(("names", "count"), [(COMM, 1), (COMPUTE, 0)])
def test_names(names: list[str], count: int) -> None:
    for name in names:
        check(
            rows={
                "raw.StringIds": f'report_id,id,value\n1,7,"{name}"\n1,8,other',
                "raw.CUPTI_ACTIVITY_KIND_KERNEL": "report_id,_rowid,demangledName,shortName\n1,1,7,8\n1,2,7,8\n1,3,,8\n1,4,,",
            },
            query="SELECT name_id FROM _comm_names",
            expect="name_id\n" + "7\n" * count,
        )
