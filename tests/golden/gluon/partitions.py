# args: run {file}::apart --grid 2 x=arange:f32[64] out=zeros:f32[64] SIZE=32 --print out
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier

LANES = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
LINE = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def take(held, full, SIZE: gl.constexpr):
    mbarrier.wait(full, 0)
    return (held.load(LANES),)


@gluon.jit
def give(held, full, x, SIZE: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    held.store(gl.load(x + gl.arange(0, SIZE, lanes)))
    mbarrier.arrive(full)


@gluon.jit
def apart(x, out, SIZE: gl.constexpr):
    """A group of one warp loads, the kernel's four warps double."""
    held = gl.allocate_shared_memory(gl.float32, [SIZE], LINE)
    full = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(full, count=1)
    at = gl.program_id(0) * SIZE
    (value,) = gl.warp_specialize([(take, (held, full, SIZE)), (give, (held, full, x + at, SIZE))], [1], [24])
    gl.store(out + at + gl.arange(0, SIZE), value * 2.0)
