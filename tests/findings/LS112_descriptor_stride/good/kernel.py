# args: run {file}::copy --grid 1 "x=view(buffer, shape=[32,36], strides=[40,1])" buffer=randn:f16[32,40] out=zeros:f16[16,32] rows=32 columns=36 row_stride=40
"""Rows are padded to 80 bytes."""
import triton
import triton.language as tl


@triton.jit
def copy(x, out, rows, columns, row_stride):
    source = tl.make_tensor_descriptor(x, [rows, columns], [row_stride, 1], [16, 32])
    block = source.load([0, 0])
    tl.store(out + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :], block)
