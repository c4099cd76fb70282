# args: run {file}::copy --grid 1 x=randn:f16[32,36] out=zeros:f16[16,32] rows=32 columns=36 row_stride=36
"""Rows of 36 halves are 72 bytes apart: no multiple of 16 bytes, and the GPU reads other rows than these."""
import triton
import triton.language as tl


@triton.jit
def copy(x, out, rows, columns, row_stride):
    source = tl.make_tensor_descriptor(x, [rows, columns], [row_stride, 1], [16, 32])
    block = source.load([0, 0])
    tl.store(out + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :], block)
