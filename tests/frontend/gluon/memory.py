"""Shared memory, asynchronous copies, barriers, tensor memory, groups of warps."""

# spec: views x=*fp32,out=*fp32 ; SIZE=32
# spec: cells x=*fp32,out=*fp32 ; SIZE=64
# spec: copies x=*fp32,out=*fp32,n=i32 ; BLOCK=512
# spec: boxes source=tensordesc<fp16[64,64],NVMMASharedLayout(swizzle_byte_width=128,element_bitwidth=16,rank=2)>,out=*fp16,rows=i32
# spec: product a=*fp16,b=*fp16,out=*fp32,n=i32 ; SIZE=64
# spec: ring x=*fp32,out=*fp32,n=i32 ; BLOCK=128
# spec: tensor_core x=*fp16,out=*fp32 ; SIZE=128 --as sm_100
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import blackwell, hopper
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma
from triton.language.core import _aggregate as aggregate


@gluon.jit
def views(x, out, SIZE: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1, 2], [4, 8], [4, 1], [1, 0])
    flat: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    cells: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    r = gl.arange(0, SIZE, gl.SliceLayout(1, lanes))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, lanes))[None, :]
    ring = gl.allocate_shared_memory(gl.float32, [2, SIZE, SIZE], cells)
    for i in range(2):
        ring.index(i).store(gl.load(x + i * SIZE * SIZE + r * SIZE + c))
    gl.thread_barrier()
    first = ring.index(0)
    right = first.slice(SIZE // 2, SIZE // 2, dim=1).load(lanes)
    gl.store(out + r * SIZE + gl.arange(0, SIZE // 2, gl.SliceLayout(0, lanes))[None, :], right)
    at = gl.arange(0, SIZE * SIZE, flat)
    gl.store(out + at, ring.index(1).reshape([SIZE * SIZE]).load(flat))
    line: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    bits = first._reinterpret(gl.int32, [first.numel], line).load(flat)
    gl.store(out + at, (bits >> 31).to(first.dtype))
    ring._keep_alive()


@gluon.jit
def cells(x, out, SIZE: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    padded: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[32, 4]], [SIZE, SIZE], [1, 0])
    tiled: gl.constexpr = gl.NVMMASharedLayout.get_default_for([SIZE, SIZE], gl.float32)
    placed: gl.constexpr = gl.SharedLinearLayout([[0, 1], [0, 2], [0, 4], [0, 8], [1, 16], [2, 0], [4, 0], [8, 0], [1, 0]])
    r = gl.arange(0, SIZE, gl.SliceLayout(1, lanes))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, lanes))[None, :]
    value = gl.load(x + r * SIZE + c)
    one = gl.allocate_shared_memory(gl.float32, [SIZE, SIZE], padded, value)
    two = gl.allocate_shared_memory(gl.float32, [SIZE, SIZE], tiled, one.load(lanes))
    gl.store(out + r * SIZE + c, two.permute([1, 0]).load(lanes))
    gl.allocate_shared_memory(gl.float32, [16, 32], placed, gl.full([16, 32], 0.0, gl.float32, lanes))


@gluon.jit
def copies(x, out, n, BLOCK: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    at = gl.arange(0, BLOCK, lanes)
    held = gl.allocate_shared_memory(gl.float32, [BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(done, count=128)
    async_copy.async_copy_global_to_shared(held, x + at, mask=at < n, cache_modifier=".cg", eviction_policy="evict_last")
    async_copy.mbarrier_arrive(done, increment_count=False)
    mbarrier.arrive(done, count=1, pred=n > 1)
    mbarrier.wait(done, 0, deps=[held])
    async_copy.async_copy_global_to_shared(held, x + at)
    async_copy.commit_group()
    async_copy.wait_group(0)
    mbarrier.invalidate(done)
    gl.store(out + at, held.load(lanes))


@gluon.jit
def boxes(source, out, rows):
    target = tma.make_tensor_descriptor(out, [rows, 64], [64, 1], [64, 64], source.layout)
    stage = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    mbarrier.expect(ready, source.block_type.nbytes)
    tma.async_copy_global_to_shared(source, [gl.program_id(0) * 64, 0], ready, stage, pred=rows > 0)
    mbarrier.wait(ready, phase=0, pred=rows > 0)
    fence_async_shared(cluster=True)
    tma.async_copy_shared_to_global(target, [source.shape[0] - rows, 0], stage)
    tma.store_wait(pendings=0)


@gluon.jit
def product(a, b, out, n, SIZE: gl.constexpr):
    tile: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    sums: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, SIZE, 16])
    at = gl.arange(0, SIZE, gl.SliceLayout(1, tile))[:, None] * SIZE + gl.arange(0, SIZE, gl.SliceLayout(0, tile))[None, :]
    cells: gl.constexpr = gl.NVMMASharedLayout.get_default_for([SIZE, SIZE], gl.float16)
    x = gl.allocate_shared_memory(gl.float16, [SIZE, SIZE], cells, gl.load(a + at))
    y = gl.allocate_shared_memory(gl.float16, [SIZE, SIZE], cells, gl.load(b + at))
    fence_async_shared()
    acc = hopper.warpgroup_mma_init(gl.zeros([SIZE, SIZE], gl.float32, sums))
    for _ in range(n):
        acc = hopper.warpgroup_mma(x, y.permute((1, 0)), acc, is_async=True)
    total = hopper.warpgroup_mma_wait(num_outstanding=0, deps=[acc])
    left: gl.constexpr = gl.DotOperandLayout(0, sums, 2)
    total = hopper.warpgroup_mma(x.load(left), y, total, use_acc=n > 2)
    at = gl.arange(0, SIZE, gl.SliceLayout(1, sums))[:, None] * SIZE + gl.arange(0, SIZE, gl.SliceLayout(0, sums))[None, :]
    gl.store(out + at, total)


@aggregate
class Channel:
    held: gl.shared_memory_descriptor
    full: gl.shared_memory_descriptor
    stages: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, held, full, stages):
        self.held = held
        self.full = full
        self.stages = gl.constexpr(stages)

    @gluon.jit
    def slot(self, i):
        return self.held.index(i % self.stages)


@gluon.jit
def take(channel, n, lanes: gl.constexpr):
    total = gl.zeros([128], gl.float32, lanes)
    for i in range(n):
        mbarrier.wait(channel.full.index(i % channel.stages), (i // channel.stages) & 1)
        total += channel.slot(i).load(lanes)
    return total, n


@gluon.jit
def give(channel, x, n, BLOCK: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    for i in range(n):
        channel.slot(i).store(gl.load(x + i * BLOCK + gl.arange(0, BLOCK, lanes)))
        mbarrier.arrive(channel.full.index(i % channel.stages))


@gluon.jit
def idle():
    pass


@gluon.jit
def ring(x, out, n, BLOCK: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    held = gl.allocate_shared_memory(gl.float32, [2, BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in tl.static_range(2):
        mbarrier.init(full.index(i), count=1)
    channel = Channel(held, full, 2)
    total, more = gl.warp_specialize([(take, (channel, n, lanes)), (give, (channel, x, n, BLOCK)), (idle, ())], [4, 1], [48, 24])
    gl.store(out + gl.arange(0, BLOCK, lanes), total + more)


@gluon.jit
def tensor_core(x, out, SIZE: gl.constexpr):
    tile: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    memory: gl.constexpr = blackwell.TensorMemoryLayout((128, SIZE), col_stride=1)
    sums: gl.constexpr = blackwell.get_tmem_reg_layout(gl.float32, (128, SIZE), memory, gl.num_warps())
    half: gl.constexpr = blackwell.get_tmem_reg_layout(
        gl.float32, (128, SIZE // 2), blackwell.TensorMemoryLayout((128, SIZE // 2), col_stride=1), gl.num_warps()
    )
    at = gl.arange(0, 128, gl.SliceLayout(1, tile))[:, None] * SIZE + gl.arange(0, SIZE, gl.SliceLayout(0, tile))[None, :]
    cells: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, SIZE], gl.float16)
    held = gl.allocate_shared_memory(gl.float16, [128, SIZE], cells, gl.load(x + at))
    ring = blackwell.allocate_tensor_memory(gl.float32, [2, 128, SIZE], memory)
    acc = ring.index(1)
    acc.store(gl.zeros([128, SIZE], gl.float32, sums))
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(done, count=1)
    blackwell.fence_async_shared()
    blackwell.tcgen05_mma(held, held.permute([1, 0]), acc, use_acc=False, mbarriers=[done])
    mbarrier.wait(done, 0)
    blackwell.tcgen05_mma(held, held, acc)
    blackwell.tcgen05_commit(done)
    mbarrier.wait(done, 1)
    right = acc.slice(SIZE // 2, SIZE // 2)
    to = gl.arange(0, 128, gl.SliceLayout(1, half))[:, None] * SIZE + gl.arange(0, SIZE // 2, gl.SliceLayout(0, half))[None, :]
    gl.store(out + to, right.load(half))
