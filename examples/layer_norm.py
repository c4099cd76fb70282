"""Layer norm of f16 rows with f32 statistics, in pieces of BLOCK columns: mean, then variance, then the scaled row.

lockstep run examples/layer_norm.py::layer_norm --grid rows x=randn:f16[151,700] weight=rand:f16[700] bias=randn:f16[700] out=empty:f16[151,700] mean=empty:f32[151] rstd=empty:f32[151] x_stride=700 rows=151 columns=700 eps=1e-5 BLOCK=256 --print out
"""

import triton
import triton.language as tl


@triton.jit
def layer_norm(x, weight, bias, out, mean, rstd, x_stride, rows, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * x_stride
    out += row * x_stride

    total = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        total += tl.load(x + column, mask=column < columns, other=0.0).to(tl.float32)
    row_mean = tl.sum(total, axis=0) / columns

    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        value = tl.load(x + column, mask=column < columns, other=0.0).to(tl.float32)
        distance = tl.where(column < columns, value - row_mean, 0.0)
        squares += distance * distance
    row_rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)

    tl.store(mean + row, row_mean)
    tl.store(rstd + row, row_rstd)
    for first in range(0, columns, BLOCK):
        column = first + tl.arange(0, BLOCK)
        inside = column < columns
        scale = tl.load(weight + column, mask=inside)
        shift = tl.load(bias + column, mask=inside)
        value = tl.load(x + column, mask=inside, other=0.0).to(tl.float32)
        tl.store(out + column, (value - row_mean) * row_rstd * scale + shift, mask=inside)
