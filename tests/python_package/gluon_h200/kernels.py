"""Gluon kernels for Hopper, under the names of Triton 3.6. cases.py has their launches; what an H200 stored is in recorded.json."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)

LANES = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
ROWS = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
COLUMNS = gl.constexpr(gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1]))
CELLS = gl.constexpr(gl.SwizzledSharedLayout(vec=4, per_phase=1, max_phase=8, order=[1, 0]))
LINE = gl.constexpr(gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[0]))


@gluon.jit
def places(M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr):
    """Offsets of an M x N tile of rows of N."""
    r = gl.arange(0, M, gl.SliceLayout(1, layout))[:, None]
    return r * N + gl.arange(0, N, gl.SliceLayout(0, layout))[None, :]


@gluon.jit
def barriers(count: gl.constexpr, arrivals: gl.constexpr):
    made = gl.allocate_shared_memory(gl.int64, [count, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(count):
        mbarrier.init(made.index(i), count=arrivals)
    return made


# ---- one group of warps, no asynchrony ----


@gluon.jit
def gelu(x, y, out, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LANES)
    inside = at < n
    value = gl.load(x + at, mask=inside, other=0.0) * 1.5 + gl.load(y + at, mask=inside, other=0.0)
    inner = 0.79788456 * (value + 0.044715 * value * value * value)
    tanh = 1.0 - 2.0 / (gl.exp(2.0 * inner) + 1.0)
    gl.store(out + at, 0.5 * value * (1.0 + tanh), mask=inside)


@gluon.jit
def softmax(x, out, M: gl.constexpr, N: gl.constexpr):
    at = gl.program_id(0) * M * N + places(M, N, ROWS)
    value = gl.load(x + at)
    shifted = gl.exp(value - gl.max(value, 1)[:, None])
    gl.store(out + at, shifted / gl.sum(shifted, 1)[:, None])


@gluon.jit
def layer_norm(x, weight, out, M: gl.constexpr, N: gl.constexpr):
    at = gl.program_id(0) * M * N + places(M, N, ROWS)
    value = gl.load(x + at).to(gl.float32)
    centred = value - (gl.sum(value, 1) / N)[:, None]
    scale = gl.rsqrt(gl.sum(centred * centred, 1) / N + 1e-5)
    w = gl.load(weight + gl.arange(0, N, gl.SliceLayout(0, ROWS)))
    gl.store(out + at, (centred * scale[:, None] * w[None, :]).to(gl.float16))


@gluon.jit
def sums_of_columns(x, out, M: gl.constexpr, N: gl.constexpr):
    """Sums over the first axis in a layout that was converted: the order of additions is the second layout's."""
    value = gl.convert_layout(gl.load(x + places(M, N, ROWS)), COLUMNS)
    total = gl.sum(value, 0)
    gl.store(out + gl.arange(0, N, gl.SliceLayout(0, COLUMNS)), total)


@gluon.jit
def transposed(x, out, M: gl.constexpr, N: gl.constexpr):
    stage = gl.allocate_shared_memory(gl.float32, [M, N], CELLS, gl.load(x + places(M, N, ROWS)))
    gl.store(out + places(N, M, ROWS), stage.permute([1, 0]).load(ROWS))


@gluon.jit
def add(a, b):
    return a + b


@gluon.jit
def cumulative(x, out, M: gl.constexpr, N: gl.constexpr):
    at = places(M, N, ROWS)
    gl.store(out + at, gl.associative_scan(gl.load(x + at), 1, add))


@gluon.jit
def larger(value, index, other, other_index):
    takes = (value > other) | ((value == other) & (index < other_index))
    return gl.where(takes, value, other), gl.where(takes, index, other_index)


@gluon.jit
def arg_max(x, out, which, M: gl.constexpr, N: gl.constexpr):
    value = gl.load(x + places(M, N, ROWS))
    column = gl.arange(0, N, gl.SliceLayout(0, ROWS))[None, :] + gl.zeros([M, N], gl.int32, ROWS)
    best, index = gl.reduce((value, column), 1, larger)
    r = gl.arange(0, M, gl.SliceLayout(1, ROWS))
    gl.store(out + r, best)
    gl.store(which + r, index)


@gluon.jit
def counted(x, bins, BLOCK: gl.constexpr, BINS: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LANES)
    counts = gl.histogram(gl.load(x + at), BINS, layout=LANES)
    gl.atomic_add(bins + gl.arange(0, BINS, LANES), counts)


@gluon.jit
def pairs(x, out, BLOCK: gl.constexpr):
    """Join, split, and half precision in between."""
    at = gl.arange(0, BLOCK, LANES)
    a, b = gl.load(x + at), gl.load(x + BLOCK + at)
    joined = gl.join(a.to(gl.float16) * 0.3, b.to(gl.float16))
    left, right = gl.split(joined * joined + joined)
    back = gl.convert_layout(left.to(gl.float32) - right.to(gl.float32), LANES)
    gl.store(out + at, back)


# ---- copies ----


@gluon.jit
def ring(x, out, tiles, BLOCK: gl.constexpr, STAGES: gl.constexpr, LEFT: gl.constexpr):
    """Sums by cp.async; right with LEFT = STAGES - 2."""
    held = gl.allocate_shared_memory(gl.float32, [STAGES, BLOCK], LINE)
    at = gl.arange(0, BLOCK, LANES)
    for i in gl.static_range(STAGES - 1):
        async_copy.async_copy_global_to_shared(held.index(i), x + i * BLOCK + at)
        async_copy.commit_group()
    total = gl.zeros([BLOCK], gl.float32, LANES)
    for i in range(tiles):
        async_copy.wait_group(LEFT)
        total += held.index(i % STAGES).load(LANES)
        ahead = i + STAGES - 1
        inside = (ahead * BLOCK + at) < tiles * BLOCK
        async_copy.async_copy_global_to_shared(held.index(ahead % STAGES), x + ahead * BLOCK + at, mask=inside)
        async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + at, total)


@gluon.jit
def boxes(source, target, M: gl.constexpr, N: gl.constexpr, WAITS: gl.constexpr):
    """A box in, a box out; the last one leaves the tensor. Right with WAITS."""
    stage = gl.allocate_shared_memory(source.dtype, [M, N], source.layout)
    ready = barriers(1, 1)
    row, column = gl.program_id(0) * M, gl.program_id(1) * N
    mbarrier.expect(ready.index(0), source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [row, column], ready.index(0), stage)
    mbarrier.wait(ready.index(0), 0, pred=WAITS)
    value = stage.load(ROWS)
    mbarrier.wait(ready.index(0), 0)
    stage.store(value * value + value)
    fence_async_shared()
    tma.async_copy_shared_to_global(target, [row, column], stage)
    tma.store_wait(0)


@gluon.jit
def persistent(source, target, tiles, M: gl.constexpr, N: gl.constexpr):
    """A program takes every other box; a store is in flight while the next box comes."""
    stage = gl.allocate_shared_memory(source.dtype, [2, M, N], source.layout)
    ready = barriers(2, 1)
    turn = 0
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        slot = turn % 2
        tma.store_wait(1)
        mbarrier.expect(ready.index(slot), source.block_type.nbytes)
        tma.async_copy_global_to_shared(source, [tile * M, 0], ready.index(slot), stage.index(slot))
        mbarrier.wait(ready.index(slot), (turn // 2) & 1)
        value = stage.index(slot).load(ROWS)
        stage.index(slot).store(value * 0.5 + 1.0)
        fence_async_shared()
        tma.async_copy_shared_to_global(target, [tile * M, 0], stage.index(slot))
        turn += 1
    tma.store_wait(0)


# ---- products ----


@gluon.jit
def old_product(a, b, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    """mma of the Ampere kind, from registers."""
    product: gl.constexpr = gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[2, 2], instr_shape=[16, 8])
    left = gl.convert_layout(gl.load(a + places(M, K, ROWS)), gl.DotOperandLayout(0, product, 2))
    right = gl.convert_layout(gl.load(b + places(K, N, ROWS)), gl.DotOperandLayout(1, product, 2))
    total = mma_v2(left, right, gl.zeros([M, N], gl.float32, product))
    gl.store(out + places(M, N, product), total)


@gluon.jit
def product_of_boxes(a, b, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, DEEP: gl.constexpr, element: gl.constexpr):
    """One product of the Hopper kind; DEEP: the element's part in the instruction's shape, 256 bits."""
    product: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, N, DEEP])
    left = gl.allocate_shared_memory(a.dtype, [M, K], a.layout)
    right = gl.allocate_shared_memory(b.dtype, [N, K], b.layout)
    ready = barriers(1, 1)
    mbarrier.expect(ready.index(0), a.block_type.nbytes + b.block_type.nbytes)
    tma.async_copy_global_to_shared(a, [0, 0], ready.index(0), left)
    tma.async_copy_global_to_shared(b, [0, 0], ready.index(0), right)
    mbarrier.wait(ready.index(0), 0)
    total = warpgroup_mma(left, right.permute([1, 0]), gl.zeros([M, N], element, product))
    gl.store(out + places(M, N, product), total)


@gluon.jit
def in_flight(a, b, out, steps, out_row, TILE: gl.constexpr, TILE_K: gl.constexpr, STAGES: gl.constexpr):
    """One group of warps; a product is in flight while the copies of the next step start."""
    product: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, TILE, 16])
    left = gl.allocate_shared_memory(a.dtype, [STAGES, TILE, TILE_K], a.layout)
    right = gl.allocate_shared_memory(b.dtype, [STAGES, TILE_K, TILE], b.layout)
    ready = barriers(STAGES, 1)
    row, column = gl.program_id(0) * TILE, gl.program_id(1) * TILE
    for i in gl.static_range(STAGES - 2):
        mbarrier.expect(ready.index(i), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_copy_global_to_shared(a, [row, i * TILE_K], ready.index(i), left.index(i))
        tma.async_copy_global_to_shared(b, [i * TILE_K, column], ready.index(i), right.index(i))
    total = warpgroup_mma_init(gl.zeros([TILE, TILE], gl.float32, product))
    for i in range(steps):
        ahead = i + STAGES - 2
        into = ahead % STAGES
        comes = ahead < steps
        mbarrier.expect(ready.index(into), a.block_type.nbytes + b.block_type.nbytes, pred=comes)
        tma.async_copy_global_to_shared(a, [row, ahead * TILE_K], ready.index(into), left.index(into), pred=comes)
        tma.async_copy_global_to_shared(b, [ahead * TILE_K, column], ready.index(into), right.index(into), pred=comes)
        slot = i % STAGES
        mbarrier.wait(ready.index(slot), (i // STAGES) & 1)
        total = warpgroup_mma_wait(num_outstanding=0, deps=[total])
        total = warpgroup_mma(left.index(slot), right.index(slot), total, is_async=True)
    total = warpgroup_mma_wait(num_outstanding=0, deps=[total])
    gl.store(out + row * out_row + column + gl.arange(0, TILE, gl.SliceLayout(1, product))[:, None] * out_row
             + gl.arange(0, TILE, gl.SliceLayout(0, product))[None, :], total)


@gluon.jit
def attention(q, k, v, out, scale, keys, M: gl.constexpr, N: gl.constexpr, D: gl.constexpr):
    """A block of queries over all keys, with the running maximum."""
    scores: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, N, 16])
    product: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, D, 16])
    per_score: gl.constexpr = gl.SliceLayout(1, scores)
    queries = gl.allocate_shared_memory(q.dtype, [M, D], q.layout)
    held_k = gl.allocate_shared_memory(k.dtype, [N, D], k.layout)
    held_v = gl.allocate_shared_memory(v.dtype, [N, D], v.layout)
    ready = barriers(2, 1)
    row = gl.program_id(0) * M
    mbarrier.expect(ready.index(0), q.block_type.nbytes)
    tma.async_copy_global_to_shared(q, [row, 0], ready.index(0), queries)
    mbarrier.wait(ready.index(0), 0)
    highest = gl.full([M], float("-inf"), gl.float32, per_score)
    weight = gl.zeros([M], gl.float32, per_score)
    total = gl.zeros([M, D], gl.float32, product)
    for i in range(keys // N):
        mbarrier.expect(ready.index(1), k.block_type.nbytes + v.block_type.nbytes)
        tma.async_copy_global_to_shared(k, [i * N, 0], ready.index(1), held_k)
        tma.async_copy_global_to_shared(v, [i * N, 0], ready.index(1), held_v)
        mbarrier.wait(ready.index(1), i & 1)
        s = warpgroup_mma(queries, held_k.permute([1, 0]), gl.zeros([M, N], gl.float32, scores)) * scale
        higher = gl.maximum(highest, gl.max(s, 1))
        p = gl.exp2(s - higher[:, None])
        before = gl.exp2(highest - higher)
        weight = weight * before + gl.sum(p, 1)
        total = total * gl.convert_layout(before, gl.SliceLayout(1, product))[:, None]
        operand = gl.convert_layout(p.to(gl.float16), gl.DotOperandLayout(0, product, 2))
        total = warpgroup_mma(operand, held_v, total)
        highest = higher
    total = total / gl.convert_layout(weight, gl.SliceLayout(1, product))[:, None]
    gl.store(out + row * D + places(M, D, product), total)


# ---- groups of warps ----


@gluon.jit
def feed(a, b, left, right, full, empty, row, column, steps, TILE_K: gl.constexpr, STAGES: gl.constexpr, BYTES: gl.constexpr):
    for i in range(steps):
        slot = i % STAGES
        mbarrier.wait(empty.index(slot), ((i // STAGES) & 1) ^ 1)
        mbarrier.expect(full.index(slot), BYTES)
        tma.async_copy_global_to_shared(a, [row, i * TILE_K], full.index(slot), left.index(slot))
        tma.async_copy_global_to_shared(b, [i * TILE_K, column], full.index(slot), right.index(slot))


@gluon.jit
def multiply(left, right, full, empty, steps, product: gl.constexpr, TILE: gl.constexpr, STAGES: gl.constexpr, GIVES: gl.constexpr):
    total = warpgroup_mma_init(gl.zeros([TILE, TILE], gl.float32, product))
    for i in range(steps):
        slot = i % STAGES
        mbarrier.wait(full.index(slot), (i // STAGES) & 1)
        total = warpgroup_mma(left.index(slot), right.index(slot), total, is_async=True)
        total = warpgroup_mma_wait(num_outstanding=0, deps=[total])
        mbarrier.arrive(empty.index(slot), count=1, pred=GIVES)
        total = warpgroup_mma_init(total)
    return (warpgroup_mma_wait(num_outstanding=0, deps=[total]),)


@gluon.jit
def fed_product(
    a, b, out, steps, out_row, TILE: gl.constexpr, TILE_K: gl.constexpr, STAGES: gl.constexpr, BYTES: gl.constexpr, GIVES: gl.constexpr
):
    """A producer and a consumer; right with the bytes of both boxes, and buffers given back (GIVES)."""
    product: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, TILE, 16])
    left = gl.allocate_shared_memory(a.dtype, [STAGES, TILE, TILE_K], a.layout)
    right = gl.allocate_shared_memory(b.dtype, [STAGES, TILE_K, TILE], b.layout)
    full, empty = barriers(STAGES, 1), barriers(STAGES, 1)
    row, column = gl.program_id(0) * TILE, gl.program_id(1) * TILE
    (total,) = gl.warp_specialize(
        [
            (multiply, (left, right, full, empty, steps, product, TILE, STAGES, GIVES)),
            (feed, (a, b, left, right, full, empty, row, column, steps, TILE_K, STAGES, BYTES)),
        ],
        [1],
        [24],
    )
    gl.store(out + row * out_row + column + gl.arange(0, TILE, gl.SliceLayout(1, product))[:, None] * out_row
             + gl.arange(0, TILE, gl.SliceLayout(0, product))[None, :], total)


@gluon.jit
def read_in(x, held, full, empty, steps, BLOCK: gl.constexpr):
    at = gl.arange(0, BLOCK, LANES)
    for i in range(steps):
        mbarrier.wait(empty.index(i % 2), ((i // 2) & 1) ^ 1)
        held.index(i % 2).store(gl.load(x + i * BLOCK + at))
        mbarrier.arrive(full.index(i % 2), count=1)


@gluon.jit
def write_out(out, held, full, empty, steps, BLOCK: gl.constexpr, LATE: gl.constexpr):
    at = gl.arange(0, BLOCK, LANES)
    for i in range(steps):
        mbarrier.wait(full.index(i % 2), ((i // 2) & 1) ^ LATE)
        gl.store(out + i * BLOCK + at, gl.exp(held.index(i % 2).load(LANES)))
        mbarrier.arrive(empty.index(i % 2), count=1)


@gluon.jit
def idle():
    pass


@gluon.jit
def handed_over(x, out, steps, BLOCK: gl.constexpr, LATE: gl.constexpr):
    """A group loads, another one stores, over two buffers; right with LATE = 0."""
    held = gl.allocate_shared_memory(gl.float32, [2, BLOCK], LINE)
    full, empty = barriers(2, 1), barriers(2, 1)
    gl.warp_specialize(
        [
            (idle, ()),
            (read_in, (x, held, full, empty, steps, BLOCK)),
            (write_out, (out, held, full, empty, steps, BLOCK, LATE)),
        ],
        [4, 4],
        [48, 48],
    )
