"""Loops, branches and what they carry."""
# spec: x=*fp32 o=*fp32 n=i32 m=i64 B=64 F=True
import triton
import triton.language as tl

X = tl.constexpr(7)
NEG = tl.constexpr(-3.5)


@triton.jit
def kernel(x, o, n, m, B: tl.constexpr, F: tl.constexpr):
    i = tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    k = 0
    t = (acc, k)
    for a in range(n):
        if a % 2 == 0:
            acc += a
            z = 1.0
        else:
            z = 2.0
        acc *= z
        for b in range(a, m, 3):
            if b > 5 and a < b:
                k += 1
            elif b == 2 or not (a == 3):
                k -= 1
                acc = acc - k
        while k > 10:
            k = k // 2
    for s in tl.static_range(0, 4, 2):
        acc += s
        if F:
            acc += 2
    for c in range(10, 0, -3):
        acc += c
    for d in tl.range(0, n, num_stages=2):
        acc += d
    for e in range(tl.cdiv(n, 4)):
        acc += e
    for g in range(n.to(tl.int64)):
        acc += g
    v = acc if n > 2 else acc + 1
    q = 1 if F else 2
    if n > 3:
        pass
    if F and n > 2:
        acc += 1
    tl.store(o + i, acc + v + q + k + X + NEG)
