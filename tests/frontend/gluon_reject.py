"""Gluon kernels that Triton refuses, with the code that Lockstep gives and the line's mark."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, warpgroup_mma_wait

LANES = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
LINE = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def two_layouts(out):
    other: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    gl.store(out + gl.arange(0, 256, LANES), gl.arange(0, 256, other))  # LS1131


@gluon.jit
def not_a_slice(out):
    at = gl.arange(0, 64, LANES)[:, None]  # LS1131
    gl.store(out + at, at)


@gluon.jit
def sliced_elsewhere(out):
    at = gl.arange(0, 64, gl.SliceLayout(0, TILE))[:, None]  # LS1131
    gl.store(out + at, at)


@gluon.jit
def no_layout(out):
    at = gl.arange(0, 64, 3)  # LS1305
    gl.store(out + at, at)


@gluon.jit
def ranks(out):
    at = gl.arange(0, 64, TILE)  # LS1131
    gl.store(out + at, at)


@gluon.jit
def uneven_layout(out):
    bad: gl.constexpr = gl.BlockedLayout([1, 1], [32], [4], [0])  # LS1309
    at = gl.arange(0, 64, bad)
    gl.store(out + at, at)


@gluon.jit
def different_ranks(out):
    row = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    gl.store(out + row, row + row[:, None])  # LS1403


@gluon.jit
def set_twice(out):
    at = gl.set_auto_layout(gl.arange(0, 256, LANES), LANES)  # LS1131
    gl.store(out + at, at)


@gluon.jit
def layout_of_tensors(out):
    gl.allocate_shared_memory(gl.float32, [64], LANES)  # LS1131


@gluon.jit
def another_shape(out):
    held = gl.allocate_shared_memory(gl.int32, [128], LINE)
    held.store(gl.arange(0, 256, LANES))  # LS1403


@gluon.jit
def another_element(out):
    held = gl.allocate_shared_memory(gl.float32, [256], LINE)
    held.store(gl.arange(0, 256, LANES))  # LS1403


@gluon.jit
def computed_count(out, n):
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=n)  # LS1306


@gluon.jit
def computed_slice(out, n):
    held = gl.allocate_shared_memory(gl.float32, [256], LINE)
    held.slice(n, 64)  # LS1306


@gluon.jit
def waits_for_nothing(out):
    warpgroup_mma_wait(0)  # LS1305


@gluon.jit
def takes(a):
    pass


@gluon.jit
def counts_of_warps(out):
    gl.warp_specialize([(takes, (out,)), (takes, (out,))], [1, 1], [24])  # LS1305


@gluon.jit
def no_method(out):
    held = gl.allocate_shared_memory(gl.float32, [256], LINE)
    held.load_all(LANES)  # LS1316


@gluon.jit
def no_name(out):
    gl.dot(out, out)  # LS1316
