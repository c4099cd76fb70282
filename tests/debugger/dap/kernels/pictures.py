"""Lanes that move, are added up, scanned and multiplied: what has a picture."""

import triton
import triton.language as tl


@triton.jit
def pictures(a, b, out, sums, K: tl.constexpr):
    row = tl.load(a + tl.arange(0, 4))
    column = tl.load(b + tl.arange(0, 8))
    table = row[:, None] + column[None, :]
    tl.store(out + tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :], table)
    added = tl.sum(table, axis=1)
    running = tl.cumsum(added, 0, reverse=True)
    at = tl.argmax(table, axis=1)
    total = tl.zeros((16, 16), dtype=tl.float32)
    side = tl.arange(0, 16)
    for k in range(0, K, 16):
        left = tl.load(out + side[:, None] * K + k + side[None, :])
        total += tl.dot(left, tl.trans(left))
    tl.store(sums + side[:, None] * 16 + side[None, :], total)
    tl.store(a + tl.arange(0, 4), running + at)
