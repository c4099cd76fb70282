"""Printing, inline assembly, gather, scans, reductions, sort, descriptors, atomics, random numbers. Kernels are
those of tests/h200_answers.
"""

import contextlib
import ctypes
import os
import sys
import tempfile

import torch
import triton
from answers import T, check, go
from l09_misc import (
    at,
    atb,
    ats,
    bp,
    bpadv,
    bst,
    cas64,
    casf,
    clampi,
    ds,
    emptyprint,
    ext,
    flipd,
    floordivf,
    ga,
    hi,
    ia,
    intmask,
    ld,
    ldmask_noother,
    ldscalar_mask,
    me,
    numelk,
    pr,
    pr2,
    rd,
    rdi,
    red2,
    rel,
    rn,
    rn4,
    sc,
    sc1,
    shapes,
    so,
    td,
    tda,
    wh,
)

I32 = torch.int32


def cap(launch) -> str:
    """What a launch writes to Python's output and to the process's: a print of the kernel comes there on a GPU."""
    sys.stdout.flush()
    with tempfile.TemporaryFile("w+") as file, contextlib.redirect_stdout(file):
        saved = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            launch()
            file.flush()
            ctypes.CDLL(None).fflush(None)
        finally:
            os.dup2(saved, 1)
            os.close(saved)
        file.seek(0)
        return file.read()[:900]


@check("print.formats")
def _():
    return cap(lambda: go(pr, T([1.5, -2.0, float("nan"), 1e-07]), 7, 2.5, N=4))


@check("print.2d int, bool, u8, ptr")
def _():
    return cap(lambda: go(pr2, T([1, -2, 3, 4], I32), M=2, N=2))


@check("inline_asm")
def _():
    o = T([0] * 4, I32)
    go(ia, T([1, 2, 3, 4], I32), o, N=4)
    return o


@check("libdevice.tanh")
def _():
    o = T([0.0] * 4)
    go(ld, T([0.1, 0.2, 0.3, 0.4]), o, N=4)
    return o


@check("tl.extra.cuda.libdevice.ffs")
def _():
    o = T([0] * 4, I32)
    go(ext, T([1, 2, 3, 8], I32), o, N=4)
    return o


@check("dot_scaled e4m3 1.0*2 x 1.0*2 (64 terms)")
def _():
    K = 64
    q = torch.full((K, K), 56, dtype=torch.uint8)
    s = torch.full((K, K // 32), 128, dtype=torch.uint8)
    o = torch.zeros(K, K)
    go(ds, q, s, o, K=K)
    return o[0, :2]


@check("gather")
def _():
    o = T([0] * 8, I32)
    go(ga, T(list(range(10, 18)), I32), T([7, 0, 3, 3, 1, 2, 6, 5], I32), o, N=8)
    return o


@check("gather.out of range idx 8,-1,100")
def _():
    o = T([0] * 8, I32)
    go(ga, T(list(range(10, 18)), I32), T([8, -1, 100, 3, 1, 2, 6, 5], I32), o, N=8)
    return o


@check("scan 2 operands (affine), fwd|rev; third: non-assoc a*2+b")
def _():
    o = T([0] * 12, I32)
    go(sc, T([1, 2, 3, 4], I32), o, N=4, R=False)
    p = T([0] * 12, I32)
    go(sc, T([1, 2, 3, 4], I32), p, N=4, R=True)
    return (o, p)


@check("reduce 2 operands (affine)")
def _():
    o = T([0] * 2, I32)
    go(rd, T([1, 2, 3, 4], I32), o, N=4)
    return o


@check("reduce with std argmax combine and custom index (expect 9,101)")
def _():
    o = T([0] * 2, I32)
    go(rdi, T([1, 9, 3, 4], I32), T([100, 101, 102, 103], I32), o, N=4)
    return o


@check("reduce axes/keep_dims/negative")
def _():
    o = T([0] * 16, I32)
    go(red2, T(list(range(8)), I32), o, M=2, N=4)
    return o


@check("sort/desc/topk/flip")
def _():
    o = T([0.0] * 16)
    go(so, T([3.0, -1.0, 2.0, -0.5]), o, N=4)
    return o


@check("sort with nan")
def _():
    o = T([0.0] * 16)
    go(so, T([3.0, float("nan"), 2.0, -0.5]), o, N=4)
    return o


@check("histogram")
def _():
    o = T([0] * 8, I32)
    go(hi, T([0, 1, 1, 3, 2, 2, 2, 0], I32), o, N=8, B=4)
    return o


@check("histogram out of range values")
def _():
    o = T([0] * 8, I32)
    go(hi, T([0, 1, 9, -3, 4, 4, 2, 0], I32), o, N=8, B=4)
    return o


@check("map_elementwise")
def _():
    o = T([0] * 4, I32)
    go(me, T([1, -2, 3, -4], I32), o, N=4)
    return o


@check("shapes T|split-join|cat|interleave|scalar join")
def _():
    o = T([0] * 64, I32)
    go(shapes, T(list(range(8)), I32), o, M=2, N=4)
    r = o.cpu().tolist()
    return [r[:8], r[8:16], r[16:32], r[32:48], r[48:51]]


for pad in ("zero", "nan", ""):

    @check(f"block_ptr boundary pad='{pad}'")
    def _(pad=pad):
        o = T([9.0] * 16)
        go(bp, T([float(i) for i in range(12)]), o, 3, 4, BM=4, BN=4, PAD=pad)
        return o


@check("block_ptr advance in loop")
def _():
    o = T([9.0] * 4)
    go(bpadv, T([float(i) for i in range(12)]), o, 3, 4, 1, BM=2, BN=2)
    return o


triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8))
for off in (0, 1, 4):

    @check(f"tensor_desc load col offset {off}")
    def _(off=off):
        o = T([9.0] * 32)
        go(td, torch.arange(32, dtype=torch.float32).reshape(4, 8), o, 4, 8, OFF=off, BM=4, BN=8)
        return o


@check("tensor_desc.atomic_add")
def _():
    x = torch.zeros(4, 8)
    go(tda, x, 4, 8, BM=4, BN=8)
    return x[0]


@check("atomics add same addr, fmax/fmin, f16 add")
def _():
    x = T([0], I32)
    f = T([-1.0, -1.0, float("nan"), -0.0] * 2)
    h = T([0.0], torch.float16)
    o = T([0] * 4, I32)
    go(at, x, f, h, T([0.0], torch.bfloat16), o, N=4)
    return (x, f, h, torch.sort(o.cpu()).values)


@check("atomic_add bf16")
def _():
    b = T([1.0], torch.bfloat16)
    go(atb, b)
    return b


@check("atomic_cas i64 pointer with literal (i32) operands")
def _():
    p = T([0], torch.int64)
    o = T([9], torch.int64)
    go(cas64, p, o)
    return (p, o)


@check("atomic_cas f32")
def _():
    p = T([0.0])
    o = T([9.0])
    go(casf, p, o)
    return (p, o)


@check("atomic_add mask=False literal")
def _():
    p = T([1], I32)
    o = T([9], I32)
    go(ats, p, o)
    return (p, o)


@check("rand|randn|randint seed 42 off 0..3")
def _():
    o = T([0.0] * 12)
    go(rn, o, N=4, seed=42)
    return [repr(v) for v in o.cpu().tolist()]


@check("randint4x seed -1")
def _():
    o = T([0] * 16, I32)
    go(rn4, o, N=4, seed=-1)
    return o


@check("randint4x seed 2^40+3")
def _():
    o = T([0] * 16, I32)
    go(rn4, o, N=4, seed=2**40 + 3)
    return o


@check("where int condition; where(int tensor, float literal)")
def _():
    o = T([0] * 8, I32)
    go(wh, T([0, 1, 2, -1], I32), o, N=4)
    return o


@check("scalar load mask/other cast")
def _():
    o = T([0] * 3, I32)
    go(ldscalar_mask, T([5, 6], I32), o, 5)
    return o


@check("masked load without other (undefined)")
def _():
    o = T([9] * 4, I32)
    go(ldmask_noother, T([5, 6, 7, 8], I32), o, N=4)
    return o


@check("int mask in load/store (rejected)")
def _():
    o = T([9] * 4, I32)
    go(intmask, T([5, 6, 7, 8], I32), o, N=4)
    return o


@check("store value broadcasting pointer shape (rejected)")
def _():
    o = T([9] * 4, I32)
    go(bst, o, N=4)
    return o


@check("clamp int (rejected)")
def _():
    o = T([9], I32)
    go(clampi, o, 5)
    return o


@check("float // float (rejected)")
def _():
    o = T([9.0])
    go(floordivf, o, 5.0)
    return o


@check("f16*literal")
def _():
    o = T([9.0] * 2)
    go(rel, T([0.1, 0.2]), o, 5, N=2)
    return o


@check("numel/shape/dtype attributes")
def _():
    o = T([9] * 5, I32)
    go(numelk, T([1, 2, 3, 4], I32), o, N=4)
    return o


@check("flip with default dim")
def _():
    o = T([0] * 4, I32)
    go(flipd, T([5, 6, 7, 8], I32), o, N=4)
    return o


@check("scalar expand_dims/item")
def _():
    o = T([0] * 2, I32)
    go(sc1, T([5], I32), o)
    return o


@check("device_print('') no args")
def _():
    return cap(lambda: go(emptyprint, T([1.0])))
