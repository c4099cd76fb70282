"""Gluon kernels for what ConSan's tests ask of groups of warps that run side by side; see consan_kernels.py."""

from consan_kernels import CELLS, LANES, LINE, PRODUCT, SIZE, TILE, barriers, fetch, ones, put, tiles
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)


@gluon.jit
def values(stage):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    return stage.load(layout)


@gluon.jit
def fill(stage, value):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    stage.store(gl.full([SIZE, SIZE], value, gl.float16, layout))


@gluon.jit
def keep(out, value):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    put(out, value, layout)


# ---- one writes, one reads ----


@gluon.jit
def wait_and_load(stage, told, out, WAITS: gl.constexpr):
    mbarrier.wait(told.index(0), 0, pred=WAITS)
    keep(out, values(stage.index(0)))


@gluon.jit
def store_and_tell(stage, told):
    fill(stage.index(0), 2.0)
    mbarrier.arrive(told.index(0), count=1)


@gluon.jit
def store_then_load(out, WAITS: gl.constexpr):
    stage, told = tiles(1), barriers(1, 1)
    stage.index(0).store(ones())
    gl.warp_specialize([(store_and_tell, (stage, told)), (wait_and_load, (stage, told, out, WAITS))], [4], [32])


@gluon.jit
def load_and_tell(stage, told, out):
    keep(out, values(stage.index(0)))
    mbarrier.arrive(told.index(0), count=1)


@gluon.jit
def wait_and_store(stage, told, WAITS: gl.constexpr):
    mbarrier.wait(told.index(0), 0, pred=WAITS)
    fill(stage.index(0), 2.0)


@gluon.jit
def load_then_store(out, WAITS: gl.constexpr):
    stage, told = tiles(1), barriers(1, 1)
    stage.index(0).store(ones())
    gl.warp_specialize([(load_and_tell, (stage, told, out)), (wait_and_store, (stage, told, WAITS))], [4], [32])


# ---- two read, one writes ----


@gluon.jit
def load_and_tell_at(stage, told, index: gl.constexpr, out):
    keep(out + index * SIZE * SIZE, values(stage.index(0)))
    mbarrier.arrive(told.index(index), count=1)


@gluon.jit
def store_after(stage, told, FIRST: gl.constexpr, LAST: gl.constexpr):
    for i in gl.static_range(FIRST, LAST):
        mbarrier.wait(told.index(i), 0)
    fill(stage.index(0), 2.0)


@gluon.jit
def two_loads_two_barriers(out, FIRST: gl.constexpr, LAST: gl.constexpr, WARPS: gl.constexpr):
    """The writer waits for barriers FIRST to LAST; right with both."""
    stage, told = tiles(1), barriers(2, 1)
    stage.index(0).store(ones())
    gl.warp_specialize(
        [
            (store_after, (stage, told, FIRST, LAST)),
            (load_and_tell_at, (stage, told, 0, out)),
            (load_and_tell_at, (stage, told, 1, out)),
        ],
        [WARPS, 4],
        [32, 32],
    )


@gluon.jit
def load_and_tell_first(stage, told, index: gl.constexpr, out):
    keep(out + index * SIZE * SIZE, values(stage.index(0)))
    mbarrier.arrive(told.index(0), count=1)


@gluon.jit
def two_loads_one_barrier(out, COUNT: gl.constexpr):
    """Both readers arrive at one barrier; right with COUNT = 2."""
    stage, told = tiles(1), barriers(1, COUNT)
    stage.index(0).store(ones())
    gl.warp_specialize(
        [
            (store_after, (stage, told, 0, 1)),
            (load_and_tell_first, (stage, told, 0, out)),
            (load_and_tell_first, (stage, told, 1, out)),
        ],
        [4, 4],
        [32, 32],
    )


# ---- a ring over rounds ----


@gluon.jit
def read_rounds(stage, full, empty, index: gl.constexpr, out, rounds, WAITS: gl.constexpr, TELLS: gl.constexpr):
    for i in range(rounds):
        mbarrier.wait(full.index(index), i & 1, pred=WAITS)
        keep(out + index * SIZE * SIZE, values(stage.index(0)))
        if not TELLS:
            mbarrier.arrive(empty.index(index), count=1)
            keep(out + index * SIZE * SIZE, values(stage.index(0)))
        else:
            mbarrier.arrive(empty.index(index), count=1)


@gluon.jit
def write_rounds(stage, full, empty, rounds, MISSING: gl.constexpr):
    for i in range(rounds):
        for k in gl.static_range(2):
            mbarrier.wait(empty.index(k), (i & 1) ^ 1, pred=MISSING != k)
        fill(stage.index(0), 2.0)
        for k in gl.static_range(2):
            mbarrier.arrive(full.index(k), count=1)


@gluon.jit
def two_readers_by_rounds(out, rounds, MISSING: gl.constexpr):
    """MISSING: 0, 1: the writer's waits; 2, 3: the readers'; 4: a reader reads after it has told; -1: none."""
    stage, full, empty = tiles(1), barriers(2, 1), barriers(2, 1)
    stage.index(0).store(ones())
    gl.warp_specialize(
        [
            (write_rounds, (stage, full, empty, rounds, MISSING)),
            (read_rounds, (stage, full, empty, 0, out, rounds, MISSING != 2, MISSING != 4)),
            (read_rounds, (stage, full, empty, 1, out, rounds, MISSING != 3, True)),
        ],
        [4, 4],
        [32, 32],
    )


@gluon.jit
def produce(ring, full, empty, index: gl.constexpr, rounds, WAITS: gl.constexpr):
    for i in range(rounds):
        mbarrier.wait(empty.index(index), (i & 1) ^ 1, pred=WAITS)
        fill(ring.index(index), 2.0)
        mbarrier.arrive(full.index(index), count=1)


@gluon.jit
def consume(ring, full, empty, index: gl.constexpr, rounds, out, WAITS: gl.constexpr):
    for i in range(rounds):
        mbarrier.wait(full.index(index), i & 1, pred=WAITS)
        keep(out + index * SIZE * SIZE, values(ring.index(index)))
        mbarrier.arrive(empty.index(index), count=1)


@gluon.jit
def two_producers_two_consumers(out, rounds, MISSING: gl.constexpr):
    """MISSING: 0, 1: a producer's wait; 2, 3: a consumer's; -1: none."""
    ring, full, empty = tiles(2), barriers(2, 1), barriers(2, 1)
    for i in gl.static_range(2):
        ring.index(i).store(ones())
    gl.warp_specialize(
        [
            (produce, (ring, full, empty, 0, rounds, MISSING != 0)),
            (produce, (ring, full, empty, 1, rounds, MISSING != 1)),
            (consume, (ring, full, empty, 0, rounds, out, MISSING != 2)),
            (consume, (ring, full, empty, 1, rounds, out, MISSING != 3)),
        ],
        [4, 4, 4],
        [32, 32, 32],
    )


# ---- order through a third group ----


@gluon.jit
def pass_on(told, stage, out, LATE: gl.constexpr):
    """Tells the writer after its load, or before."""
    mbarrier.wait(told.index(0), 0)
    if not LATE:
        mbarrier.arrive(told.index(1), count=1)
    keep(out, values(stage.index(0)))
    if LATE:
        mbarrier.arrive(told.index(1), count=1)


@gluon.jit
def start_chain(stage, told):
    fill(stage.index(0), 3.0)
    mbarrier.arrive(told.index(0), count=1)


@gluon.jit
def end_chain(stage, told):
    mbarrier.wait(told.index(1), 0)
    fill(stage.index(0), 2.0)


@gluon.jit
def load_in_a_chain(out, LATE: gl.constexpr):
    stage, told = tiles(1), barriers(2, 1)
    stage.index(0).store(ones())
    gl.warp_specialize(
        [(start_chain, (stage, told)), (pass_on, (told, stage, out, LATE)), (end_chain, (stage, told))], [4, 4], [32, 32]
    )


# ---- what one group's wait says to another ----


@gluon.jit
def copy_and_tell(x, stage, told, LEFT: gl.constexpr):
    at = gl.arange(0, 128, LANES)
    for i in gl.static_range(2):
        async_copy.async_copy_global_to_shared(stage.index(i), x + i * 128 + at)
        async_copy.commit_group()
    async_copy.wait_group(LEFT)
    mbarrier.arrive(told.index(0), count=1)
    async_copy.wait_group(0)


@gluon.jit
def read_line(stage, told, out, index: gl.constexpr, WAITS: gl.constexpr):
    mbarrier.wait(told.index(0), 0, pred=WAITS)
    gl.store(out + gl.arange(0, 128, LANES), stage.index(index).load(LANES))


@gluon.jit
def copies_for_another(x, out, LEFT: gl.constexpr, READS: gl.constexpr, WAITS: gl.constexpr):
    """Copy READS is seen if its group was waited for before the arrival, and the arrival was waited for."""
    stage, told = gl.allocate_shared_memory(gl.float32, [2, 128], LINE), barriers(1, 1)
    gl.warp_specialize(
        [(copy_and_tell, (x, stage, told, LEFT)), (read_line, (stage, told, out, READS, WAITS))], [4], [32]
    )


@gluon.jit
def commit_nothing(stage, told, out):
    """A wait for one's own groups, of which there are none."""
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + gl.arange(0, 128, LANES), stage.index(0).load(LANES))


@gluon.jit
def commits_of_another(x, out):
    stage, told = gl.allocate_shared_memory(gl.float32, [2, 128], LINE), barriers(1, 1)
    gl.warp_specialize([(copy_and_tell, (x, stage, told, 0)), (commit_nothing, (stage, told, out))], [4], [32])


@gluon.jit
def multiply_and_tell(a, b, told, out, LATE: gl.constexpr):
    total = warpgroup_mma(a.index(0), b.index(0), gl.zeros([SIZE, SIZE], gl.float32, PRODUCT), is_async=True)
    if not LATE:
        mbarrier.arrive(told.index(0), count=1)
    total = warpgroup_mma_wait(num_outstanding=0, deps=[total])
    if LATE:
        mbarrier.arrive(told.index(0), count=1)
    put(out, total, PRODUCT)


@gluon.jit
def product_for_another(out, LATE: gl.constexpr):
    """The other group writes the operand; right if the arrival comes after the wait for the product."""
    a, b, told = tiles(1), tiles(1), barriers(1, 1)
    a.index(0).store(ones())
    b.index(0).store(ones())
    fence_async_shared()
    gl.warp_specialize(
        [(multiply_and_tell, (a, b, told, out, LATE)), (wait_and_store, (a, told, True))], [4], [32]
    )


# ---- deadlocks ----


@gluon.jit
def wait_then_arrive(told, mine: gl.constexpr, other: gl.constexpr):
    mbarrier.wait(told.index(mine), 0)
    mbarrier.arrive(told.index(other), count=1)


@gluon.jit
def arrive_then_wait(told, mine: gl.constexpr, other: gl.constexpr):
    mbarrier.arrive(told.index(other), count=1)
    mbarrier.wait(told.index(mine), 0)


@gluon.jit
def crossed(out, BOTH: gl.constexpr):
    """Each waits for the other's arrival, if BOTH wait first."""
    told = barriers(2, 1)
    if BOTH:
        gl.warp_specialize([(wait_then_arrive, (told, 0, 1)), (wait_then_arrive, (told, 1, 0))], [4], [32])
    else:
        gl.warp_specialize([(wait_then_arrive, (told, 0, 1)), (arrive_then_wait, (told, 1, 0))], [4], [32])


@gluon.jit
def wait_phase(told, phase: gl.constexpr):
    mbarrier.wait(told.index(0), phase)


@gluon.jit
def arrive_and_wait(told, phase: gl.constexpr):
    mbarrier.arrive(told.index(0), count=1)
    mbarrier.wait(told.index(0), phase)


@gluon.jit
def phases_of_two(out, FIRST: gl.constexpr, SECOND: gl.constexpr):
    """One arrival completes phase 0; right with FIRST = SECOND = 0."""
    told = barriers(1, 1)
    gl.warp_specialize([(arrive_and_wait, (told, FIRST)), (wait_phase, (told, SECOND))], [4], [32])


@gluon.jit
def phase_by_order(out, PHASE: gl.constexpr):
    """A wait for the phase before the first one passes only until the other group arrives; right with PHASE = 0."""
    told = barriers(1, 1)
    gl.warp_specialize([(wait_phase, (told, PHASE)), (leave, (told, True))], [4], [32])


@gluon.jit
def bring(source, stage, told):
    fetch(source, told.index(0), stage.index(0), 0)


@gluon.jit
def copies_end_the_wait(source, out):
    """All groups wait, and a copy in flight will end it."""
    stage, told = tiles(1), barriers(1, 1)
    gl.warp_specialize([(wait_and_load, (stage, told, out, True)), (bring, (source, stage, told))], [4], [32])


@gluon.jit
def leave(told, ARRIVES: gl.constexpr):
    if ARRIVES:
        mbarrier.arrive(told.index(0), count=1)


@gluon.jit
def one_leaves(out, ARRIVES: gl.constexpr):
    """The group that should arrive ends."""
    told = barriers(1, 1)
    gl.warp_specialize([(wait_phase, (told, 0)), (leave, (told, ARRIVES))], [4], [32])


# ---- fences, tensor-sized copies, parts, barriers ----


@gluon.jit
def store_fence_tell(stage, told, FENCE: gl.constexpr):
    fill(stage.index(0), 2.0)
    if FENCE == "before":
        fence_async_shared()
    mbarrier.arrive(told.index(0), count=1)
    if FENCE == "after":
        fence_async_shared()


@gluon.jit
def take_box(target, stage, told, FENCE: gl.constexpr):
    mbarrier.wait(told.index(0), 0)
    if FENCE == "taker":
        fence_async_shared()
    tma.async_copy_shared_to_global(target, [0, 0], stage.index(0))
    tma.store_wait(0)


@gluon.jit
def box_of_another(target, FENCE: gl.constexpr):
    """A fence by the writer before it tells, or by the taker; after the arrival is too late."""
    stage, told = tiles(1), barriers(1, 1)
    gl.warp_specialize([(store_fence_tell, (stage, told, FENCE)), (take_box, (target, stage, told, FENCE))], [4], [32])


@gluon.jit
def store_part(stage, told, START: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    stage.index(0).slice(START, SIZE // 2, 0).store(gl.full([SIZE // 2, SIZE], 2.0, gl.float16, layout))
    mbarrier.arrive(told.index(0), count=1)


@gluon.jit
def load_part(stage, told, out, WAITS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    mbarrier.wait(told.index(0), 0, pred=WAITS)
    value = stage.index(0).slice(0, SIZE // 2, 0).load(layout)
    r = gl.arange(0, SIZE // 2, gl.SliceLayout(1, layout))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, layout))[None, :]
    gl.store(out + r * SIZE + c, value.to(gl.float32))


@gluon.jit
def parts_of_two(out, START: gl.constexpr, WAITS: gl.constexpr):
    """Rows that the other group writes, and rows that it does not."""
    stage, told = tiles(1), barriers(1, 1)
    stage.index(0).store(ones())
    gl.warp_specialize([(store_part, (stage, told, START)), (load_part, (stage, told, out, WAITS))], [4], [32])


@gluon.jit
def arrive_twice(told, MOST: gl.constexpr):
    mbarrier.arrive(told.index(0), count=MOST)


@gluon.jit
def arrivals_of_two(out, MOST: gl.constexpr):
    """Two arrivals complete the phase: one of each group; right with MOST = 1."""
    told = barriers(1, 2)
    gl.warp_specialize([(arrive_and_wait, (told, 0)), (arrive_twice, (told, MOST))], [4], [32])
