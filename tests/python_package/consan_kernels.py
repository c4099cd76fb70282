"""Gluon kernels for what ConSan's tests ask of one group of warps, under the names of Triton 3.6. A parameter in capitals puts the fault in;
test_consan.py has the cases and their verdicts."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout,
    allocate_tensor_memory,
    get_tmem_reg_layout,
    tcgen05_commit,
    tcgen05_mma,
)
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)

SIZE = gl.constexpr(64)
TILE = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
CELLS = gl.constexpr(gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16))
LANES = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
LINE = gl.constexpr(gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[0]))
PRODUCT = gl.constexpr(gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]))
SUM = gl.constexpr(TensorMemoryLayout([64, 64], col_stride=1))
SUM_ROWS = gl.constexpr(get_tmem_reg_layout(gl.float32, (64, 64), SUM.value, 4))


@gluon.jit
def barriers(count: gl.constexpr, arrivals: gl.constexpr):
    made = gl.allocate_shared_memory(gl.int64, [count, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(count):
        mbarrier.init(made.index(i), count=arrivals)
    return made


@gluon.jit
def tiles(count: gl.constexpr):
    return gl.allocate_shared_memory(gl.float16, [count, SIZE, SIZE], CELLS)


@gluon.jit
def put(out, value, layout: gl.constexpr):
    r = gl.arange(0, SIZE, gl.SliceLayout(1, layout))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, layout))[None, :]
    gl.store(out + r * SIZE + c, value.to(gl.float32))


@gluon.jit
def ones():
    return gl.full([SIZE, SIZE], 1.0, gl.float16, TILE)


@gluon.jit
def fetch(source, barrier, target, row):
    mbarrier.expect(barrier, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [row, 0], barrier, target)


# ---- copies ----


@gluon.jit
def box(source, out, WAITS: gl.constexpr):
    stage, ready = tiles(1), barriers(1, 1)
    fetch(source, ready.index(0), stage.index(0), 0)
    mbarrier.wait(ready.index(0), 0, pred=WAITS)
    put(out, stage.index(0).load(TILE), TILE)
    if not WAITS:
        mbarrier.wait(ready.index(0), 0)


@gluon.jit
def two_boxes_one_barrier(source, out, WAITS: gl.constexpr):
    stage, ready = tiles(2), barriers(1, 1)
    mbarrier.expect(ready.index(0), 2 * source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], ready.index(0), stage.index(0))
    tma.async_copy_global_to_shared(source, [SIZE, 0], ready.index(0), stage.index(1))
    mbarrier.wait(ready.index(0), 0, pred=WAITS)
    put(out, stage.index(0).load(TILE) + stage.index(1).load(TILE), TILE)
    if not WAITS:
        mbarrier.wait(ready.index(0), 0)


@gluon.jit
def two_boxes_two_barriers(source, out, WAITED: gl.constexpr):
    stage, ready = tiles(2), barriers(2, 1)
    for i in gl.static_range(2):
        fetch(source, ready.index(i), stage.index(i), i * SIZE)
    for i in gl.static_range(WAITED):
        mbarrier.wait(ready.index(i), 0)
    put(out, stage.index(0).load(TILE) + stage.index(1).load(TILE), TILE)
    for i in gl.static_range(WAITED, 2):
        mbarrier.wait(ready.index(i), 0)


@gluon.jit
def copies_of_threads(x, out, LEFT: gl.constexpr):
    """Two groups of copies; right with LEFT = 1 for the first."""
    stage = gl.allocate_shared_memory(gl.float32, [2, 128], LINE)
    at = gl.arange(0, 128, LANES)
    for i in gl.static_range(2):
        async_copy.async_copy_global_to_shared(stage.index(i), x + i * 128 + at)
        async_copy.commit_group()
    async_copy.wait_group(LEFT)
    gl.store(out + at, stage.index(0).load(LANES))
    async_copy.wait_group(0)


@gluon.jit
def copies_over_copies(x, out, LEFT: gl.constexpr):
    """The first buffer is filled again by the third copy; right with LEFT = 1."""
    stage = gl.allocate_shared_memory(gl.float32, [2, 128], LINE)
    at = gl.arange(0, 128, LANES)
    for i in gl.static_range(2):
        async_copy.async_copy_global_to_shared(stage.index(i), x + i * 128 + at)
        async_copy.commit_group()
    async_copy.wait_group(LEFT)
    async_copy.async_copy_global_to_shared(stage.index(0), x + at)
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + at, stage.index(0).load(LANES) + stage.index(1).load(LANES))


@gluon.jit
def boxes_out(target, LEFT: gl.constexpr):
    """Two boxes leave; then the first one's buffer is written. Right with LEFT = 1."""
    stage = tiles(2)
    for i in gl.static_range(2):
        stage.index(i).store(ones())
        fence_async_shared()
        tma.async_copy_shared_to_global(target, [i * SIZE, 0], stage.index(i))
    tma.store_wait(LEFT)
    stage.index(0).store(ones())
    tma.store_wait(0)


@gluon.jit
def box_out_and_in(source, target, LEFT: gl.constexpr):
    """A copy fills the buffer from which a box leaves. Right with LEFT = 0."""
    stage, ready = tiles(1), barriers(1, 1)
    stage.index(0).store(ones())
    fence_async_shared()
    tma.async_copy_shared_to_global(target, [0, 0], stage.index(0))
    tma.store_wait(LEFT)
    fetch(source, ready.index(0), stage.index(0), 0)
    mbarrier.wait(ready.index(0), 0)
    tma.store_wait(0)


# ---- products ----


@gluon.jit
def group_product(out, LEFT: gl.constexpr):
    """The operand is written after the product; right with LEFT = 0."""
    a, b = tiles(1), tiles(1)
    a.index(0).store(ones())
    b.index(0).store(ones())
    fence_async_shared()
    total = warpgroup_mma(a.index(0), b.index(0), gl.zeros([SIZE, SIZE], gl.float32, PRODUCT), is_async=True)
    total = warpgroup_mma_wait(num_outstanding=LEFT, deps=[total])
    a.index(0).store(ones())
    total = warpgroup_mma_wait(num_outstanding=0, deps=[total])
    put(out, total, PRODUCT)


@gluon.jit
def two_group_products(out, LEFT: gl.constexpr):
    """The first product's operand is written while the second may run; right with LEFT = 1."""
    a, b = tiles(2), tiles(1)
    for i in gl.static_range(2):
        a.index(i).store(ones())
    b.index(0).store(ones())
    fence_async_shared()
    total = gl.zeros([SIZE, SIZE], gl.float32, PRODUCT)
    for i in gl.static_range(2):
        total = warpgroup_mma(a.index(i), b.index(0), total, is_async=True)
    total = warpgroup_mma_wait(num_outstanding=LEFT, deps=[total])
    a.index(0).store(ones())
    total = warpgroup_mma_wait(num_outstanding=0, deps=[total])
    put(out, total, PRODUCT)


@gluon.jit
def ring_of_group_products(source, out, steps, STAGES: gl.constexpr, LEFT: gl.constexpr):
    """Copies run ahead of products; a slot is filled again after its product's wait. Right with LEFT = 0."""
    ring, other, ready = tiles(STAGES), tiles(1), barriers(STAGES, 1)
    other.index(0).store(ones())
    fence_async_shared()
    for i in gl.static_range(STAGES - 1):
        fetch(source, ready.index(i), ring.index(i), i * SIZE)
    total = warpgroup_mma_init(gl.zeros([SIZE, SIZE], gl.float32, PRODUCT))
    for i in range(steps):
        mbarrier.wait(ready.index(i % STAGES), (i // STAGES) & 1)
        total = warpgroup_mma_wait(num_outstanding=LEFT, deps=[total])
        ahead = i + STAGES - 1
        mbarrier.expect(ready.index(ahead % STAGES), source.block_type.nbytes, pred=ahead < steps)
        tma.async_copy_global_to_shared(
            source, [ahead * SIZE, 0], ready.index(ahead % STAGES), ring.index(ahead % STAGES), pred=ahead < steps
        )
        total = warpgroup_mma(ring.index(i % STAGES), other.index(0), total, is_async=True)
    total = warpgroup_mma_wait(num_outstanding=0, deps=[total])
    put(out, total, PRODUCT)


@gluon.jit
def tensor_product(source, out, ACCESS: gl.constexpr, WAITS: gl.constexpr):
    """What is done to an operand or the sum needs the wait for the product."""
    a, b, done = tiles(1), tiles(1), barriers(2, 1)
    total = allocate_tensor_memory(gl.float32, [SIZE, SIZE], SUM)
    a.index(0).store(ones())
    b.index(0).store(ones())
    fence_async_shared()
    tcgen05_mma(a.index(0), b.index(0), total, use_acc=False, mbarriers=[done.index(0)])
    mbarrier.wait(done.index(0), 0, pred=WAITS)
    if ACCESS == "copy":
        fetch(source, done.index(1), a.index(0), 0)
        mbarrier.wait(done.index(1), 0)
    elif ACCESS == "store":
        b.index(0).store(ones())
    elif ACCESS == "store the sum":
        total.store(gl.zeros([SIZE, SIZE], gl.float32, SUM_ROWS))
    else:
        put(out, total.load(SUM_ROWS), SUM_ROWS)
    if not WAITS:
        mbarrier.wait(done.index(0), 0)


@gluon.jit
def products_with_predicates(out, BUFFER: gl.constexpr, BARRIER: gl.constexpr):
    """The first product tells barrier 1 alone, the second barrier 2 alone; then a sum is written."""
    a, b, done = tiles(1), tiles(1), barriers(4, 1)
    total = allocate_tensor_memory(gl.float32, [2, SIZE, SIZE], SUM)
    a.index(0).store(ones())
    b.index(0).store(ones())
    fence_async_shared()
    tcgen05_mma(
        a.index(0), b.index(0), total.index(0), use_acc=False,
        mbarriers=[done.index(0), done.index(1)], mbarrier_preds=[False, True],
    )  # fmt: skip
    tcgen05_mma(
        a.index(0), b.index(0), total.index(1), use_acc=False,
        mbarriers=[done.index(2), done.index(3)], mbarrier_preds=[True, False],
    )  # fmt: skip
    mbarrier.wait(done.index(BARRIER), 0)
    total.index(BUFFER).store(gl.zeros([SIZE, SIZE], gl.float32, SUM_ROWS))
    mbarrier.wait(done.index(2), 0)


@gluon.jit
def ring_of_tensor_products(source, out, steps, STAGES: gl.constexpr, BEHIND: gl.constexpr):
    """A slot is filled again after the wait for the product that read it; right with BEHIND = 1."""
    ring, other, ready, done = tiles(STAGES), tiles(1), barriers(STAGES, 1), barriers(STAGES, 1)
    total = allocate_tensor_memory(gl.float32, [SIZE, SIZE], SUM)
    other.index(0).store(ones())
    total.store(gl.zeros([SIZE, SIZE], gl.float32, SUM_ROWS))
    fence_async_shared()
    for i in gl.static_range(STAGES - 1):
        fetch(source, ready.index(i), ring.index(i), i * SIZE)
    for i in range(steps):
        slot = i % STAGES
        mbarrier.wait(ready.index(slot), (i // STAGES) & 1)
        tcgen05_mma(ring.index(slot), other.index(0), total, mbarriers=[done.index(slot)])
        before = i - BEHIND
        mbarrier.wait(done.index((before + STAGES) % STAGES), ((before + STAGES) // STAGES - 1) & 1, pred=before >= 0)
        ahead = i + STAGES - 1
        mbarrier.expect(ready.index(ahead % STAGES), source.block_type.nbytes, pred=ahead < steps)
        tma.async_copy_global_to_shared(
            source, [ahead * SIZE, 0], ready.index(ahead % STAGES), ring.index(ahead % STAGES), pred=ahead < steps
        )
    last = steps - 1
    mbarrier.wait(done.index(last % STAGES), (last // STAGES) & 1)
    put(out, total.load(SUM_ROWS), SUM_ROWS)


@gluon.jit
def committed_products(out, COMMITS: gl.constexpr):
    """A commit after the second product stands for both; one after the first does not for the second."""
    a, b, done = tiles(1), tiles(1), barriers(2, 1)
    total = allocate_tensor_memory(gl.float32, [2, SIZE, SIZE], SUM)
    a.index(0).store(ones())
    b.index(0).store(ones())
    fence_async_shared()
    tcgen05_mma(a.index(0), b.index(0), total.index(0), use_acc=False)
    if COMMITS == "before":
        tcgen05_commit(done.index(0))
    tcgen05_mma(a.index(0), b.index(0), total.index(1), use_acc=False)
    if COMMITS == "after":
        tcgen05_commit(done.index(0))
    mbarrier.wait(done.index(0), 0)
    put(out, total.index(0).load(SUM_ROWS) + total.index(1).load(SUM_ROWS), SUM_ROWS)
    tcgen05_commit(done.index(1))
    mbarrier.wait(done.index(1), 0)


# ---- barriers ----


@gluon.jit
def arrivals(out, COUNT: gl.constexpr, COME: gl.constexpr, SINGLY: gl.constexpr):
    done = barriers(1, COUNT)
    if SINGLY:
        for _ in gl.static_range(COME):
            mbarrier.arrive(done.index(0), count=1)
    else:
        mbarrier.arrive(done.index(0), count=COME)
    mbarrier.wait(done.index(0), 0)
    put(out, ones(), TILE)


@gluon.jit
def life_of_a_barrier(out, FAULT: gl.constexpr):
    one = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    if FAULT != "not made":
        mbarrier.init(one, count=1)
    if FAULT == "made again":
        mbarrier.init(one, count=1)
    if FAULT == "over":
        mbarrier.invalidate(one)
    mbarrier.arrive(one, count=1)
    mbarrier.wait(one, 0)
    if FAULT != "over":
        mbarrier.invalidate(one)
    mbarrier.init(one, count=1)
    mbarrier.arrive(one, count=1)
    mbarrier.wait(one, 0)
    put(out, ones(), TILE)


@gluon.jit
def bytes_expected(source, out, BYTES: gl.constexpr):
    """Right with the bytes of the box, 8192."""
    stage, ready = tiles(1), barriers(1, 1)
    mbarrier.expect(ready.index(0), BYTES)
    tma.async_copy_global_to_shared(source, [0, 0], ready.index(0), stage.index(0))
    mbarrier.wait(ready.index(0), 0)
    put(out, stage.index(0).load(TILE), TILE)


# ---- views of the same bytes ----


@gluon.jit
def parts(source, out, READS: gl.constexpr):
    """A copy fills half a buffer; the other half is free, the whole one is not."""
    stage, ready = tiles(1), barriers(1, 1)
    whole = stage.index(0)
    whole.store(ones())
    fence_async_shared()
    upper = whole.slice(0, SIZE // 2, 0)
    mbarrier.expect(ready.index(0), source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [0, 0], ready.index(0), upper)
    if READS == "the other half":
        at = SIZE * SIZE + gl.arange(0, SIZE, gl.SliceLayout(0, TILE))
        gl.store(out + at, gl.sum(whole.slice(SIZE // 2, SIZE // 2, 0).load(TILE).to(gl.float32), 0))
    elif READS == "the whole":
        put(out, whole.load(TILE), TILE)
    else:
        flat: gl.constexpr = gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[1, 0])
        put(out, whole._reinterpret(gl.float16, [SIZE, SIZE], flat).load(TILE), TILE)
    mbarrier.wait(ready.index(0), 0)
    put(out, whole.load(TILE), TILE)


@gluon.jit
def parts_of_tensor_memory(out, READS: gl.constexpr):
    """A product writes one half of the columns while the other half, or all, is loaded."""
    a, b, done = tiles(1), tiles(1), barriers(1, 1)
    both: gl.constexpr = TensorMemoryLayout([64, 128], col_stride=1)
    rows: gl.constexpr = get_tmem_reg_layout(gl.float32, (64, 128), both, gl.num_warps())
    total = allocate_tensor_memory(gl.float32, [SIZE, 2 * SIZE], both)
    total.store(gl.zeros([SIZE, 2 * SIZE], gl.float32, rows))
    a.index(0).store(ones())
    b.index(0).store(ones())
    fence_async_shared()
    tcgen05_mma(a.index(0), b.index(0), total.slice(0, SIZE), use_acc=False, mbarriers=[done.index(0)])
    if READS == "the other half":
        put(out, total.slice(SIZE, SIZE).load(SUM_ROWS), SUM_ROWS)
    else:
        put(out, gl.convert_layout(gl.sum(gl.reshape(total.load(rows), [SIZE, 2, SIZE]), 1), TILE), TILE)
    mbarrier.wait(done.index(0), 0)


# ---- the asynchronous proxy ----


@gluon.jit
def stored_for_a_copy(target, FENCE: gl.constexpr):
    stage = tiles(1)
    stage.index(0).store(ones())
    if FENCE:
        fence_async_shared()
    tma.async_copy_shared_to_global(target, [0, 0], stage.index(0))
    tma.store_wait(0)


@gluon.jit
def stored_for_a_product(out, FENCE: gl.constexpr):
    a, b = tiles(1), tiles(1)
    a.index(0).store(ones())
    b.index(0).store(ones())
    if FENCE:
        fence_async_shared()
    total = warpgroup_mma(a.index(0), b.index(0), gl.zeros([SIZE, SIZE], gl.float32, PRODUCT), is_async=True)
    put(out, warpgroup_mma_wait(num_outstanding=0, deps=[total]), PRODUCT)
