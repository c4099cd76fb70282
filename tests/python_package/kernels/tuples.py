"""Kernels whose arguments are tuples, and kernels that are tuned, for test_standalone_tuples.py and tests/golden/arguments/tuples.args."""

from typing import NamedTuple

import triton
import triton.language as tl


class Vector(NamedTuple):
    data: tl.tensor
    size: tl.tensor


@triton.jit
def weighted(sources, weights, out, n, SHAPE: tl.constexpr = (8, 4)):
    rows: tl.constexpr = SHAPE[0]
    columns: tl.constexpr = SHAPE[1]
    lanes = tl.arange(0, rows)[:, None] * columns + tl.arange(0, columns)[None, :]
    total = tl.zeros((rows, columns), tl.float32)
    for i in tl.static_range(len(sources)):
        if weights[i] is not None:
            total += tl.load(sources[i] + lanes, mask=lanes < n, other=0.0) * weights[i]
    tl.store(out + lanes, total, mask=lanes < n)


@triton.jit
def copy_vector(source, target, pair, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    shift, (scale, offset) = pair
    value = tl.load(source.data + lanes, mask=lanes < source.size, other=0.0)
    tl.store(target.data + lanes, value * scale + offset + shift, mask=lanes < target.size)


@triton.autotune(configs=[triton.Config({"BLOCK": 32}, num_warps=2), triton.Config({"BLOCK": 64}, num_warps=8)], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0, "RANK": lambda args: args["x"].ndim})
@triton.jit
def tuned(x, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, RANK: tl.constexpr):
    tl.store(out + 0, BLOCK)
    tl.store(out + 1, EVEN)
    tl.store(out + 2, RANK)
    tl.store(out + 3, n)
