"""Dot precisions, small types, accuracy of elementary functions, orders of sums. Kernels are those of
tests/h200_answers.
"""

import torch
from answers import T, check, go
from l12_extra import (
    at64,
    atf16max,
    atu8,
    boolst,
    bpneg,
    cumord,
    d3,
    dotacc,
    dsk,
    dt,
    fdivk,
    red8,
    rnd64,
    un,
)

I32 = torch.int32
for P in ("tf32", "tf32x3", "ieee"):

    @check(f"dot {P}: lhs 1+{{1,3,1+eps,.5,eps}}*2^-11, result in 2^-11 units")
    def _(P=P):
        x = torch.zeros(16, 16)
        x[0, 0] = 1 + 2 ** (-11)
        x[1, 1] = 1 + 3 * 2 ** (-11)
        x[2, 2] = 1 + 2 ** (-11) + 2 ** (-20)
        x[3, 3] = 1 + 2 ** (-12)
        x[4, 4] = 1 + 2 ** (-20)
        o = torch.zeros(16, 16)
        go(dt, x, torch.ones(16, 16), o, N=16, P=P)
        return [(v - 1) * 2**11 for v in o[:5, 0].tolist()]


@check("dot 3D")
def _():
    x = torch.eye(16).repeat(2, 1, 1)
    y = torch.arange(512.0).reshape(2, 16, 16)
    o = torch.zeros(2, 16, 16)
    go(d3, x, y, o, B=2, N=16)
    return bool(torch.equal(o, y))


@check("dot_scaled e2m1 packed 0x32 elem0, elem1 (low nibble first => 1.0,1.5)")
def _():
    K = 64
    q = torch.full((16, K // 2), 50, dtype=torch.uint8)
    s = torch.full((16, K // 32), 127, dtype=torch.uint8)
    b = torch.zeros(K, 16, dtype=torch.bfloat16)
    b[0] = 1
    o = torch.zeros(16, 16)
    go(dsk, q, s, b, o, K=K)
    p = torch.zeros(16, 16)
    b = torch.zeros(K, 16, dtype=torch.bfloat16)
    b[1] = 1
    go(dsk, q, s, b, p, K=K)
    return [o[0, 0].item(), p[0, 0].item()]


@check("int8 max,min,sum,argmax,cumsum,rev cumsum,cumprod")
def _():
    o = T([0] * 16, I32)
    go(red8, T([100, 100, -128, 3], torch.int8), o, N=4)
    return o


@check("store 2 and 0.5 to bool pointer")
def _():
    p = torch.zeros(2, dtype=torch.bool)
    o = T([9] * 2, I32)
    go(boolst, p, o)
    return (p.view(torch.uint8), o)


@check("atomics i64,f64")
def _():
    p = T([1], torch.int64)
    q = T([1.0], torch.float64)
    o = T([0, 0], torch.int64)
    go(at64, p, q, o)
    return (p, q, o)


@check("atomic_add int8 (rejected)")
def _():
    p = T([1], torch.int8)
    go(atu8, p)
    return p


@check("atomic_max f16 (rejected)")
def _():
    p = T([0.0], torch.float16)
    go(atf16max, p)
    return p


@check("block_ptr negative offset")
def _():
    o = T([9.0] * 4)
    go(bpneg, T([1.0, 2.0, 3.0, 4.0]), o, 4, BM=4)
    return o


@check("rand 64-bit offsets")
def _():
    o = T([0.0] * 4)
    go(rnd64, o, N=4, seed=7)
    return [repr(v) for v in o.tolist()]


@check("f32 division/sqrt vs correctly rounded")
def _():
    torch.manual_seed(1)
    x = torch.rand(1024) * 100
    y = torch.rand(1024) * 100 + 0.001
    o = torch.zeros(5 * 1024)
    go(fdivk, x, y, o, N=1024)
    o = o.reshape(5, 1024)
    e = [x / y] * 3 + [x.sqrt()] * 2
    texts = {}
    for j, name in enumerate(["a/b", "fdiv", "div_rn", "sqrt_rn", "sqrt"]):
        relative = ((o[j].double() - e[j].double()) / e[j].double()).abs().max().item()
        texts[name] = f"{(o[j] != e[j]).sum().item()}/1024 differ, max rel {relative:.1e}"
    return texts


@check("f32 math accuracy vs f64, 1024 randn*5")
def _():
    torch.manual_seed(1)
    x = torch.randn(1024) * 5
    o = torch.zeros(9 * 1024)
    go(un, x, o, N=1024)
    o = o.reshape(9, 1024).double()
    d = x.double()
    ad = d.abs()
    e = [d.exp(), ad.log(), d.sin(), d.cos(), d.exp2(), ad.log2(), ad.rsqrt(), torch.erf(d), torch.sigmoid(d)]
    return {
        n: f"max abs {(o[j] - e[j]).abs().max().item():.1e} rel {((o[j] - e[j]) / e[j]).abs().max().item():.1e}"
        for j, n in enumerate(["exp", "log", "sin", "cos", "exp2", "log2", "rsqrt", "erf", "sigmoid"])
    }


@check("f16 dot 64x64x128 error vs exact")
def _():
    torch.manual_seed(1)
    x = torch.randn(64, 128).half()
    y = torch.randn(128, 64).half()
    o = torch.zeros(64, 64)
    go(dotacc, x, y, o, N=64, K=128)
    e = x.double() @ y.double()
    return f"max abs err {(o.double() - e).abs().max().item():.2e}"


@check("f32 (default tf32) dot 64x64x128 error vs exact")
def _():
    torch.manual_seed(1)
    x = torch.randn(64, 128)
    y = torch.randn(128, 64)
    o = torch.zeros(64, 64)
    go(dotacc, x, y, o, N=64, K=128)
    e = x.double() @ y.double()
    return f"max abs err {(o.double() - e).abs().max().item():.2e}"


for pat in ([100000000.0, 1, -100000000.0, 1], [1, 100000000.0, 1, -100000000.0], [100000000.0, -100000000.0, 1, 1]):

    @check(f"sum order probe {pat}")
    def _(pat=pat):
        o = T([0.0])
        go(cumord, T([float(v) for v in pat]), o, N=4)
        return o
