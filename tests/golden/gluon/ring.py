# args: run {file}::sums --grid 1 x=randn:f32[7,512] out=zeros:f32[512] tiles=7 BLOCK=512 STAGES=3 LEFT=2
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def sums(x, out, tiles, BLOCK: gl.constexpr, STAGES: gl.constexpr, LEFT: gl.constexpr):
    """Right with LEFT = STAGES - 2."""
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
        async_copy.async_copy_global_to_shared(ring.index(ahead % STAGES), x + ahead * BLOCK + at, mask=at < (tiles - ahead) * BLOCK)
        async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + at, total)
