"""torchao's kernels beyond the list: float8 with scales per row, per column and per square block (exact), the block-
scaled float8 product and the scaled 8-bit product against float64."""

from __future__ import annotations

import pytest
import torch
from support.autograd import Accuracy, agree, all_dtypes, equal, randn
from test_torchao import (
    F8,
    cast,
    group_codes,
    integer_matrices,
    module,
    power_of_two,
    scale_of,
)

BLOCK = 32


@all_dtypes
@pytest.mark.parametrize("rounded", [False, True], ids=["exact", "power-of-two"])
def test_float8_of_rows(corpus, dtype, rounded):
    values = randn(20, 80, dtype=dtype)
    kernels = module("prototype.moe_training.kernels.float8_rowwise")
    codes, scales = kernels.triton_fp8_rowwise_2d_scale_and_cast(values, F8, rounded)
    scale = power_of_two(scale_of(values.abs().amax(1, keepdim=True)), rounded)
    equal(corpus, "scales", scales, scale)
    equal(corpus, "codes", codes.double(), cast(values, scale))


@all_dtypes
def test_float8_of_columns_of_experts(corpus, dtype):
    values = randn(2, 96, 64, dtype=dtype).transpose(1, 2)
    kernels = module("prototype.moe_training.kernels.float8_rowwise")
    codes, scales = kernels.triton_fp8_colwise_3d_scale_and_cast(values, F8, False)
    scale = scale_of(values.abs().amax(1, keepdim=True))
    equal(corpus, "scales", scales.reshape(scale.shape), scale)
    equal(corpus, "codes", codes.double(), cast(values, scale))


@all_dtypes
def test_float8_of_groups_of_two_tensors(corpus, dtype):
    left, right = randn(64, 96, dtype=dtype), randn(64, 48, dtype=dtype, seed=1)
    ends = torch.tensor([16, 64], dtype=torch.int32)
    kernels = module("prototype.moe_training.kernels.jagged_float8_scales")
    found = kernels.triton_fp8_per_group_colwise_scales_dual(left, right, ends, F8, False)
    for values, codes, scales in ((left, *found[:2]), (right, *found[2:])):
        expected = group_codes(values.T, ends.tolist(), False)
        equal(corpus, "scales", scales, expected[0])
        equal(corpus, "codes", codes.double().T, expected[1])


def quotient(values: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """float32 quotient rounded to float8: as float64 values."""
    return (values.float() / scale).to(F8).double()


@all_dtypes
def test_float8_of_blocks(corpus, dtype):
    kernels = module("kernel.blockwise_quantization")
    values = randn(64, 96, dtype=dtype)
    codes, scales = kernels.fp8_blockwise_act_quant(values, BLOCK, F8)
    rows = values.float().view(64, 3, BLOCK)
    scale = rows.abs().amax(-1) / 448.0
    equal(corpus, "scales of row blocks", scales, scale)
    equal(corpus, "codes of row blocks", codes.double(), quotient(rows, scale[..., None]).view(64, 96))
    codes, scales = kernels.fp8_blockwise_weight_quant(values, BLOCK, F8)
    tiles = values.float().view(2, BLOCK, 3, BLOCK)
    scale = tiles.abs().amax((1, 3)) / 448.0
    equal(corpus, "scales of tiles", scales, scale)
    equal(corpus, "codes of tiles", codes.double(), quotient(tiles, scale[:, None, :, None]).view(64, 96))
    back = kernels.fp8_blockwise_weight_dequant(codes, scales, BLOCK)
    wide = scale.repeat_interleave(BLOCK, 0).repeat_interleave(BLOCK, 1)
    equal(corpus, "values again", back, (codes.float() * wide).to(back.dtype))


def test_block_scaled_product(corpus):
    kernels = module("kernel.blockwise_quantization")
    a, a_s = kernels.fp8_blockwise_act_quant(randn(40, 256), 128, F8)
    b, b_s = kernels.fp8_blockwise_weight_quant(randn(128, 256, seed=1), 128, F8)
    left = a.double() * a_s.double().repeat_interleave(128, 1)
    right = b.double() * b_s.double().repeat_interleave(128, 0).repeat_interleave(128, 1)
    agree(corpus, "values", kernels.blockwise_fp8_gemm(a, a_s, b, b_s, 128), left @ right.T, Accuracy(2, 256))


@all_dtypes
def test_scaled_8_bit_product(corpus, dtype):
    a, b = (t // 8 for t in integer_matrices(64, 48, 64))
    rows, columns = randn(64, dtype=dtype), randn(48, dtype=dtype, seed=1)
    out = module("prototype.quantized_training.int8_mm").scaled_int8_mm_cuda(a, b, rows, columns)
    agree(
        corpus,
        "values",
        out,
        (a.long() @ b.long()).double() * rows.double()[:, None] * columns.double(),
        Accuracy(3, 2),
    )


@pytest.mark.parametrize("mode", ["floor", "rceil"])
@pytest.mark.parametrize("rows", [True, False], ids=["rows", "columns"])
def test_mxfp8_quantisation(corpus, mode, rows):
    """Kernels for Blackwell, where the scale is rounded up by an instruction of its own; the module looks at the GPU
    when it is read, so it is read again for this one."""
    import importlib

    import lockstep

    name = "torchao.prototype.mx_formats.kernels"
    try:
        with lockstep.options(target="sm_100"):
            kernels = importlib.reload(importlib.import_module(name))
            values = randn(512, 256, dtype=torch.bfloat16, scale=3.0)
            function = kernels.triton_to_mxfp8_dim0 if rows else kernels.triton_to_mxfp8_dim1
            codes, scales = function(values, 32, mode)
    finally:
        importlib.reload(importlib.import_module(name))
    blocks = (values if rows else values.T).float().reshape(-1, 8 if rows else 16, 32)
    largest = blocks.abs().amax(-1)
    fraction, exponent = torch.frexp(largest * (1.0 / 448.0) if mode == "rceil" else largest)
    exponent = exponent - (fraction == 0.5).int() if mode == "rceil" else exponent - 1 - 8
    scaled = (blocks * torch.exp2(-exponent.float())[..., None]).clamp(-448, 448).to(F8)
    equal(corpus, "exponents", scales.view(torch.uint8).reshape(exponent.shape), exponent + 127)
    codes = codes if rows else codes.T
    equal(corpus, "codes", codes.double(), scaled.double().reshape(codes.shape))
