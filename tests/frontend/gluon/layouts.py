"""Layouts of tensors: given, sliced, inferred, left open."""

# spec: rows x=*fp32,out=*fp32,columns=i32 ; ROWS=8 COLUMNS=256
# spec: all_of_it x=*i32,out=*i32 ; SIZE=512
# spec: shapes x=*fp32,y=*fp32,out=*fp32 ; SIZE=256
# spec: wide x=*fp16,out=*fp16
# spec: counts x=*i32,out=*i32,total=*i32 ; SIZE=512 BINS=64
# spec: open_until_set out=*i32 ; SIZE=256
# spec: coalesced x=*fp32,out=*fp32,n=i32 ; BLOCK=512
# spec: computed x=*fp32,out=*fp32 ; SIZE=64
# spec: products a=*fp16,b=*fp16,out=*fp32
# spec: branches x=*fp32,out=*fp32,n=i32 ; SIZE=128
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import mma_v2

TILE = gl.constexpr(gl.BlockedLayout([1, 4], [1, 32], [2, 2], [1, 0]))
ROW = gl.constexpr(gl.SliceLayout(1, TILE.value))


@gluon.jit
def rows(x, out, columns, ROWS: gl.constexpr, COLUMNS: gl.constexpr):
    row = gl.program_id(0) * ROWS + gl.arange(0, ROWS, ROW)[:, None]
    column = gl.arange(0, COLUMNS, gl.SliceLayout(0, TILE))[None, :]
    value = gl.load(x + row * columns + column, mask=column < columns, other=float("-inf"))
    value = gl.exp(value - gl.max(value, axis=1, keep_dims=True))
    gl.store(out + row * columns + column, value / gl.sum(value, axis=1)[:, None], mask=column < columns)


@gluon.jit
def plus(a, b):
    return a + b


@gluon.jit
def all_of_it(x, out, SIZE: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout(size_per_thread=[2], threads_per_warp=[32], warps_per_cta=[4], order=[0])
    at = gl.arange(0, SIZE, layout=lanes)
    value = gl.load(x + at)
    gl.store(out + at, gl.associative_scan(value, 0, plus))
    gl.store(out + SIZE, gl.sum(value) + gl.min(value) + gl.xor_sum(value, 0) + gl.reduce(value, 0, plus))


@gluon.jit
def shapes(x, y, out, SIZE: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.arange(0, SIZE, lanes)
    both = gl.join(gl.load(x + at), gl.load(y + at))
    flat = gl.reshape(gl.permute(both, [1, 0]), [2 * SIZE])
    where = gl.arange(0, 2 * SIZE, flat.type.layout)
    gl.store(out + where, gl.gather(flat, (where * 5 + 3) % (2 * SIZE), 0))
    first, second = gl.split(both)
    again = gl.convert_layout(first - second, lanes)
    gl.store(out + at, gl.where(again > 0, again, gl.zeros_like(again)))


@gluon.jit
def wide(x, out):
    patch: gl.constexpr = gl.DistributedLinearLayout(
        reg_bases=[[0, 1], [1, 0]],
        lane_bases=[[0, 2], [0, 4], [0, 8], [2, 0], [4, 0]],
        warp_bases=[[8, 0], [16, 0]],
        block_bases=[],
        shape=[32, 16],
    )
    r = gl.arange(0, 32, gl.SliceLayout(1, patch))[:, None]
    c = gl.arange(0, 16, gl.SliceLayout(0, patch))[None, :]
    value = gl.load(x + r * 16 + c)
    gl.store(out + r * 16 + c, gl.permute(gl.permute(value, [1, 0]), (1, 0)) + gl.full([32, 16], 2, gl.float16, patch))


@gluon.jit
def counts(x, out, total, SIZE: gl.constexpr, BINS: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.arange(0, SIZE, lanes)
    value = gl.load(x + at)
    gl.atomic_add(out + gl.arange(0, BINS, lanes), gl.histogram(value, BINS, mask=value < BINS, layout=lanes))
    gl.atomic_max(total, gl.max(value, 0), sem="relaxed")


@gluon.jit
def open_until_set(out, SIZE: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.set_auto_layout(gl.arange(0, SIZE) * 3 + 1, lanes)
    gl.store(out + gl.arange(0, SIZE), at)


@gluon.jit
def coalesced(x, out, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.CoalescedLayout())
    value = gl.load(x + at, mask=at < n, other=0.0)
    gl.store(out + at, gl.maximum(value, gl.full([BLOCK], 0.0, gl.float32, gl.CoalescedLayout())), mask=at < n)


@gluon.constexpr_function
def rows_of(size, warps):
    threads = min(32, size // 4)
    return gl.BlockedLayout([1, 4], [32 // threads, threads], [warps, 1], [1, 0])


@gluon.jit
def doubled(value, layout: gl.constexpr, times: gl.constexpr = 2):
    gl.static_assert(isinstance(layout, gl.BlockedLayout))
    return gl.convert_layout(value, layout) * times


@gluon.jit
def computed(x, out, SIZE: gl.constexpr):
    tile: gl.constexpr = rows_of(SIZE, gl.num_warps())
    bases: gl.constexpr = gl.to_linear_layout(tile, [SIZE, SIZE])
    r = gl.arange(0, SIZE, gl.SliceLayout(1, tile))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, tile))[None, :]
    value = gl.convert_layout(gl.load(x + r * SIZE + c), bases)
    gl.store(out + r * SIZE + c, doubled(value, tile))
    if tile.order[0] == 1 and tile != TILE:
        gl.store(out, gl.num_ctas() + tile.rank)


@gluon.jit
def products(a, b, out):
    result: gl.constexpr = gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[2, 2], instr_shape=[16, 8])
    left: gl.constexpr = gl.DotOperandLayout(0, result, k_width=2)
    right: gl.constexpr = gl.DotOperandLayout(operand_index=1, parent=result, k_width=2)
    x = gl.load(a + gl.arange(0, 32, gl.SliceLayout(1, left))[:, None] * 16 + gl.arange(0, 16, gl.SliceLayout(0, left))[None, :])
    y = gl.load(b + gl.arange(0, 16, gl.SliceLayout(1, right))[:, None] * 32 + gl.arange(0, 32, gl.SliceLayout(0, right))[None, :])
    total = mma_v2(x, y, gl.zeros([32, 32], gl.float32, layout=result))
    at = gl.arange(0, 32, gl.SliceLayout(1, result))[:, None] * 32 + gl.arange(0, 32, gl.SliceLayout(0, result))[None, :]
    gl.store(out + at, total)


@gluon.jit
def branches(x, out, n, SIZE: gl.constexpr):
    lanes: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.arange(0, SIZE, lanes)
    total = gl.zeros([SIZE], gl.float32, lanes)
    for i in range(n):
        total += gl.load(x + i * SIZE + at)
    if n > 3:
        total = total * 2.0
    while n > 0:
        n -= 1
        total = total + 1.0
    gl.store(out + at, total)
