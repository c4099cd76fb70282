import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The masks of the loads know nothing of the step over K."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * K + rk[None, :]
    pb = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(pa, mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        y = tl.load(pb, mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(x, y, input_precision="ieee")
        pa += BK
        pb += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def one(x, at):
    return tl.load(x + at)


@triton.jit
def nested(x, out, rows, columns):
    """A helper reads one row too far, in the last row and the last but one of the columns."""
    total = 0.0
    for i in range(rows):
        for j in range(1, columns, 2):
            total += one(x, (i + 1) * columns + j)
    tl.store(out, total)


@triton.jit
def until(x, out, n):
    """A loop that counts nothing around one that does."""
    left = n
    total = 0.0
    while left > 0:
        for j in range(3):
            total += tl.load(x + left + j)
        left -= 4
    tl.store(out, total)


@triton.jit
def overflow(x, out, step, turns):
    """The index wraps in the third iteration, at a lane of a tile."""
    at = tl.arange(0, 4) * 0
    for k in range(0, turns):
        at = at + step
        value = tl.load(x + at % 8)
        tl.store(out + at % 8, value // (k - 2))


@triton.jit
def scaled(x, n, BLOCK: tl.constexpr):
    """Load, product and store are one fused group of the plan."""
    for i in range(0, n, BLOCK):
        at = i + tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, at < n) * 2.0, at < n)


@triton.jit
def promised(out, n):
    """The same in every program, which counts all the same."""
    tl.assume(n > 5)
    tl.store(out + tl.program_id(0), tl.max_contiguous(tl.arange(0, 16) % n, 16).to(tl.float32).sum(0))
