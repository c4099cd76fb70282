"""Control flow and the Python subset: what compiles, and what Triton refuses with which words. Kernels are those of
tests/h200_answers.
"""

from typing import NamedTuple

import torch
import triton.language as tl
from answers import T, check, go
from l08_control import (
    absb,
    andor,
    annre,
    asm,
    brk,
    cefk,
    chain,
    constre,
    constreloop,
    cshort,
    da,
    delk,
    dictk,
    early_k,
    early_nk,
    f1,
    forelse,
    getit,
    glob,
    globc,
    hof,
    ifblk,
    ifdef,
    ifty,
    isin,
    iterlist,
    kwd,
    lam,
    lcomp,
    lcompr,
    loopdef,
    loopty,
    mathk,
    matop,
    minmax,
    minmaxs,
    mult,
    nested,
    nonpow2,
    notb,
    nt,
    plaink,
    posonly,
    powop,
    reck,
    ret_loop_k,
    rngstep0,
    rtarange,
    rtshape,
    sa,
    sat,
    setit,
    shp,
    sl,
    sr_rt,
    starargs,
    strfmt,
    tern,
    ternty,
    tryk,
    tup,
    tupk,
    walrus,
    wh,
    whr,
)

I32 = torch.int32


@check("ctl.tl.range(const) in while")
def _():
    o = T([0], I32)
    go(wh, o, 4)
    return o


@check("ctl.tl.range(runtime) in while")
def _():
    o = T([0], I32)
    go(whr, o, 4)
    return o


@check("ctl.early return in helper")
def _():
    o = T([0], I32)
    go(early_k, o, 5)
    p = T([0], I32)
    go(early_k, p, 1)
    return (o, p)


@check("ctl.nested early return in helper")
def _():
    r = []
    [(r.append(T([0], I32)), go(early_nk, r[-1], n)) for n in (5, 2, -1)]
    return tuple(r)


@check("ctl.return inside loop (rejected)")
def _():
    o = T([0], I32)
    go(ret_loop_k, o, 5)
    return o


@check("ctl.break (rejected)")
def _():
    o = T([0], I32)
    go(brk, o, 5)
    return o


@check("ctl.chained comparison on block (rejected)")
def _():
    o = T([9] * 4, I32)
    go(chain, T([-1, 1, 2, 5], I32), o, N=4)
    return o


@check("ctl.'and'/'or' on blocks")
def _():
    o = T([9] * 8, I32)
    go(andor, T([-1, 1, 2, 5], I32), o, N=4)
    return o


@check("ctl.'not' on block")
def _():
    o = T([9] * 4, I32)
    go(notb, T([-1, 1, 2, 5], I32), o, N=4)
    return o


@check("ctl.if on block (rejected)")
def _():
    o = T([9], I32)
    go(ifblk, T([-1, -1, -2, -5], I32), o, N=4)
    return o


@check("ctl.python max/min on blocks")
def _():
    o = T([9] * 8, I32)
    go(minmax, T([-1, 1, 2, 5], I32), T([0, 0, 9, 4], I32), o, N=4)
    return o


@check("ctl.python max/min on scalars")
def _():
    o = T([9] * 3, I32)
    go(minmaxs, o, 5)
    return o


@check("ctl.builtin abs (rejected)")
def _():
    o = T([9], I32)
    go(absb, o, -5)
    return o


@check("ctl.loop-carried type change i32->f32 (rejected)")
def _():
    o = T([0.0])
    go(loopty, o, 4)
    return o


@check("ctl.type differs between branches (rejected)")
def _():
    o = T([0.0])
    go(ifty, o, 2)
    return o


@check("ctl.var defined in one branch only (rejected)")
def _():
    o = T([0], I32)
    go(ifdef, o, 5)
    return o


@check("ctl.var first defined inside loop, used after (rejected)")
def _():
    o = T([0], I32)
    go(loopdef, o, 5)
    return o


@check("ctl.loop-carried shape change (rejected)")
def _():
    o = T([9], I32)
    go(shp, o, 5)
    return o


G = 5
GC = tl.constexpr(6)


@check("ctl.non-constexpr global (rejected)")
def _():
    o = T([9], I32)
    go(glob, o)
    return o


@check("ctl.constexpr global")
def _():
    o = T([9], I32)
    go(globc, o)
    return o


@check("ctl.nested def (rejected)")
def _():
    o = T([9], I32)
    go(nested, o)
    return o


@check("ctl.lambda (rejected)")
def _():
    o = T([9], I32)
    go(lam, o)
    return o


@check("ctl.list comprehension over tuple")
def _():
    o = T([9], I32)
    go(lcomp, o)
    return o


@check("ctl.list comprehension over range (rejected)")
def _():
    o = T([9], I32)
    go(lcompr, o)
    return o


@check("ctl.tensor item assignment (rejected)")
def _():
    o = T([9], I32)
    go(setit, o, N=4)
    return o


@check("ctl.tensor integer index (rejected)")
def _():
    o = T([9], I32)
    go(getit, o, N=4)
    return o


@check("ctl.tensor slice (rejected)")
def _():
    o = T([9], I32)
    go(sl, o, N=4)
    return o


@check("ctl.x = y = 3 (rejected)")
def _():
    o = T([9], I32)
    go(mult, o)
    return o


@check("ctl.ternary")
def _():
    o = T([9], I32)
    go(tern, o, 5)
    return o


@check("ctl.ternary mixed types (rejected)")
def _():
    o = T([9.0])
    go(ternty, o, 5)
    return o


class P(NamedTuple):
    a: int
    b: object


@check("ctl.NamedTuple arg")
def _():
    o = T([9], I32)
    go(nt, o, P(3, T([4], I32)))
    return o


@check("ctl.nested tuple arg")
def _():
    o = T([9], I32)
    go(tup, o, (3, (T([4], I32), 1.5)))
    return o


@check("ctl.tuple returns")
def _():
    o = T([9] * 3, I32)
    go(tupk, o, 5)
    return o


@check("ctl.*args (rejected)")
def _():
    o = T([9], I32)
    go(starargs, o, 5)
    return o


@check("ctl.jit function as constexpr arg")
def _():
    o = T([9], I32)
    go(hof, o, F=f1)
    return o


@check("ctl.constexpr recursion")
def _():
    o = T([9], I32)
    go(reck, o)
    return o


@check("ctl.static_assert fails")
def _():
    o = T([9], I32)
    go(sa, o, N=5)
    return o


@check("ctl.static_assert on runtime value (rejected)")
def _():
    o = T([9], I32)
    go(sat, o, 4)
    return o


@check("ctl.device_assert failing, debug off")
def _():
    o = T([9], I32)
    go(da, o, 5)
    return o


@check("ctl.assume false")
def _():
    o = T([9], I32)
    go(asm, o, 5)
    return o


@check("ctl.arange(0,3) (rejected)")
def _():
    o = T([9] * 3, I32)
    go(nonpow2, o)
    return o


@check("ctl.arange(0, runtime n) (rejected)")
def _():
    o = T([9] * 4, I32)
    go(rtarange, o, 4)
    return o


@check("ctl.zeros((runtime n,)) (rejected)")
def _():
    o = T([9], I32)
    go(rtshape, o, 4)
    return o


@check("ctl.'in' operator (rejected)")
def _():
    o = T([9], I32)
    go(isin, o, 4, D="a")
    return o


@check("ctl.tensor ** 2 (rejected)")
def _():
    o = T([9], I32)
    go(powop, o, 4)
    return o


@check("ctl.a @ b (rejected)")
def _():
    o = torch.zeros(16, 16)
    go(matop, torch.eye(16), o, N=16)
    return o[0, :2]


@check("ctl.try/except (rejected)")
def _():
    o = T([9], I32)
    go(tryk, o)
    return o


@check("ctl.del (rejected)")
def _():
    o = T([9], I32)
    go(delk, o)
    return o


@check("ctl.walrus (rejected)")
def _():
    o = T([9], I32)
    go(walrus, o, 4)
    return o


@check("ctl.dict literal (rejected)")
def _():
    o = T([9], I32)
    go(dictk, o, 4)
    return o


@check("ctl.f-string constexpr")
def _():
    o = T([9], I32)
    go(strfmt, o, 4, D="a")
    return o


@check("ctl.math.pi, math.sqrt(2.0), float('inf')")
def _():
    o = T([0.0] * 3)
    go(mathk, o)
    return o


@check("ctl.constexpr_function")
def _():
    o = T([0], I32)
    go(cefk, o, N=64)
    return o


def plain(n):
    return n + 1


@check("ctl.call plain python function (rejected)")
def _():
    o = T([0], I32)
    go(plaink, o, N=64)
    return o


@check("ctl.for/else")
def _():
    o = T([0], I32)
    go(forelse, o)
    return o


@check("ctl.static_range(runtime) (rejected)")
def _():
    o = T([0], I32)
    go(sr_rt, o, 3)
    return o


@check("ctl.range with runtime step 2")
def _():
    o = T([9], I32)
    go(rngstep0, o, 2)
    return o


@check("ctl.for over tuple (rejected)")
def _():
    o = T([9], I32)
    go(iterlist, o)
    return o


@check("ctl.reassign constexpr param")
def _():
    o = T([9], I32)
    go(constre, o, N=4)
    return o


@check("ctl.reassign constexpr param in loop (rejected)")
def _():
    o = T([9], I32)
    go(constreloop, o, N=4)
    return o


@check("ctl.redefine constexpr annotation (rejected)")
def _():
    o = T([9], I32)
    go(annre, o)
    return o


@check("ctl.constexpr short-circuit 'and'")
def _():
    o = T([9], I32)
    go(cshort, o, T([1], I32), H=True)
    q = T([9], I32)
    go(cshort, q, None, H=False)
    return (o, q)


@check("ctl.kw-only arg")
def _():
    o = T([9], I32)
    go(kwd, o, n=4)
    return o


@check("ctl.pos-only arg")
def _():
    o = T([9], I32)
    go(posonly, o, 4)
    return o
