"""Conversions, bfloat16, NaN, 8-bit floats, elementary functions, sums. Kernels are those of tests/h200_answers."""

import torch
import triton.language as tl
from answers import T, check, go
from l07_float import (
    bf,
    bfcmp,
    bfdot,
    bfsum,
    cvt,
    cvtz,
    denorm,
    f16acc,
    f16sum,
    fexp16,
    fm,
    i8dot,
    mm,
    redu,
    sums,
    trans,
)

NAN = float("nan")
INF = float("inf")


def cv(vals, src, dst, dt):
    x = T(vals, src)
    o = torch.zeros(len(vals), dtype=dst)
    go(cvt, x, o, N=len(vals), DT=dt)
    return o


@check("cast.f32->bf16 [1+2^-8 tie,1+3*2^-8 tie,1+2^-8+eps,nan,inf,3.4e38,-0,1e-40]")
def _():
    return cv(
        [1 + 2 ** (-8), 1 + 3 * 2 ** (-8), 1 + 2 ** (-8) + 2 ** (-20), NAN, INF, 3.4e38, -0.0, 1e-40],
        torch.float32,
        torch.bfloat16,
        tl.bfloat16,
    )


@check("cast.f32->f16 [1+2^-11 tie,1+3*2^-11,65519,65520,1e-8,5.96e-8,nan,-70000]")
def _():
    return cv(
        [1 + 2 ** (-11), 1 + 3 * 2 ** (-11), 65519.0, 65520.0, 1e-08, 5.96e-08, NAN, -70000.0],
        torch.float32,
        torch.float16,
        tl.float16,
    )


@check("cast.f32->f8e5 bits [1.125 tie,1.375 tie,1.875 carry,1.9,57344,61440,65536,nan]")
def _():
    return cv([1.125, 1.375, 1.875, 1.9, 57344.0, 61440.0, 65536.0, NAN], torch.float32, torch.float8_e5m2, tl.float8e5)


@check("cast.f32->f8e4nv bits [1.0625 tie,1.1875 tie,1.9375 carry,448,464,480,1e9,nan]")
def _():
    return cv(
        [1.0625, 1.1875, 1.9375, 448.0, 464.0, 480.0, 1000000000.0, NAN],
        torch.float32,
        torch.float8_e4m3fn,
        tl.float8e4nv,
    )


@check("cast.f32->f8e4nv subnormals [2^-9,2^-10,1.5*2^-9,2^-7+2^-9,-2^-6,0.001,-0,3e-3]")
def _():
    return cv(
        [2 ** (-9), 2 ** (-10), 1.5 * 2 ** (-9), 2 ** (-7) + 2 ** (-9), -(2 ** (-6)), 0.001, -0.0, 0.003],
        torch.float32,
        torch.float8_e4m3fn,
        tl.float8e4nv,
    )


@check("cast.f32->f8e5 subnormals [2^-16,2^-17,1.5*2^-16,2^-14,-2^-15,1e-5,-0,inf]")
def _():
    return cv(
        [2 ** (-16), 2 ** (-17), 1.5 * 2 ** (-16), 2 ** (-14), -(2 ** (-15)), 1e-05, -0.0, INF],
        torch.float32,
        torch.float8_e5m2,
        tl.float8e5,
    )


@check("cast.f8e4nv->f32 [all specials]")
def _():
    return cv([1.5, 448.0, -0.0, 2 ** (-9), NAN, 0.0, -3.0, 2 ** (-7)], torch.float8_e4m3fn, torch.float32, tl.float32)


@check("cast.f8e5->f32 [specials]")
def _():
    return cv(
        [1.5, 57344.0, -0.0, 2 ** (-16), NAN, INF, -3.0, 2 ** (-15)], torch.float8_e5m2, torch.float32, tl.float32
    )


@check("cast.bf16->f32")
def _():
    return cv([1.5, NAN, INF, -0.0], torch.bfloat16, torch.float32, tl.float32)


@check("cast.f16->bf16")
def _():
    return cv([1.001, 65504.0, 6e-08, NAN], torch.float16, torch.bfloat16, tl.bfloat16)


@check("cast.f32->i32 [1e10,-1e10,nan,inf,-inf,2.9,-2.9,2147483648]")
def _():
    return cv(
        [10000000000.0, -10000000000.0, NAN, INF, -INF, 2.9, -2.9, 2147483648.0], torch.float32, torch.int32, tl.int32
    )


@check("cast.f32->i8 [300,-300,nan,127.9]")
def _():
    return cv([300.0, -300.0, NAN, 127.9], torch.float32, torch.int8, tl.int8)


@check("cast.f32->u8 [300,-1,nan,255.9]")
def _():
    return cv([300.0, -1.0, NAN, 255.9], torch.float32, torch.uint8, tl.uint8)


@check("cast.f32->i64 [1e20,-1e20,nan,1e18]")
def _():
    return cv([1e20, -1e20, NAN, 1e18], torch.float32, torch.int64, tl.int64)


@check("cast.f32->i16 [70000,-70000,nan,1]")
def _():
    return cv([70000.0, -70000.0, NAN, 1.0], torch.float32, torch.int16, tl.int16)


@check("cast.f64->f32 [1+2^-24,1e300,nan,1e-310]")
def _():
    return cv([1 + 2 ** (-24), 1e300, NAN, 1e-310], torch.float64, torch.float32, tl.float32)


@check("cast.f64->f16 [1+2^-11+2^-40,65520-1e-9,1,2]")
def _():
    return cv([1 + 2 ** (-11) + 2 ** (-40), 65520 - 1e-09, 1.0, 2.0], torch.float64, torch.float16, tl.float16)


@check("cast.f64->bf16 [1+2^-8+2^-40,1,2,3]")
def _():
    return cv([1 + 2 ** (-8) + 2 ** (-40), 1.0, 2.0, 3.0], torch.float64, torch.bfloat16, tl.bfloat16)


@check("cast.i32->f16 [100000,2049,-70000,1]")
def _():
    return cv([100000, 2049, -70000, 1], torch.int32, torch.float16, tl.float16)


@check("cast.i32->bf16 [257,2049,-70000,1]")
def _():
    return cv([257, 2049, -70000, 1], torch.int32, torch.bfloat16, tl.bfloat16)


@check("cast.i64->f32 [2^53+1,2^24+1,-1,0]")
def _():
    return cv([2**53 + 1, 2**24 + 1, -1, 0], torch.int64, torch.float32, tl.float32)


@check("cast.f32->f16 rtz")
def _():
    x = T([1 + 2 ** (-11) + 2 ** (-12), 65519.0, -65530.0, 1e-08], torch.float32)
    o = torch.zeros(4, dtype=torch.float16)
    go(cvtz, x, o, N=4, DT=tl.float16)
    return o


@check("cast.f32->bf16 rtz")
def _():
    x = T([1 + 2 ** (-8) + 2 ** (-9), -1.999, 3.3e38, 1e-39], torch.float32)
    o = torch.zeros(4, dtype=torch.bfloat16)
    go(cvtz, x, o, N=4, DT=tl.bfloat16)
    return o


@check("bf16.add,mul,div,sub")
def _():
    x = T([1.0, 3.0], torch.bfloat16)
    y = T([1.0078125, 0.1], torch.bfloat16)
    o = T([0.0] * 8)
    go(bf, x, y, o, N=2)
    return o


@check("bf16.lt,where,maximum,neg,abs,*2.0,+1")
def _():
    x = T([-3.0, 4.0], torch.bfloat16)
    y = T([2.0, 1.0], torch.bfloat16)
    o = T([0] * 14, torch.int32)
    go(bfcmp, x, y, o, N=2)
    return o


@check("bf16.sum,max,sum(f32)")
def _():
    x = T([1.0, 2.0, 3.0, 4.5], torch.bfloat16)
    o = T([0.0] * 3)
    go(bfsum, x, o, N=4)
    return o


@check("bf16.dot (3*I @ arange)[1,:4] expect 48,51,54,57")
def _():
    x = torch.eye(16).to(torch.bfloat16) * 3
    y = torch.arange(256).reshape(16, 16).to(torch.bfloat16)
    o = torch.zeros(16, 16)
    go(bfdot, x, y, o, N=16)
    return o[1, :4]


@check("fp8e5.dot")
def _():
    x = torch.eye(16).to(torch.float8_e5m2)
    y = torch.arange(256).reshape(16, 16).float().to(torch.float8_e5m2)
    x = torch.eye(32).to(torch.float8_e5m2)
    y = torch.ones(32, 32).to(torch.float8_e5m2)
    o = torch.zeros(32, 32)
    go(bfdot, x, y, o, N=32)
    return o[1, :4]


@check("f32.dot default precision, (1+2^-12)*1 - 1 (tf32 => 0)")
def _():
    x = torch.eye(16) * (1 + 2 ** (-12))
    y = torch.ones(16, 16)
    o = torch.zeros(16, 16)
    go(bfdot, x, y, o, N=16)
    return [o[0, 0].item() - 1.0]


@check("f16.dot out_dtype=f16 overflow")
def _():
    x = torch.full((16, 16), 200.0).to(torch.float16)
    o = torch.zeros(16, 16)
    go(f16acc, x, x, o, N=16)
    return o[0, :2]


@check("i8.dot")
def _():
    x = torch.full((32, 32), 127).to(torch.int8)
    o = torch.zeros(32, 32, dtype=torch.int32)
    go(i8dot, x, x, o, N=32)
    return o[0, :2]


@check("nan.maximum|minimum|maximum ALL|clamp  of (nan,2)(1,nan)(nan,nan)(-0,0)")
def _():
    x = T([NAN, 1.0, NAN, -0.0])
    y = T([2.0, NAN, NAN, 0.0])
    o = T([0.0] * 16)
    go(mm, x, y, o, N=4)
    return [repr(v) for v in o.cpu().tolist()]


@check("nan.max,min,argmax,argmin,max_idx(v,i),argmax_fast of [1,nan,3,2] | all nan | [3,5,5,3]")
def _():
    o = T([0.0] * 7)
    go(redu, T([1.0, NAN, 3.0, 2.0]), o, N=4)
    p = T([0.0] * 7)
    go(redu, T([NAN] * 4), p, N=4)
    q = T([0.0] * 7)
    go(redu, T([3.0, 5.0, 5.0, 3.0]), q, N=4)
    return (o, p, q)


@check("f32.%,/ of (5.5,2)(-5.5,2)(5.5,-2)(1,0)")
def _():
    x = T([5.5, -5.5, 5.5, 1.0])
    y = T([2.0, 2.0, -2.0, 0.0])
    o = T([0.0] * 8)
    go(fm, x, y, o, N=4)
    return o


@check("f16.%,/")
def _():
    x = T([10000.0, -10000.0, 1.0, 5.0], torch.float16)
    y = T([3.0, 3.0, 3.0, 0.0], torch.float16)
    o = torch.zeros(8, dtype=torch.float16)
    go(fm, x, y, o, N=4)
    return o


@check("f32.transcendentals")
def _():
    x = T([1.0009765625, -87.5, 100000.0, 0.3])
    o = T([0.0] * 36)
    go(trans, x, o, N=4)
    r = [repr(v) for v in o.cpu().tolist()]
    return {
        n: r[4 * j : 4 * j + 4]
        for j, n in enumerate(["exp", "sin", "log|x|", "rsqrt", "exp2", "sqrt", "fma(x,x,-1)", "x*x-1", "erf"])
    }


@check("f32.sum 4096, cumsum last, exact")
def _():
    torch.manual_seed(0)
    x = torch.randn(4096).mul(1000)
    o = T([0.0] * 2)
    go(sums, x, o, N=4096)
    return [repr(v) for v in o.cpu().tolist()] + [repr(x.double().sum().item())]


@check("f16.sum of 4096 x 1.001 (accumulates in f16)")
def _():
    o = T([0.0])
    go(f16sum, torch.full((4096,), 1.001).half(), o, N=4096)
    return o


@check("f16.exp (rejected)")
def _():
    o = T([0.0], torch.float16)
    go(fexp16, T([1.0], torch.float16), o)
    return o


@check("f32.denormals x*0.5,sqrt,x+x,1/x")
def _():
    o = T([0.0] * 10)
    go(denorm, T([1e-40, 1.5e-38]), o, N=2)
    return o
