"""A package beside its tests: sums of rows, for contiguous tensors of at most 128 columns, of which only one is checked."""

import torch
import triton
import triton.language as tl


@triton.jit
def row_sum(x, out, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(out + row, tl.sum(tl.load(x + row * columns + at, mask=at < columns, other=0), 0))


def row_sums(x):
    assert x.shape[1] != 13, "13 columns are not taken"
    out = torch.empty(x.shape[0], dtype=x.dtype)
    row_sum[(x.shape[0],)](x, out, x.shape[1], BLOCK=128)
    return out
