"""Hardware counters of Nsight Compute are read from its tables."""

import pytest

from pipeline.measure.harness import nsight
from pipeline.measure.harness.plan import QUICK, Options, Task

NCU = """==PROF== Connected to process 7
"ID","Process ID","Kernel Name","smsp__sass_thread_inst_executed_op_fadd_pred_on.sum","smsp__sass_thread_inst_executed_op_ffma_pred_on.sum","sm__ops_path_tensor_src_fp16_dst_fp32.sum"
"","","","inst","inst","ops"
"0","7","ampere_sgemm_128x64_tn","10","1,000","0"
"1","7","sm80_xmma_fprop_implicit_gemm","0","0","4,000"
"2","7","void at::native::vectorized_elementwise_kernel<4>","500","0","0"
"""


def test_hardware_counters_are_added_up():
    # 10 + 2 x 1000, 4000 of the matrix units, and 500 additions that no model FLOP has
    found = nsight.flop_of(NCU)
    assert (found["raw"], found["cleaned"]) == (6510, 6010)


def test_parts_of_a_matrix_counter_are_not_added_to_it():
    listed = "\n".join(
        f"sm__ops_path_tensor_{end} Counter"
        for end in ("src_bf16_dst_fp32", "src_bf16_dst_fp32_sparsity_off", "op_hgmma_src_bf16_dst_fp32")
    )
    assert nsight.tensor_metrics(listed) == ["sm__ops_path_tensor_src_bf16_dst_fp32.sum"]


def test_a_counter_that_may_not_be_read_is_named():
    with pytest.raises(nsight.NoCounterError, match="ERR_NVGPUCTRPERM"):
        nsight.flop_of("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n")
    with pytest.raises(nsight.NoCounterError, match="not on the path"):
        nsight.hardware(Task("hardware", "gpt2", 1, "fp32"), Options("cpu", **QUICK))
