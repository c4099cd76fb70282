"""Kernels that `lockstep prove` decides: each right one has twins with one fault."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask) + tl.load(y + offs, mask), mask)


@triton.jit
def add_mask_off_by_one(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs <= n
    tl.store(out + offs, tl.load(x + offs, mask) + tl.load(y + offs, mask), mask)


@triton.jit
def add_mask_missing(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs) + tl.load(y + offs, mask), mask)


@triton.jit
def rows(x, out, M, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * stride + cols, cols < N)
        tl.store(out + row * N + cols, value, cols < N)


@triton.jit
def rows_other_stride(x, out, M, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * stride + cols, cols < N)
        tl.store(out + row * stride + cols, value, cols < N)


@triton.jit
def rows_wide(x, out, M, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * stride + cols, cols < N)
        tl.store(out + row * N + cols, value, cols < N)


@triton.jit
def carried(x, out, N, BLOCK: tl.constexpr):
    p = x + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, N, BLOCK):
        total += tl.load(p, start + tl.arange(0, BLOCK) < N, other=0.0)
        p += BLOCK
    tl.store(out + tl.arange(0, BLOCK), total)


@triton.jit
def carried_twice_as_fast(x, out, N, BLOCK: tl.constexpr):
    p = x + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, N, BLOCK):
        total += tl.load(p, start + tl.arange(0, BLOCK) < N, other=0.0)
        p += 2 * BLOCK
    tl.store(out + tl.arange(0, BLOCK), total)


@triton.jit
def transposed_turns(x, out, BLOCK: tl.constexpr):
    tile = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :] * 0
    for _ in range(3):
        tl.store(out + tile, 1.0)
        tile = tl.trans(tile)


@triton.jit
def block_2d(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    on = (r[:, None] < M) & (c[None, :] < N)
    at = r[:, None] * N + c[None, :]
    tl.store(out + at, tl.load(x + at, on), on)


@triton.jit
def block_2d_one_axis(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    on = (r[:, None] < M) & (c[None, :] < M)
    at = r[:, None] * N + c[None, :]
    tl.store(out + at, tl.load(x + at, on), on)


@triton.jit
def grouped(x, out, H, G, D: tl.constexpr):
    head = tl.program_id(0)
    cols = tl.arange(0, D)
    value = tl.load(x + (head // G) * D + cols)
    tl.store(out + head * D + cols, value)


@triton.jit
def clamped(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + tl.minimum(offs, n - 1)), offs < n)


@triton.jit
def clamped_late(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + tl.minimum(offs, n)), offs < n)


@triton.jit
def gathered(x, index, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.load(index + offs, offs < n, other=0)
    tl.store(out + offs, tl.load(x + at, offs < n), offs < n)


@triton.jit
def gathered_pairs(x, index, out):
    """Every second number of a table, whose place wraps first."""
    at = tl.load(index + tl.program_id(0) * 2)
    tl.store(out + tl.program_id(0), tl.load(x + at))


@triton.jit
def shifted(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + offs - 1, (offs > 0) & (offs < n), other=0.0)
    tl.store(out + offs, left, offs < n)


@triton.jit
def shifted_lower_end(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + offs - 1, offs < n, other=0.0)
    tl.store(out + offs, left, offs < n)


@triton.jit
def early(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def early_alone(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs), offs < n)


@triton.jit
def matmul(a, b, c, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    in_group = GROUP * tiles_n
    group = pid // in_group
    first = group * GROUP
    size = min(tiles_m - first, GROUP)
    pid_m = first + ((pid % in_group) % size)
    pid_n = (pid % in_group) // size
    offs_m = (pid_m * BM + tl.arange(0, BM)) % M
    offs_n = (pid_n * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    pa = a + offs_m[:, None] * sam + offs_k[None, :]
    pb = b + offs_k[:, None] * sbk + offs_n[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(pa, mask=offs_k[None, :] < K - k * BK, other=0.0)
        y = tl.load(pb, mask=offs_k[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK * sbk
    cm = pid_m * BM + tl.arange(0, BM)
    cn = pid_n * BN + tl.arange(0, BN)
    tl.store(c + cm[:, None] * scm + cn[None, :], acc, (cm[:, None] < M) & (cn[None, :] < N))


@triton.jit
def two_choices(x, a, b, out, n):
    at = tl.load(a) > 0
    back = tl.load(b) > 0
    first = tl.where(at, n - 1, 0)
    second = tl.where(back, n - 1, 0)
    tl.store(out, tl.load(x + first - second))


@triton.jit
def one_choice(x, a, b, out, n):
    at = tl.load(a) > 0
    first = tl.where(at, n - 1, 0)
    second = tl.where(at, n - 1, 0)
    tl.store(out, tl.load(x + first - second))


@triton.jit
def chosen_by_sizes(x, out, n, m, BLOCK: tl.constexpr):
    """What it needs is a choice between sizes."""
    lane = tl.arange(0, BLOCK)
    at = tl.where(n < lane, 8, 1)
    tl.store(out + lane, tl.load(x + at, at >= 0, other=0.0))


@triton.jit
def heads(x, out, T, H: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr):
    """[batch, T, H, D]: one number counts batches and heads."""
    batch, head = tl.program_id(1) // H, tl.program_id(1) % H
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = ((batch * T + rows) * H + head)[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(out + at, tl.load(x + at, (rows < T)[:, None], other=0.0), (rows < T)[:, None])


@triton.jit
def heads_too_close(x, out, T, H: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr):
    """The last row of a batch is the first of the next."""
    batch, head = tl.program_id(1) // H, tl.program_id(1) % H
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = ((batch * (T - 1) + rows) * H + head)[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(out + at, tl.load(x + at, (rows < T)[:, None], other=0.0), (rows < T)[:, None])


@triton.jit
def flat_rows(x, out, n, width, stride, BLOCK: tl.constexpr):
    """Rows and columns from one number."""
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + offs, offs < n, other=0.0)
    tl.store(out + (offs // width) * stride + offs % width, value, offs < n)


@triton.jit
def lone(x, out, n, BLOCK: tl.constexpr):
    """One program for all."""
    total = tl.program_id(0).to(tl.float32)
    for first in range(0, n, BLOCK):
        offs = first + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + offs, offs < n, other=0.0))
    tl.store(out, total)


@triton.jit
def ragged(x, starts, out, H, BLOCK: tl.constexpr):
    """Sequences behind one another: where one ends is loaded, and a loop goes over its blocks."""
    first = tl.load(starts + tl.program_id(0))
    length = tl.load(starts + tl.program_id(0) + 1) - first
    for block in range(tl.cdiv(length, BLOCK)):
        rows = block * BLOCK + tl.arange(0, BLOCK)
        value = tl.load(x + (first + rows) * H, rows < length)
        tl.store(out + (first + rows) * H, value, rows < length)


@triton.jit
def chunk_ends(x, starts, chunks, out, BLOCK: tl.constexpr):
    """Chunks of sequences behind one another: each program takes the last row of its chunk."""
    sequence, chunk = tl.load(chunks + tl.program_id(0) * 2), tl.load(chunks + tl.program_id(0) * 2 + 1)
    first = tl.load(starts + sequence)
    length = tl.load(starts + sequence + 1) - first
    last = min((chunk + 1) * BLOCK, length) - 1
    tl.store(out + tl.program_id(0), tl.load(x + first + last))


@triton.jit
def chunk_starts(x, starts, chunks, out, BLOCK: tl.constexpr):
    """The first row of each chunk."""
    sequence, chunk = tl.load(chunks + tl.program_id(0) * 2), tl.load(chunks + tl.program_id(0) * 2 + 1)
    tl.store(out + tl.program_id(0), tl.load(x + tl.load(starts + sequence) + chunk * BLOCK), chunk * BLOCK < tl.load(starts + sequence + 1))


@triton.jit
def chunk_parts(x, starts, chunks, out, BLOCK: tl.constexpr, PARTS: tl.constexpr, H: tl.constexpr, K: tl.constexpr):
    """Parts of chunks: one that begins behind the end of its sequence is left out."""
    sequence, chunk = tl.load(chunks + tl.program_id(0) * 2), tl.load(chunks + tl.program_id(0) * 2 + 1)
    first = tl.load(starts + sequence)
    row = chunk * BLOCK + tl.program_id(1) // PARTS * (BLOCK // PARTS)
    if row >= tl.load(starts + sequence + 1) - first:
        return
    head = tl.program_id(2) % H
    for block in range(tl.cdiv(K, 32)):
        cols = block * 32 + tl.arange(0, 32)
        value = tl.load(x + (first * H + head) * K + row * H * K + cols, cols < K)
        tl.store(out + (first * H + head) * K + row * H * K + cols, value, cols < K)


@triton.jit
def chunk_rows(x, starts, chunks, out, H: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, STEP: tl.constexpr, MORE: tl.constexpr = 0, SHARE: tl.constexpr = 1):
    """All rows of chunks: right where STEP is BLOCK, MORE is 0 and SHARE is 1."""
    place = chunks + tl.program_id(0) // SHARE * 2
    sequence, chunk = tl.load(place), tl.load(place + 1)
    head = tl.program_id(1) % H
    first = tl.load(starts + sequence)
    length = tl.load(starts + sequence + 1) - first
    rows = chunk * STEP + tl.arange(0, BLOCK)
    at = ((first + rows)[:, None] * H + head) * D + tl.arange(0, D)[None, :]
    tl.store(out + at, tl.load(x + at, (rows < length + MORE)[:, None]), (rows < length + MORE)[:, None])


@triton.jit
def chunk_ends_without_min(x, starts, chunks, out, BLOCK: tl.constexpr):
    """The last chunk of a sequence may be short."""
    sequence, chunk = tl.load(chunks + tl.program_id(0) * 2), tl.load(chunks + tl.program_id(0) * 2 + 1)
    first = tl.load(starts + sequence)
    length = tl.load(starts + sequence + 1) - first
    last = tl.maximum((chunk + 1) * BLOCK, length) - 1
    tl.store(out + tl.program_id(0), tl.load(x + first + last))


@triton.jit
def rows_of_stride(x, out, M, N, stride, BLOCK: tl.constexpr):
    """Rows of an output whose stride is another than their length: programs meet where it is smaller."""
    cols = tl.arange(0, BLOCK)
    value = tl.load(x + tl.program_id(0) * N + cols, cols < N)
    tl.store(out + tl.program_id(0) * stride + cols, value, cols < N)


@triton.jit
def some_rows(x, out, n, per):
    """Rows by programs: whether the last row is read depends on how many programs there are."""
    first = tl.program_id(0) * per
    for row in range(first, min(first + per, n)):
        tl.store(out + row, tl.load(x + row))


@triton.jit
def windowed(x, out, n, W, BLOCK: tl.constexpr):
    """The window of the first rows starts before 0: a quotient toward zero."""
    first = tl.maximum((tl.program_id(0) * BLOCK - W + 1) // BLOCK * BLOCK, 0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(first, tl.program_id(0) * BLOCK + 1, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        total += tl.load(x + offs, offs < n, other=0.0)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, total, offs < n)


@triton.jit
def row_blocks(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Block pointers that a loop carries."""
    source = tl.make_block_ptr(x, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    target = tl.make_block_ptr(out, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    for _ in range(0, N, BN):
        tl.store(target, tl.load(source, boundary_check=(0, 1)), boundary_check=(0, 1))
        source = tl.advance(source, (0, BN))
        target = tl.advance(target, (0, BN))


@triton.jit
def row_blocks_unchecked(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_block_ptr(x, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    target = tl.make_block_ptr(out, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    for _ in range(0, N, BN):
        tl.store(target, tl.load(source, boundary_check=(0,)), boundary_check=(0, 1))
        source = tl.advance(source, (0, BN))
        target = tl.advance(target, (0, BN))


@triton.jit
def described(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Descriptors that the kernel makes."""
    source = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    target.store([row, column], source.load([row, column]))


@triton.jit
def described_too_long(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [M + 1, N], [N, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    target.store([row, column], source.load([row, column]))


@triton.jit
def tiles(out, M, N, stride, BM: tl.constexpr, BN: tl.constexpr):
    """Programs are counted in one axis, as most products of matrices do."""
    columns = tl.cdiv(N, BN)
    m = tl.program_id(0) // columns * BM + tl.arange(0, BM)
    n = tl.program_id(0) % columns * BN + tl.arange(0, BN)
    tl.store(out + m[:, None] * stride + n[None, :], 1.0, (m[:, None] < M) & (n[None, :] < N))


@triton.jit
def tiles_of_two_widths(out, M, N, stride, BM: tl.constexpr, BN: tl.constexpr):
    columns = tl.cdiv(N, BN)
    m = tl.program_id(0) // (columns + 1) * BM + tl.arange(0, BM)
    n = tl.program_id(0) % columns * BN + tl.arange(0, BN)
    tl.store(out + m[:, None] * stride + n[None, :], 1.0, (m[:, None] < M) & (n[None, :] < N))


@triton.jit
def interleaved(x, T, H: tl.constexpr, BLOCK: tl.constexpr):
    """A batch's heads lie side by side in each of its T rows."""
    batch, head = tl.program_id(1) // H, tl.program_id(1) % H
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + batch * T * H + offs * H + head, 1.0, offs < T)


@triton.jit
def rolled(x, out, n, shift, BLOCK: tl.constexpr):
    """A remainder has the sign of what is divided."""
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = (offs - shift) % n
    at = tl.where(at < 0, at + n, at)
    tl.store(out + offs, tl.load(x + at), offs < n)


@triton.jit
def rolled_as_in_python(x, out, n, shift, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = (offs - shift) % n
    tl.store(out + offs, tl.load(x + at), offs < n)


@triton.jit
def lengths(starts, out):
    """How long a sequence is, as a place: it has to be 0 or more."""
    length = tl.load(starts + tl.program_id(0) + 1) - tl.load(starts + tl.program_id(0))
    tl.store(out + length, 1)


@triton.jit
def few_rows(x, T, offset):
    """Nothing is stored where another number is large."""
    tl.store(x + tl.program_id(0) * T, 1.0, offset < 150)


@triton.jit
def planes(out, plane, row, M: tl.constexpr, BLOCK: tl.constexpr):
    """Strides that have to be far larger than any small number."""
    r = tl.arange(0, M)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    tl.store(out + tl.program_id(0) * plane + r * row + c, 1.0)


@triton.jit
def folded(out, n, BLOCK: tl.constexpr):
    """Each number of a chain is named three times by the next one."""
    i = tl.arange(0, BLOCK)
    for _ in tl.static_range(24):
        i = tl.where(i % 7 < n, i // 2 + i % 3, i)
    tl.store(out + tl.arange(0, BLOCK)[:, None] * BLOCK + i[None, :], 1.0, mask=(i < BLOCK)[None, :])
