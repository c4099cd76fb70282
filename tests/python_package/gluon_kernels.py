"""Small Gluon kernels under the names of Triton 3.6, for test_gluon.py."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout,
    TensorMemoryScalesLayout,
    allocate_tensor_memory,
    get_tmem_reg_layout,
    tcgen05_commit,
    tcgen05_copy,
    tcgen05_mma_scaled,
)
from triton.experimental.gluon.language.nvidia.blackwell import tma as by_rows
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)


@gluon.jit
def axpy(x, y, out, n, alpha, BLOCK: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, lanes)
    inside = at < n
    gl.store(out + at, gl.load(x + at, mask=inside) * alpha + gl.load(y + at, mask=inside), mask=inside)


@gluon.jit
def sums(x, out, tiles, BLOCK: gl.constexpr, STAGES: gl.constexpr, LEFT: gl.constexpr):
    """A ring of copies by groups; right with LEFT = STAGES - 2."""
    lanes: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    line: gl.constexpr = gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[0])
    ring = gl.allocate_shared_memory(gl.float32, [STAGES, BLOCK], line)
    at = gl.arange(0, BLOCK, lanes)
    for i in gl.static_range(STAGES - 1):
        async_copy.async_copy_global_to_shared(ring.index(i), x + i * BLOCK + at)
        async_copy.commit_group()
    total = gl.zeros([BLOCK], gl.float32, lanes)
    for i in range(tiles):
        async_copy.wait_group(LEFT)
        total += ring.index(i % STAGES).load(lanes)
        ahead = i + STAGES - 1
        inside = (ahead * BLOCK + at) < tiles * BLOCK
        async_copy.async_copy_global_to_shared(ring.index(ahead % STAGES), x + ahead * BLOCK + at, mask=inside)
        async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + at, total)


@gluon.jit
def doubled(source, target, ROWS: gl.constexpr, COLUMNS: gl.constexpr, BYTES: gl.constexpr):
    """One box in, one box out; right with the bytes of a box."""
    tile: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    stage = gl.allocate_shared_memory(source.dtype, [ROWS, COLUMNS], source.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    row = gl.program_id(0) * ROWS
    mbarrier.expect(ready, BYTES)
    tma.async_copy_global_to_shared(source, [row, 0], ready, stage)
    mbarrier.wait(ready, 0, deps=[stage])
    mbarrier.invalidate(ready)
    value = stage.load(tile)
    stage.store(value + value)
    fence_async_shared()
    tma.async_copy_shared_to_global(target, [row, 0], stage)
    tma.store_wait(0)


@gluon.jit
def feed(a, b, ring_a, ring_b, full, empty, row, column, steps, TILE_K: gl.constexpr, STAGES: gl.constexpr):
    for i in range(steps):
        slot = i % STAGES
        mbarrier.wait(empty.index(slot), ((i // STAGES) & 1) ^ 1)
        mbarrier.expect(full.index(slot), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_copy_global_to_shared(a, [row, i * TILE_K], full.index(slot), ring_a.index(slot))
        tma.async_copy_global_to_shared(b, [i * TILE_K, column], full.index(slot), ring_b.index(slot))


@gluon.jit
def multiply(
    ring_a, ring_b, full, empty, steps, product: gl.constexpr, TILE: gl.constexpr, STAGES: gl.constexpr, LEFT: gl.constexpr
):
    total = warpgroup_mma_init(gl.zeros([TILE, TILE], gl.float32, product))
    for i in range(steps):
        slot = i % STAGES
        mbarrier.wait(full.index(slot), (i // STAGES) & 1)
        total = warpgroup_mma(ring_a.index(slot), ring_b.index(slot), total, is_async=True)
        total = warpgroup_mma_wait(num_outstanding=LEFT, deps=[total])
        mbarrier.arrive(empty.index(slot), count=1)
        total = warpgroup_mma_init(total)
    return (warpgroup_mma_wait(num_outstanding=0, deps=[total]),)


@gluon.jit
def matmul(a, b, out, steps, out_row, TILE: gl.constexpr, TILE_K: gl.constexpr, STAGES: gl.constexpr, LEFT: gl.constexpr):
    """A group that starts copies, a group that multiplies; right with LEFT = 0."""
    product: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, TILE, 16])
    ring_a = gl.allocate_shared_memory(a.dtype, [STAGES, TILE, TILE_K], a.layout)
    ring_b = gl.allocate_shared_memory(b.dtype, [STAGES, TILE_K, TILE], b.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    row = gl.program_id(0) * TILE
    column = gl.program_id(1) * TILE
    (total,) = gl.warp_specialize(
        [
            (multiply, (ring_a, ring_b, full, empty, steps, product, TILE, STAGES, LEFT)),
            (feed, (a, b, ring_a, ring_b, full, empty, row, column, steps, TILE_K, STAGES)),
        ],
        [1],
        [24],
    )
    r = row + gl.arange(0, TILE, gl.SliceLayout(1, product))[:, None]
    c = column + gl.arange(0, TILE, gl.SliceLayout(0, product))[None, :]
    gl.store(out + r * out_row + c, total)


@gluon.jit
def halves(source, target, ROWS: gl.constexpr, COLUMNS: gl.constexpr, BYTES: gl.constexpr):
    """Two blocks of a cluster, half a box each, at a barrier of their own; right with the bytes of half a box."""
    tile: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], cga_layout=[[1, 0]])
    stage = gl.allocate_shared_memory(source.dtype, [ROWS, COLUMNS], source.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout(cga_layout=[[0]]))
    mbarrier.init(ready, count=1)
    mbarrier.expect(ready, BYTES)
    tma.async_copy_global_to_shared(source, [gl.program_id(0) * ROWS, 0], ready, stage)
    mbarrier.wait(ready, 0)
    stage.store(stage.load(tile) * 2.0)
    fence_async_shared()
    tma.async_copy_shared_to_global(target, [gl.program_id(0) * ROWS, 0], stage)
    tma.store_wait(0)


COLUMNS_BY_BLOCK = gl.constexpr(gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0], cga_layout=[[0, 1]]))


@gluon.jit
def across(x, out, SIZE: gl.constexpr):
    """Blocks store halves by rows and load halves by columns: a half of what each loads lies in the other one."""
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], cga_layout=[[1, 0]])
    cells: gl.constexpr = gl.SwizzledSharedLayout(vec=4, per_phase=1, max_phase=8, order=[1, 0], cga_layout=[[1, 0]])
    r = gl.arange(0, SIZE, gl.SliceLayout(1, rows))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, rows))[None, :]
    stage = gl.allocate_shared_memory(gl.float32, [SIZE, SIZE], cells, gl.load(x + r * SIZE + c))
    value = stage.load(COLUMNS_BY_BLOCK) + 1.0
    r = gl.arange(0, SIZE, gl.SliceLayout(1, COLUMNS_BY_BLOCK))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, COLUMNS_BY_BLOCK))[None, :]
    gl.store(out + r * SIZE + c, value)


@gluon.jit
def into_tensor_memory(x, out, SIZE: gl.constexpr, COMMITS: gl.constexpr):
    """A copy by the tensor core; right with a commit behind it."""
    layout: gl.constexpr = TensorMemoryLayout([128, SIZE], col_stride=1)
    registers: gl.constexpr = get_tmem_reg_layout(gl.float32, (128, SIZE), layout, gl.num_warps())
    cells: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, SIZE], gl.float32)
    r = gl.arange(0, 128, gl.SliceLayout(1, registers))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, registers))[None, :]
    stage = gl.allocate_shared_memory(gl.float32, [128, SIZE], cells, gl.load(x + r * SIZE + c))
    held = allocate_tensor_memory(gl.float32, [128, SIZE], layout)
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(done, count=1)
    fence_async_shared()
    tcgen05_copy(stage, held)
    if COMMITS:
        tcgen05_commit(done)
        mbarrier.wait(done, 0)
    gl.store(out + r * SIZE + c, held.load(registers))


@gluon.jit
def picked(source, target, from_rows, to_rows, column, ROWS: gl.constexpr, COLUMNS: gl.constexpr, BYTES: gl.constexpr):
    """Rows by their numbers, in and out; right with the bytes of all rows."""
    numbers: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0]))
    tile: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    at = gl.arange(0, ROWS, numbers)
    stage = gl.allocate_shared_memory(source.dtype, [ROWS, COLUMNS], source.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    mbarrier.expect(ready, BYTES)
    by_rows.async_gather(source, gl.load(from_rows + at), column, ready, stage)
    mbarrier.wait(ready, 0)
    stage.store(stage.load(tile) * 2.0)
    fence_async_shared()
    by_rows.async_scatter(target, gl.load(to_rows + at), column, stage)
    tma.store_wait(0)


@gluon.jit
def scaled(
    a, b, a_scales, b_scales, out, SIZE: gl.constexpr, BYTES: gl.constexpr, GROUPS: gl.constexpr, KIND: gl.constexpr, WAITS: gl.constexpr
):
    """A product with a scale for each group along K (BYTES: of a row); right with a wait for it."""
    layout: gl.constexpr = TensorMemoryLayout([SIZE, SIZE], col_stride=1)
    registers: gl.constexpr = get_tmem_reg_layout(gl.float32, (SIZE, SIZE), layout, gl.num_warps())
    scales: gl.constexpr = TensorMemoryScalesLayout()
    scale_registers: gl.constexpr = get_tmem_reg_layout(gl.int8, (SIZE, GROUPS), scales, gl.num_warps())
    rows: gl.constexpr = gl.BlockedLayout([1, 16], [8, 4], [4, 1], [1, 0])
    cells: gl.constexpr = gl.NVMMASharedLayout.get_default_for([SIZE, BYTES], gl.int8)
    r = gl.arange(0, SIZE, gl.SliceLayout(1, rows))[:, None]
    k = gl.arange(0, BYTES, gl.SliceLayout(0, rows))[None, :]
    left = gl.allocate_shared_memory(a.dtype.element_ty, [SIZE, BYTES], cells, gl.load(a + r * BYTES + k))
    right = gl.allocate_shared_memory(b.dtype.element_ty, [SIZE, BYTES], cells, gl.load(b + r * BYTES + k))
    r = gl.arange(0, SIZE, gl.SliceLayout(1, scale_registers))[:, None]
    k = gl.arange(0, GROUPS, gl.SliceLayout(0, scale_registers))[None, :]
    left_scales = allocate_tensor_memory(gl.int8, [SIZE, GROUPS], scales, gl.load(a_scales + r * GROUPS + k))
    right_scales = allocate_tensor_memory(gl.int8, [SIZE, GROUPS], scales, gl.load(b_scales + r * GROUPS + k))
    total = allocate_tensor_memory(gl.float32, [SIZE, SIZE], layout)
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(done, count=1)
    fence_async_shared()
    tcgen05_mma_scaled(
        left, right.permute([1, 0]), total, left_scales, right_scales, KIND, KIND, use_acc=False, mbarriers=[done]
    )
    mbarrier.wait(done, 0, pred=WAITS)
    r = gl.arange(0, SIZE, gl.SliceLayout(1, registers))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, registers))[None, :]
    gl.store(out + r * SIZE + c, total.load(registers))


@gluon.jit
def fetch_pair(k, v, stage_k, stage_v, ready, at, tile, asked, SIZE: gl.constexpr):
    bar = ready.index(tile % 2)
    mbarrier.expect(bar, 2 * k.block_type.nbytes, pred=asked)
    tma.async_copy_global_to_shared(k, [at + tile * SIZE, 0], bar, stage_k.index(tile % 2), pred=asked)
    tma.async_copy_global_to_shared(v, [at + tile * SIZE, 0], bar, stage_v.index(tile % 2), pred=asked)


@gluon.jit
def attention(q, k, v, out, length, scale, SIZE: gl.constexpr):
    """Causal, heads of SIZE numbers, tiles of SIZE rows: the next tile's keys and values are copied while one is used."""
    product: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, SIZE, 16])
    stage_q = gl.allocate_shared_memory(q.dtype, [SIZE, SIZE], q.layout)
    stage_k = gl.allocate_shared_memory(k.dtype, [2, SIZE, SIZE], k.layout)
    stage_v = gl.allocate_shared_memory(v.dtype, [2, SIZE, SIZE], v.layout)
    ready = gl.allocate_shared_memory(gl.int64, [3, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(3):
        mbarrier.init(ready.index(i), count=1)
    last = gl.program_id(0)
    head = gl.program_id(1) * length
    mbarrier.expect(ready.index(2), q.block_type.nbytes)
    tma.async_copy_global_to_shared(q, [head + last * SIZE, 0], ready.index(2), stage_q)
    fetch_pair(k, v, stage_k, stage_v, ready, head, 0, True, SIZE)
    mbarrier.wait(ready.index(2), 0)
    row = gl.arange(0, SIZE, gl.SliceLayout(1, product))
    column = gl.arange(0, SIZE, gl.SliceLayout(0, product))
    zeros = gl.zeros([SIZE, SIZE], gl.float32, product)
    largest = gl.full([SIZE], float("-inf"), gl.float32, gl.SliceLayout(1, product))
    weights = gl.zeros([SIZE], gl.float32, gl.SliceLayout(1, product))
    total = zeros
    for tile in range(0, last + 1):
        fetch_pair(k, v, stage_k, stage_v, ready, head, tile + 1, tile < last, SIZE)
        mbarrier.wait(ready.index(tile % 2), (tile // 2) & 1)
        score = warpgroup_mma(stage_q, stage_k.index(tile % 2).permute((1, 0)), zeros, is_async=True)
        score = warpgroup_mma_wait(0, deps=[score]) * (scale * 1.4426950408889634)
        seen = (last * SIZE + row)[:, None] >= (tile * SIZE + column)[None, :]
        score = gl.where(seen, score, float("-inf"))
        larger = gl.maximum(largest, gl.max(score, axis=1))
        weight = gl.exp2(score - larger[:, None])
        shrink = gl.exp2(largest - larger)
        weights = weights * shrink + gl.sum(weight, axis=1)
        taken = gl.convert_layout(weight.to(v.dtype), gl.DotOperandLayout(0, product, 2))
        total = warpgroup_mma(taken, stage_v.index(tile % 2), total * shrink[:, None], is_async=True)
        total = warpgroup_mma_wait(0, deps=[total])
        largest = larger
    gl.store(out + (head + last * SIZE + row)[:, None] * SIZE + column[None, :], (total / weights[:, None]).to(gl.float16))
