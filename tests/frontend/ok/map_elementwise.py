"""Functions of scalars applied to blocks, with branches, several results and packs."""
# spec: x=*fp32 i=*i32 o=*fp32 BLOCK=1024
import triton
import triton.language as tl


@triton.jit
def leaky(value, slope):
    if value > 0:
        result = value
    else:
        result = slope * value
    return result


@triton.jit
def both(value, count):
    return value * 2, count + 1


@triton.jit
def pairs(a0, a1, b0, b1):
    return a0 + b1, a1 + b0, a0 > b0, a1 > b1


@triton.jit
def alone(value):
    return (value * 3,)


@triton.jit
def kernel(x, i, o, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes)
    b = tl.load(i + lanes)
    c = tl.map_elementwise(leaky, a, a + 1)
    grid = tl.map_elementwise(leaky, a[:, None], tl.arange(0, 4)[None, :].to(tl.float32))
    value, count = tl.map_elementwise(both, a, b)
    c += tl.map_elementwise(alone, a)[0]
    total, larger = tl.map_elementwise(pairs, a, c, pack=2)
    tl.store(o + lanes, c + value + count + total + larger + tl.sum(grid, 1))
