"""Tensor descriptors: made in the kernel, carried through loops and calls, with every method."""
# spec: x=*fp16 o=*fp16 k=*i32 u=*u32 M=i32 N=i32 BM=16 BN=32
import triton
import triton.language as tl


@triton.jit
def shifted(source, rows, width: tl.constexpr):
    part = source.load([rows, 0])
    source.store([rows + width, 0], part)
    return source, part


@triton.jit
def kernel(x, o, k, u, M, N, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    target = tl.make_tensor_descriptor(o, [M, N], [N, 1], [BM, BN], padding_option="nan")
    total = tl.zeros((BM, BN), tl.float32)
    for row in range(0, M, BM):
        total += source.load([row, 0])
        source, part = shifted(source, row, BM)
        target.atomic_add([row, BN], part)
    target.store([0, 0], total)
    tl.store_tensor_descriptor(target, [16, 0], tl.load_tensor_descriptor(source, [M, 4]).to(tl.float32))
    counts = tl.make_tensor_descriptor(k, [M.to(tl.int64), N], [N, 1], [BM, BM])
    plain = tl.make_tensor_descriptor(u, [M, N], [N, 1], [BM, BM])
    ones = counts.load([0, target.shape[1]])
    counts.atomic_and([0, 0], ones)
    counts.atomic_or([0, 0], ones)
    counts.atomic_xor([0, 0], ones)
    counts.atomic_min([0, 0], ones)
    plain.atomic_max([0, 0], ones.to(tl.uint32))
    plain.store([0, 0], ones)
    line = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[1, BN])
    rows = tl.arange(0, 8) * 2
    picked = line.gather(rows, 16)
    line.scatter(picked, rows, N)
    tl.static_assert(line.dtype == tl.float16 and line.block_shape[1] == BN)
    flat = tl.make_tensor_descriptor(x, [M * N], [1], [BN])
    flat.store([M], flat.load([0]))
    if M > 5:
        line = tl.make_tensor_descriptor(o, shape=[M, N], strides=[N, 1], block_shape=[1, BN])
    line.store([0, 0], line.load([3, 0]))
