# args: run {file}::layer_norm --grid 5 --check all --fail-on warning x=rand:f32[5,50] weight=randn:f32[50] bias=randn:f32[50] out=zeros:f32[5,50] stride=50 columns=50 eps=1e-5 BLOCK=64 --expect out=@{folder}/../reference.npy
"""The 14 lanes behind a row are 0 in the mean, but -mean in the variance."""

import triton
import triton.language as tl


@triton.jit
def layer_norm(x, weight, bias, out, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    mask = column < columns
    v = tl.load(x + row * stride + column, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    d = v - mean
    variance = tl.sum(d * d, axis=0) / columns
    y = d / tl.sqrt(variance + eps)
    y = y * tl.load(weight + column, mask=mask, other=0.0) + tl.load(bias + column, mask=mask, other=0.0)
    tl.store(out + row * stride + column, y, mask=mask)
