"""Which corpus tests continuous integration runs: about a tenth, named here; all others are marked `campaign`.

A folder's conftest says `collect_ignore_glob = missing("its-distribution")` and marks its own items with
`mark_campaign`. Chosen are tests whose kernels use something that the others do not (loops with carried values, dots,
scans, atomics, block pointers, float8, in-place writes), in the type that is hardest for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version

import pytest

CI = {
    "test_rms_norm[llama-0.0-bf16]",
    "test_layer_norm[f32]",
    "test_group_norm[6-3-f16]",
    "test_dyt[beta-bf16]",
    "test_swiglu[1.0-bf16]",
    "test_softmax[shape0-f16]",
    "test_sparsemax[-1-f32]",
    "test_rope[bf16]",
    "test_cross_entropy[smoothing-bf16]",
    "test_kl_div[probabilities-batchmean-f32]",
    "test_fused_linear_cross_entropy[bf16]",
    "test_moe_routing[37-2-5]",
    "test_fused_moe[f32]",
    "test_mhc_coefficients[bf16]",
    "test_multi_token_attention[f16]",
    "test_gated_activation[geglu-approx-bf16]",
    "test_quantize_4bit[even-nf4-f32]",
    "test_dequantize_4bit[fp4-f16]",
    "test_optimizer_8bit[adam-f32]",
    "test_optimizer_with_a_norm_limit[f32]",
    "test_float8_of_a_whole_tensor[atomic_max-col-t-and-col-bf16]",
    "test_float8_of_groups_of_columns[exact-bf16]",
    "test_mxfp8_dequantisation[bf16]",
    "test_integer_product[70-33-51]",
    "test_mixed_int4_product[plain-f16]",
    "test_accesses_past_the_end_are_reported",
    "test_sampled_addmm[0.5-2.0-f32]",
    "test_block_softmax[bf16]",
    "test_scatter_mm[f32]",
    "test_elementwise[digamma_-f32]",
    "test_elementwise[fmin-bf16]",
    "test_elementwise[round-2-f16]",
    "test_elementwise[hypot-bf16]",
    "test_reduction[sum-f16]",
    "test_reduction[var-mean-f32]",
    "test_reduction[cummax-bf16]",
    "test_reduction[normed-cumsum-f32]",
    "test_reduction[sort-f16]",
    "test_reduction[unique-f32]",
    "test_reduction[cross-entropy-weight-f32]",
    "test_group_quantisation[bf16]",
    "test_linear[mm-bf16]",
    "test_linear[conv2d-f32]",
    "test_linear[hadamard-f32]",
    "test_linear[fp8-mm-bf16]",
    "test_linear[vdot-f16]",
    "test_movement[stack-f32]",
    "test_movement[nonzero-f32]",
    "test_movement[masked-select-bf16]",
    "test_movement[scatter-add-f16]",
    "test_pointwise[abs-bf16]",
    "test_pointwise[add-f16]",
    "test_pointwise[where-f32]",
    "test_movement[upsample-bicubic-aa-f32]",
    "test_movement[max-pool2d-f32]",
    "test_random_permutation",
}


def missing(distribution: str) -> list[str]:
    """The glob of tests that cannot be collected because the package is not installed."""
    try:
        version(distribution)
    except PackageNotFoundError:
        return ["test_*.py"]
    return []


def mark_campaign(items: Iterable[pytest.Item], folder: str) -> None:
    """Mark the folder's tests that continuous integration leaves out."""
    for item in items:
        if item.path.parent.name == folder and item.name not in CI:
            item.add_marker(pytest.mark.campaign)


@pytest.fixture(autouse=True)
def tensors_on_the_gpu(pretended_gpu) -> Iterator[None]:
    """What a test makes without naming a device lies on the pretended GPU: kernels are only given such tensors."""
    import torch

    torch.set_default_device("cuda")
    try:
        yield
    finally:
        torch.set_default_device(None)
