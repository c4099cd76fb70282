"""Integer arithmetic, shifts, comparisons and casts. Kernels are those of tests/h200_answers."""

import torch
from answers import T, check, go
from l06_int import (
    arith,
    binops,
    boolsum,
    castneg,
    i8big,
    i8cmp,
    mixs,
    notop,
    sh8,
    shifts,
    ubin,
    ucmp,
    umulhi,
    uneg,
)


@check("int.div/mod signed i32")
def _():
    x = T([7, -7, 7, -7, -8, 5, -1, 0], torch.int32)
    y = T([2, 2, -2, -2, 3, 7, 3, 5], torch.int32)
    o = T([0] * 16, torch.int32)
    go(binops, x, y, o, N=8)
    return o


@check("int.div/mod INT_MIN/-1, x/0")
def _():
    x = T([-(2**31), 5, -5, 0], torch.int32)
    y = T([-1, 0, 0, 0], torch.int32)
    o = T([0] * 8, torch.int32)
    go(binops, x, y, o, N=4)
    return o


@check("int.div/mod i64 large")
def _():
    x = T([2**40 + 7, -(2**53) - 1], torch.int64)
    y = T([3, 2], torch.int64)
    o = T([0] * 4, torch.int64)
    go(binops, x, y, o, N=2)
    return o


@check("int.uint32 div/mod/cmp/shr")
def _():
    x = T([-7, 7, -1, 5], torch.int32)
    y = T([2, -2, 3, 5], torch.int32)
    o = T([0] * 16, torch.int32)
    go(ubin, x, y, o, N=4)
    return o


for dt in (torch.int8, torch.int16, torch.int32, torch.int64):
    ii = torch.iinfo(dt)

    @check(f"int.wrap {dt}")
    def _(dt=dt, ii=ii):
        x = T([ii.max, ii.min], dt)
        y = T([1, 1], dt)
        o = T([0] * 10, dt)
        go(arith, x, y, o, N=2)
        return o


@check("int.wrap uint8 (neg of unsigned, abs)")
def _():
    x = T([250, 3], torch.uint8)
    y = T([10, 5], torch.uint8)
    o = T([0] * 10, torch.uint8)
    go(arith, x, y, o, N=2)
    return o


@check("int.shift amounts 31,32,33,1,32,40,-1,64 (shl|ashr|lshr)")
def _():
    x = T([1, 1, 1, -8, -8, -8, 1, 1], torch.int32)
    y = T([31, 32, 33, 1, 32, 40, -1, 64], torch.int32)
    o = T([0] * 24, torch.int32)
    go(shifts, x, y, o, N=8)
    r = o.cpu().tolist()
    return [r[:8], r[8:16], r[16:]]


@check("int.int8 << 4, >>1, +100, x*x stays int8")
def _():
    x = T([100, -100], torch.int8)
    o = T([0] * 8, torch.int32)
    go(sh8, x, o, N=2)
    return o


@check("int.uint32(0xffffffff) compared with -1 literal")
def _():
    x = T([-1], torch.int32)
    o = T([9] * 4, torch.int32)
    go(ucmp, x, o)
    return o


@check("int.int8 compare with out-of-range literal (compares in i32)")
def _():
    x = T([100], torch.int8)
    o = T([9] * 2, torch.int32)
    go(i8cmp, x, o)
    return o


@check("int.int32 + uint32 -> uint32")
def _():
    x = T([-5], torch.int32)
    y = T([3], torch.int32)
    o = T([9] * 3, torch.int64)
    go(mixs, x, y, o)
    return o


@check("int.uint32 + -1 literal (rejected)")
def _():
    x = T([5], torch.int32)
    o = T([9], torch.int64)
    go(uneg, x, o)
    return o


@check("int.int8 tensor + 300 literal (rejected)")
def _():
    x = T([5], torch.int8)
    o = T([9], torch.int32)
    go(i8big, x, o)
    return o


@check("int.umulhi on int32 (-1,-1)")
def _():
    x = T([-1, 2**31 - 1], torch.int32)
    y = T([-1, 4], torch.int32)
    o = T([9] * 2, torch.int32)
    go(umulhi, x, y, o, N=2)
    return o


@check("int.umulhi on int64 (-1,-1)")
def _():
    x = T([-1, 2**62], torch.int64)
    y = T([-1, 8], torch.int64)
    o = T([9] * 2, torch.int64)
    go(umulhi, x, y, o, N=2)
    return o


@check("int.~x, ~bool, not bool, -bool, bool+bool, bool*3")
def _():
    x = T([5], torch.int32)
    o = T([9] * 6, torch.int32)
    go(notop, x, o)
    return o


@check("int.sum of bool / of int8 (256 ones)")
def _():
    x = T([1] * 256, torch.int32)
    o = T([9] * 3, torch.int32)
    go(boolsum, x, o, N=256)
    return o


@check("int.casts 300,-2 -> i8,u8,i1,u64")
def _():
    x = T([300], torch.int32)
    o = T([9] * 4, torch.int64)
    go(castneg, x, o)
    y = T([-2], torch.int32)
    p = T([9] * 4, torch.int64)
    go(castneg, y, p)
    return (o, p)
