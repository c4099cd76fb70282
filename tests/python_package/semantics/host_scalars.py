"""Scalar arguments, literals and loop variables: what they are in a kernel. Kernels are those of tests/h200_answers."""

import numpy as np
import torch
from answers import T, check
from l01_scalars import (
    afterloop,
    bigint,
    boolarg,
    cexpr_ann,
    cexpr_value,
    dflt,
    f16_augassign,
    f16_times_arg,
    f16_times_lit,
    f16_times_var,
    f64arg,
    full_from_scalar,
    litf64,
    local_div,
    loopdiv,
    loopovf,
    loopvar_k,
    nonearg,
    npscalar,
    rng_arg,
    rng_neg,
    rng_tensor,
    sloopdiv,
    to_on_scalar,
    truediv,
)


@check("scalar.float_arg.shape")
def _():
    o = T([0.0])
    full_from_scalar[(1,)](o, 0.0)
    return o


@check("scalar.float_arg.to")
def _():
    o = T([0.0])
    to_on_scalar[(1,)](o, 0.5, 0.25)
    return o


@check("scalar.int_arg.to")
def _():
    o = T([0.0])
    to_on_scalar[(1,)](o, 5, 6)
    return o


@check("scalar.f16_tensor*float_arg (fp32 if arg strong, fp16 if weak)")
def _():
    x = T([0.1], torch.float16)
    o = T([0.0])
    f16_times_arg[(1,)](x, o, 3.3)
    return o


@check("scalar.f16_tensor*literal (weak)")
def _():
    x = T([0.1], torch.float16)
    o = T([0.0])
    f16_times_lit[(1,)](x, o)
    return o


@check("scalar.f16_tensor*assigned_local (strong)")
def _():
    x = T([0.1], torch.float16)
    o = T([0.0])
    f16_times_var[(1,)](x, o)
    return o


@check("scalar.f16_tensor*augassigned_local")
def _():
    x = T([0.1], torch.float16)
    o = T([0.0])
    f16_augassign[(1,)](x, o)
    return o


@check("scalar.bool_arg")
def _():
    o = T([0.0])
    boolarg[(1,)](o, True)
    p = T([0.0])
    boolarg[(1,)](p, False)
    return (o, p)


for v in (1, 2**31 - 1, 2**31, 2**33, -(2**40), 2**63):

    @check(f"scalar.int_arg {v}")
    def _(v=v):
        o = T([0], torch.int64)
        bigint[(1,)](o, v)
        return o


def loopvar2(x, o):
    loopvar_k[(1,)](x, o)


@check("scalar.int8_tensor+loop_var*2 (int32 if loop var strong)")
def _():
    x = T([100], torch.int8)
    o = T([0] * 4, torch.int32)
    loopvar2(x, o)
    return o


@check("scalar.(i-3)//2,(i-3)%2 for i in range(4)")
def _():
    o = T([0] * 8, torch.int32)
    loopdiv[(1,)](o)
    return o


@check("scalar.(i-3)//2,(i-3)%2 for i in tl.static_range(4) (constexpr)")
def _():
    o = T([0] * 8, torch.int32)
    sloopdiv[(1,)](o)
    return o


@check("scalar.i*i int32 overflow of the loop var")
def _():
    o = T([0] * 4, torch.int64)
    loopovf[(1,)](o)
    return o


@check("scalar.range(runtime arg)")
def _():
    o = T([0], torch.int32)
    rng_arg[(1,)](o, 5)
    return o


@check("scalar.range(tensor expr)")
def _():
    o = T([0], torch.int32)
    rng_tensor[(1,)](o, 5)
    return o


@check("scalar.range(5,0,-2)")
def _():
    o = T([0], torch.int32)
    rng_neg[(1,)](o, 5)
    return o


@check("scalar.loop var value after loop (i=77 before)")
def _():
    o = T([0, 0], torch.int32)
    afterloop[(1,)](o, 3)
    return o


@check("constexpr_param.value")
def _():
    o = T([0], torch.int32)
    cexpr_value[(1,)](o, 16)
    return o


@check("constexpr.python floor semantics")
def _():
    o = T([0, 0, 0], torch.int32)
    cexpr_ann[(1,)](o)
    return o


@check("local x=-7: x//2,x%3 | literal -7//2,-7%3")
def _():
    o = T([0] * 4, torch.int32)
    local_div[(1,)](o)
    return o


@check("int/int")
def _():
    o = T([0.0, 0.0])
    truediv[(1,)](o, 7)
    return o


@check("default args")
def _():
    o = T([0.0])
    dflt[(1,)](o)
    return o


@check("None arg")
def _():
    o = T([0.0])
    nonearg[(1,)](o, None)
    q = T([0.0])
    nonearg[(1,)](q, T([3.0]))
    return (o, q)


for v in (np.float32(1.5), np.int32(3), np.int64(4), np.bool_(True), torch.tensor(2.5)):

    @check(f"arg type {type(v).__module__}.{type(v).__name__}")
    def _(v=v):
        o = T([0.0])
        npscalar[(1,)](o, v)
        return o


@check("float arg stored to fp64 (fp32 arg => 0.1f)")
def _():
    o = T([0.0], torch.float64)
    f64arg[(1,)](o, 0.1)
    return o


@check("float arg 1e300 stored to fp64")
def _():
    o = T([0.0], torch.float64)
    f64arg[(1,)](o, 1e300)
    return o


@check("literals stored to fp64")
def _():
    o = T([0.0] * 5, torch.float64)
    litf64[(1,)](o)
    return o
