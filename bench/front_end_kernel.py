"""The kernel of front_end_bench: 150 lines with helpers, of the kind that attention packages have."""
# sig: q=*fp16 k=*fp16 v=*fp16 bias=*fp32 out=*fp16 lse=*fp32 sq=i32 sk=i32 sv=i32 so=i32 hq=i32 hk=i32 rows=i32 columns=i32 scale=fp32 drop=fp32 seed=i32
# constants: HEADS=8 GROUP=2 BLOCK_M=64 BLOCK_N=64 D=64 CAUSAL=True HAS_BIAS=True WINDOW=128 DROPOUT=True
import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)
NEGATIVE = tl.constexpr(-1.0e30)


@triton.jit
def block_of(start, count: tl.constexpr):
    return start + tl.arange(0, count)


@triton.jit
def swizzled(pid, rows, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    blocks = tl.cdiv(rows, BLOCK)
    group = pid // (GROUP * blocks)
    first = group * GROUP
    size = tl.minimum(blocks - first, GROUP)
    m = first + (pid % (GROUP * blocks)) % size
    head = (pid % (GROUP * blocks)) // size
    return m, head


@triton.jit
def load_tile(pointer, row, column, stride, rows, D: tl.constexpr, MASKED: tl.constexpr):
    offsets = row[:, None] * stride + column[None, :]
    if MASKED:
        tile = tl.load(pointer + offsets, mask=row[:, None] < rows, other=0.0)
    else:
        tile = tl.load(pointer + offsets)
    return tile


@triton.jit
def visible(row, column, columns, CAUSAL: tl.constexpr, WINDOW: tl.constexpr):
    mask = column[None, :] < columns
    if CAUSAL:
        mask = mask & (row[:, None] >= column[None, :])
    if WINDOW > 0:
        mask = mask & (row[:, None] - column[None, :] < WINDOW)
    return mask


@triton.jit
def add_bias(scores, bias, row, column, rows, columns, HAS_BIAS: tl.constexpr):
    if HAS_BIAS:
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        extra = tl.load(bias + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
        scores += extra * LOG2E
    return scores


@triton.jit
def dropped(weights, seed, row, column, columns, probability, DROPOUT: tl.constexpr):
    if DROPOUT:
        offsets = row[:, None] * columns + column[None, :]
        keep = tl.rand(seed, offsets) > probability
        weights = tl.where(keep, weights / (1.0 - probability), 0.0)
    return weights


@triton.jit
def rescaled(maximum, scores):
    highest = tl.maximum(maximum, tl.max(scores, 1))
    safe = tl.where(highest == float("-inf"), 0.0, highest)
    return highest, safe, tl.exp2(maximum - safe)


@triton.jit
def inner(
    acc, total, maximum, query, k, v, bias, seed, row, start, stop, sk, sv, rows, columns, scale, drop,
    BLOCK_N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr, HAS_BIAS: tl.constexpr, WINDOW: tl.constexpr,
    DROPOUT: tl.constexpr, MASKED: tl.constexpr,
):
    dimension = tl.arange(0, D)
    for begin in range(start, stop, BLOCK_N):
        begin = tl.multiple_of(begin, BLOCK_N)
        column = block_of(begin, BLOCK_N)
        key = load_tile(k, column, dimension, sk, columns, D, MASKED)
        scores = tl.dot(query, tl.trans(key)) * (scale * LOG2E)
        scores = add_bias(scores, bias, row, column, rows, columns, HAS_BIAS)
        if MASKED:
            scores = tl.where(visible(row, column, columns, CAUSAL, WINDOW), scores, NEGATIVE)
        highest, safe, factor = rescaled(maximum, scores)
        weights = tl.exp2(scores - safe[:, None])
        total = total * factor + tl.sum(weights, 1)
        weights = dropped(weights, seed, row, column, columns, drop, DROPOUT)
        value = load_tile(v, column, dimension, sv, columns, D, MASKED)
        acc = acc * factor[:, None]
        acc = tl.dot(weights.to(value.dtype), value, acc)
        maximum = highest
    return acc, total, maximum


@triton.jit
def kernel(
    q, k, v, bias, out, lse, sq, sk, sv, so, hq, hk, rows, columns, scale, drop, seed,
    HEADS: tl.constexpr, GROUP: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, D: tl.constexpr,
    CAUSAL: tl.constexpr, HAS_BIAS: tl.constexpr, WINDOW: tl.constexpr, DROPOUT: tl.constexpr,
):
    pid = tl.program_id(0)
    batch = tl.program_id(1).to(tl.int64)
    m, head = swizzled(pid, rows, BLOCK_M, HEADS)
    tl.static_assert(D % 16 == 0, f"D must be a multiple of 16, not {D}")
    q += batch * hq * HEADS + head * hq
    k += batch * hk * (HEADS // GROUP) + (head // GROUP) * hk
    v += batch * hk * (HEADS // GROUP) + (head // GROUP) * hk
    out += batch * hq * HEADS + head * hq
    row = block_of(m * BLOCK_M, BLOCK_M)
    dimension = tl.arange(0, D)
    query = load_tile(q, row, dimension, sq, rows, D, True)
    acc = tl.zeros((BLOCK_M, D), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    maximum = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    if CAUSAL:
        stop = tl.minimum(columns, (m + 1) * BLOCK_M)
        whole = (m * BLOCK_M) // BLOCK_N * BLOCK_N
    else:
        stop = columns
        whole = columns // BLOCK_N * BLOCK_N
    start = 0
    if WINDOW > 0:
        start = tl.maximum(0, m * BLOCK_M - WINDOW) // BLOCK_N * BLOCK_N
        whole = start
    if HAS_BIAS:
        bias += (batch * HEADS + head) * rows * columns
    seed += head
    acc, total, maximum = inner(
        acc, total, maximum, query, k, v, bias, seed, row, start, whole, sk, sv, rows, columns, scale, drop,
        BLOCK_N, D, CAUSAL, HAS_BIAS, WINDOW, DROPOUT, False,
    )  # fmt: skip
    acc, total, maximum = inner(
        acc, total, maximum, query, k, v, bias, seed, row, whole, stop, sk, sv, rows, columns, scale, drop,
        BLOCK_N, D, CAUSAL, HAS_BIAS, WINDOW, DROPOUT, True,
    )  # fmt: skip
    acc = acc / tl.where(total == 0.0, 1.0, total)[:, None]
    result = acc.to(out.dtype.element_ty)
    inside = row < rows
    tl.store(out + row[:, None] * so + dimension[None, :], result, mask=inside[:, None])
    tl.store(lse + (batch * HEADS + head) * rows + row, maximum + tl.log2(total), mask=inside)
