"""torchao's kernels: conversion of tensors to float8 by one, per-row or per-group scales (exact: a scale is one division, a code one
multiplication and one rounding), MX formats (exact), integer products (exact), the int4 mixed product against float64."""

from __future__ import annotations

import importlib

import pytest
import torch
from support.autograd import Accuracy, agree, all_dtypes, equal, half_dtypes, randn

F8 = torch.float8_e4m3fn
LARGEST = torch.finfo(F8).max
EPS = 1e-12


def module(name: str):
    return importlib.import_module(f"torchao.{name}")


def scale_of(largest: torch.Tensor) -> torch.Tensor:
    """The float32 nearest to 448 / largest, divided in float64."""
    return (LARGEST / largest.double().clamp(min=EPS)).float()


def cast(values: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """float32 product, clamped, rounded to float8: as float64 values."""
    return (values.float() * scale).clamp(-LARGEST, LARGEST).to(F8).double()


LAYOUTS = {  # name -> (function, what its one or two outputs are of the codes)
    "row": ("hp_to_fp8_row_major", (lambda c: c,)),
    "row-t": ("hp_to_fp8_row_major_t", (lambda c: c.T,)),
    "col": ("hp_to_fp8_col_major", (lambda c: c,)),
    "col-t": ("hp_to_fp8_col_major_t", (lambda c: c.T,)),
    "row-and-col": ("hp_to_fp8_row_and_col_major", (lambda c: c, lambda c: c)),
    "row-t-and-row": ("hp_to_fp8_row_major_t_and_non_t", (lambda c: c, lambda c: c.T)),
    "col-t-and-col": ("hp_to_fp8_col_major_t_and_non_t", (lambda c: c, lambda c: c.T)),
}


@all_dtypes
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
@pytest.mark.parametrize("algorithm", ["atomic_max", "reduction"])
def test_float8_of_a_whole_tensor(corpus, dtype, layout, algorithm):
    kernels = module("prototype.float8nocompile.kernels.fp8_dynamic_tensorwise")
    values = randn(48, 80, dtype=dtype)
    config = module("float8.float8_training_tensor").LinearMMConfig()
    found = getattr(kernels, layout[0])(values, F8, config, algo=kernels.KernelAlgorithm(algorithm))
    found = found if isinstance(found, tuple) else (found,)
    scale = scale_of(values.abs().max())
    codes = cast(values, scale)
    assert len(found) == len(layout[1])
    for tensor, expected in zip(found, layout[1]):
        equal(corpus, "scale", tensor._scale, scale)
        equal(corpus, "codes", tensor._data.double(), expected(codes))


def power_of_two(scale: torch.Tensor, rounded: bool) -> torch.Tensor:
    return torch.exp2(torch.floor(torch.log2(scale))) if rounded else scale


@half_dtypes
@pytest.mark.parametrize("rounded", [False, True], ids=["exact", "power-of-two"])
@pytest.mark.parametrize("fused", [False, True], ids=["atomic", "reduction"])
def test_float8_of_rows_of_experts(corpus, dtype, rounded, fused):
    kernels = module("prototype.moe_training.kernels.float8_rowwise")
    values = randn(2, 64, 96, dtype=dtype)
    name = "triton_fp8_rowwise_3d_transpose_rhs" + ("_fused_reduction" if fused else "")
    codes, scales = getattr(kernels, name)(values, F8, rounded)
    scale = power_of_two(scale_of(values.abs().amax(2)), rounded)
    equal(corpus, "scales", scales.reshape(scale.shape), scale)
    equal(corpus, "codes", codes.double(), cast(values, scale[..., None]).mT)


@half_dtypes
@pytest.mark.parametrize("columns", [False, True], ids=["rows", "columns"])
@pytest.mark.parametrize("rounded", [False, True], ids=["exact", "power-of-two"])
def test_float8_of_groups(corpus, dtype, columns, rounded):
    """One scale per row and group of columns, or per column and group of rows; groups end at the offsets."""
    kernels = module("prototype.moe_training.kernels.jagged_float8_scales")
    values, ends = randn(64, 96, dtype=dtype), torch.tensor([16, 64] if columns else [32, 96], dtype=torch.int32)
    name = "triton_fp8_per_group_colwise_scales" if columns else "triton_fp8_per_group_rowwise_scales"
    codes, scales = getattr(kernels, name)(values, ends, F8, rounded)
    if columns:
        values, codes = values.T, codes.T
    wanted, parts = [], []
    for begin, end in zip([0, *ends[:-1].tolist()], ends.tolist()):
        scale = power_of_two(scale_of(values[:, begin:end].abs().amax(1)), rounded)
        wanted.append(scale)
        parts.append(cast(values[:, begin:end], scale[:, None]))
    equal(corpus, "scales", scales, torch.cat(wanted))
    equal(corpus, "codes", codes.double(), torch.cat(parts, 1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["f32", "bf16"])
def test_mxfp8_dequantisation(corpus, dtype):
    draw = torch.Generator().manual_seed(0)
    data = randn(40, 128, scale=20.0).to(F8)
    exponents = torch.randint(120, 134, (40, 4), dtype=torch.uint8, generator=draw)
    exponents[3, 1] = 255  # NaN in E8M0
    out = module("prototype.mx_formats.kernels").triton_mxfp8_dequant_dim0(data, exponents, dtype, 32)
    scale = torch.exp2(exponents.double() - 127).masked_fill(exponents == 255, float("nan"))
    equal(corpus, "values", out, (data.double() * scale.repeat_interleave(32, 1)).to(dtype))


@pytest.mark.parametrize("rows,columns", [(128, 4), (200, 10)])
def test_mx_scale_layout(corpus, rows, columns):
    scales = torch.randint(0, 256, (rows, columns), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
    out = module("prototype.mx_formats.kernels").triton_mx_block_rearrange(scales)
    high, wide = -(-rows // 128), -(-columns // 4)
    padded = torch.zeros(high * 128, wide * 4, dtype=torch.uint8)
    padded[:rows, :columns] = scales
    tiles = padded.view(high, 128, wide, 4).permute(0, 2, 1, 3)  # tile row, tile column, row, column
    expected = tiles.reshape(high, wide, 4, 32, 4).transpose(2, 3)  # row % 32, row // 32, column
    equal(corpus, "bytes", out.reshape(-1), expected.reshape(-1))


def integer_matrices(m: int, n: int, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    draw = torch.Generator().manual_seed(0)
    return tuple(torch.randint(-128, 128, shape, dtype=torch.int8, generator=draw) for shape in ((m, k), (k, n)))


def first_config(kernels):
    return kernels.int8_mm_kernel_configs[0] if hasattr(kernels, "int8_mm_kernel_configs") else None


@pytest.mark.parametrize("m,n,k", [(64, 48, 64), (70, 33, 50)])
def test_integer_product(corpus, m, n, k):
    import triton

    kernels = module("kernel.intmm_triton")
    a, b = integer_matrices(m, n, k)
    config = triton.Config({"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32, "GROUP_M": 8}, num_stages=2, num_warps=2)
    out = kernels.int_matmul_kernel(a, b, torch.empty(m, n, dtype=torch.int32), config)
    equal(corpus, "sums", out, a.long() @ b.long())


@all_dtypes
@pytest.mark.parametrize("m,n,k", [(64, 48, 64), (70, 33, 50)])
def test_scaled_integer_product(corpus, dtype, m, n, k):
    import triton

    kernels = module("kernel.intmm_triton")
    a, b = integer_matrices(m, n, k)
    scales = randn(m, 1, dtype=dtype)
    config = triton.Config({"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32, "GROUP_M": 8}, num_stages=2, num_warps=2)
    out = kernels.int_scaled_matmul_kernel(a, b, scales, torch.empty(m, n, dtype=dtype), config)
    # The sum is converted to the scale's type before the product: two roundings.
    agree(corpus, "values", out.clamp(-6e4, 6e4), ((a.long() @ b.long()).double() * scales.double()).clamp(-6e4, 6e4), Accuracy(2, 2))


@all_dtypes
@pytest.mark.parametrize("transposed", [False, True], ids=["plain", "transposed"])
def test_mixed_int4_product(corpus, dtype, transposed):
    functions = module("prototype.hqq.mixed_mm")
    rows, k, n, group = 32, 128, 64, 64
    codes = torch.randint(0, 16, (k, n), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
    scales, zeros = randn(k // group, n, dtype=dtype, seed=1, scale=0.1), randn(k // group, n, dtype=dtype, seed=2) + 8
    a = randn(rows, n if transposed else k, dtype=dtype, seed=3)
    out = functions.triton_mixed_mm(a, functions.pack_2xint4(codes), scales, zeros, group, transposed=transposed,
                                    kernel_type="debug", BLOCK_M=16, BLOCK_N=32, BLOCK_K=32)
    wide = (lambda t: t.double().repeat_interleave(group, 0))
    # The weights are dequantised in the type of the activations: a subtraction and a product are rounded.
    weight = (codes.double() - wide(zeros)) * wide(scales)
    agree(corpus, "values", out, a.double() @ (weight.T if transposed else weight), Accuracy(4, 128))
