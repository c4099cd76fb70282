"""Kernels that the tests of the Triton backend share. Each is small, and its result is known by hand."""

import triton
import triton.language as tl

WIDTH = tl.constexpr(3)


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, i < n) + tl.load(y + i, i < n), i < n)


@triton.jit
def scale(x, factor, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, i < n) * factor, i < n)


@triton.jit
def count(counter):
    tl.atomic_add(counter, 1)


@triton.jit
def row_softmax(out, x, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, i < columns, -float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * columns + i, e / tl.sum(e, 0), i < columns)


@triton.jit
def asserts_small(x, limit):
    v = tl.load(x)
    tl.device_assert(v < limit, "too large")
    tl.store(x, v + 1)


@triton.jit
def overflows(x, a):
    tl.store(x, tl.load(x) + a)


@triton.jit(noinline=True)
def tripled(v):
    return v + v + v


@triton.jit
def calls(x):
    tl.store(x, tripled(tl.load(x)))


@triton.jit
def takes_tuple(out, values, pointers):
    tl.store(out, values[0] + values[1] + tl.load(pointers[0]))


@triton.jit
def takes_optional(out, bias, KIND: tl.constexpr, DTYPE: tl.constexpr, FUNCTION: tl.constexpr):
    v = tl.full((), 2, DTYPE)
    if bias is not None:
        v = v + tl.load(bias).to(DTYPE)
    if KIND == "tripled":
        v = FUNCTION(v)
    tl.store(out, v)


@triton.jit(do_not_specialize=["n"])
def unspecialised(out, n):
    tl.store(out, n)


@triton.jit
def programs(out):
    p = tl.program_id(0) + 10 * tl.program_id(1) + 100 * tl.program_id(2)
    n = tl.num_programs(0) * tl.num_programs(1) * tl.num_programs(2)
    tl.atomic_add(out, n * 0 + p + 1)


@triton.jit
def copy_described(source, target, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    target.store([0, 0], source.load([ROWS, 0]) + 1.0)


@triton.jit
def takes_descriptor_in_tuple(pair, out, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(out + i[:, None] * SIZE + i[None, :], pair[0].load([0, 0]) + pair[1])


@triton.jit
def fenced(x):
    v = tl.load(x)
    v = tl.inline_asm_elementwise("wgmma.fence.sync.aligned; mov.b32 $0, $1;", "=r,r", [v], tl.int32, True, 1)
    tl.store(x, v)


@triton.jit
def copy_made(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, columns], [columns, 1], [ROWS, COLUMNS])
    target = tl.make_tensor_descriptor(out, [rows, columns], [columns, 1], [ROWS, COLUMNS])
    target.store([0, 0], source.load([0, 0]) * 2.0)


@triton.jit
def asks_target(out):
    from_target: tl.constexpr = triton.language.target_info.cuda_capability_geq(9, 0)
    tl.store(out, 1 if from_target else 0)


@triton.jit
def wrong_shapes(x):
    i = tl.arange(0, 16) + tl.arange(0, 8)
    tl.store(x + i, i)


@triton.jit
def uses_global(x):
    tl.store(x, WIDTH)
