"""torchao's kernels: conversion of tensors to float8 by one, per-row or per-group scales (exact: a scale is one
division, a code one multiplication and one rounding), MX formats (exact), integer products (exact), the int4 mixed
product against float64."""

from __future__ import annotations

import importlib

import pytest
import torch
from support.autograd import Accuracy, agree, all_dtypes, equal, randn

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
    # The kernel that writes only the transpose has the mask of its store transposed: right for square tensors of whole
    # blocks.
    values = randn(64, 64, dtype=dtype) if layout[0] == "hp_to_fp8_row_major_t" else randn(48, 80, dtype=dtype)
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


@all_dtypes
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


def group_codes(values: torch.Tensor, ends: list[int], rounded: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Scales and codes with one scale per row and group of columns, the groups ending at `ends`; scales of the groups
    in turn."""
    scales, codes = [], []
    for begin, end in zip([0, *ends[:-1]], ends):
        scale = power_of_two(scale_of(values[:, begin:end].abs().amax(1)), rounded)
        scales.append(scale)
        codes.append(cast(values[:, begin:end], scale[:, None]))
    return torch.cat(scales), torch.cat(codes, 1)


@all_dtypes
@pytest.mark.parametrize("rounded", [False, True], ids=["exact", "power-of-two"])
def test_float8_of_groups_of_rows(corpus, dtype, rounded):
    kernels = module("prototype.moe_training.kernels.jagged_float8_scales")
    values, ends = randn(64, 96, dtype=dtype), torch.tensor([16, 64], dtype=torch.int32)
    codes, scales = kernels.triton_fp8_per_group_colwise_scales(values, ends, F8, rounded)
    expected = group_codes(values.T, ends.tolist(), rounded)
    equal(corpus, "scales", scales, expected[0])
    equal(corpus, "codes", codes.double().T, expected[1])


@all_dtypes
@pytest.mark.parametrize("rounded", [False, True], ids=["exact", "power-of-two"])
def test_float8_of_groups_of_columns(corpus, dtype, rounded):
    """The package's own function passes 1 for the stride of its row-major output's rows, so that rows overwrite each
    other; the kernel is launched here with the output's stride."""
    import triton
    import triton.language as tl

    kernels = module("prototype.moe_training.kernels.jagged_float8_scales")
    rows, columns = 64, 96
    values, ends = randn(rows, columns, dtype=dtype), torch.tensor([32, 96], dtype=torch.int32)
    codes, scales = torch.empty(rows, columns, dtype=F8), torch.empty(rows * 2)
    kernels._triton_fp8_per_group_rowwise_scales_kernel[lambda meta: (triton.cdiv(rows, meta["BLOCK_SIZE"]), 2)](
        values,
        ends,
        codes,
        scales,
        rows,
        columns,
        2,
        columns,
        1,
        -LARGEST,
        LARGEST,
        kernels.FP8_DTYPE_MAP[dtype],
        tl.float8e4nv,
        rounded,
        EPS=EPS,
        STRIDE_OUTPUT_ROW=columns,
        STRIDE_INPUT_COL=1,
    )
    expected = group_codes(values, ends.tolist(), rounded)
    equal(corpus, "scales", scales, expected[0])
    equal(corpus, "codes", codes.double(), expected[1])


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


def blocks_of_32():
    import triton

    return triton.Config({"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32, "GROUP_M": 8}, num_stages=2, num_warps=2)


@pytest.mark.parametrize("m,n,k", [(64, 48, 64), (70, 33, 51)])
def test_integer_product(corpus, m, n, k):
    kernels = module("kernel.intmm_triton")
    a, b = integer_matrices(m, n, k)
    out = kernels.int_matmul_kernel(a, b, torch.empty(m, n, dtype=torch.int32), blocks_of_32())
    equal(corpus, "sums", out, a.long() @ b.long())


@all_dtypes
@pytest.mark.parametrize("m,n,k", [(64, 48, 64), (70, 33, 51)])
def test_scaled_integer_product(corpus, dtype, m, n, k):
    kernels = module("kernel.intmm_triton")
    a, b = (t // 8 for t in integer_matrices(m, n, k))  # so that sums stay in float16's range
    scales = randn(m, 1, dtype=dtype)
    out = kernels.int_scaled_matmul_kernel(a, b, scales, torch.empty(m, n, dtype=dtype), blocks_of_32())
    # The sum is converted to the scale's type before the product: two roundings.
    agree(corpus, "values", out, (a.long() @ b.long()).double() * scales.double(), Accuracy(2, 2))


@all_dtypes
@pytest.mark.parametrize("transposed", [False, True], ids=["plain", "transposed"])
def test_mixed_int4_product(corpus, dtype, transposed):
    functions = module("prototype.hqq.mixed_mm")
    rows, k, n, group = 32, 128, 64, 32  # a group is a block: see the last test
    codes = torch.randint(0, 16, (k, n), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
    scales, zeros = randn(k // group, n, dtype=dtype, seed=1, scale=0.1), randn(k // group, n, dtype=dtype, seed=2) + 8
    a = randn(rows, n if transposed else k, dtype=dtype, seed=3)
    out = functions.triton_mixed_mm(
        a,
        functions.pack_2xint4(codes),
        scales,
        zeros,
        group,
        transposed=transposed,
        kernel_type="debug",
        BLOCK_M=16,
        BLOCK_N=32,
        BLOCK_K=32,
    )

    def wide(t):
        return t.double().repeat_interleave(group, 0)

    # The weights are dequantised in the type of the activations: a subtraction and a product are rounded.
    weight = (codes.double() - wide(zeros)) * wide(scales)
    agree(corpus, "values", out, a.double() @ (weight.T if transposed else weight), Accuracy(4, 128))


def test_accesses_past_the_end_are_reported(corpus):
    """Errors of torchao's own, which a GPU does not show: an even K counts as a multiple of the block, the offset of a
    group's scales is divided before it is multiplied by the row's length, a transposed store has an untransposed
    mask."""
    import lockstep

    kernels, functions = module("kernel.intmm_triton"), module("prototype.hqq.mixed_mm")
    a, b = integer_matrices(70, 33, 50)
    with pytest.raises(lockstep.KernelError, match="out-of-bounds read: b_ptr"):
        kernels.int_scaled_matmul_kernel(a, b, randn(70, 1), torch.empty(70, 33), blocks_of_32())
    codes = torch.zeros(64, 64, dtype=torch.uint8)
    scales = torch.zeros(2, 64)
    with pytest.raises(lockstep.KernelError, match="out-of-bounds read: scales_ptr"):
        functions.triton_mixed_mm(
            randn(32, 128), codes, scales, scales, 64, kernel_type="debug", BLOCK_M=16, BLOCK_N=32, BLOCK_K=32
        )
    quantise = module("prototype.float8nocompile.kernels.fp8_dynamic_tensorwise").hp_to_fp8_row_major_t
    with pytest.raises(lockstep.KernelError, match="out-of-bounds write: out_ptr"):
        quantise(randn(80, 80), F8, module("float8.float8_training_tensor").LinearMMConfig())
