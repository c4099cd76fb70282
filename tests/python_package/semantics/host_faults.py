"""Kernels that reach outside, wait for each other or assert: on the GPU each ran in a process of its own (a fault
ends it).
"""

import torch
import triton
import triton.language as tl
from answers import T, check
from triton import knobs


@triton.jit
def ld(x, o, off):
    tl.store(o, tl.load(x + off))


@triton.jit
def ldm(x, o, off):
    tl.store(o, tl.load(x + off, mask=off < 4, other=-5.0))


@triton.jit
def ldm2(x, o, off):
    tl.store(o, tl.load(x + off, mask=off < 4))


@triton.jit
def st(x, off):
    tl.store(x + off, 1.0)


@triton.jit
def fwd(flag, o):
    p = tl.program_id(0)
    if p == 0:
        while tl.atomic_add(flag, 0) == 0:
            pass
        tl.store(o, 1)
    else:
        tl.atomic_add(flag, 1)


@triton.jit
def bwd(flag, o):
    p = tl.program_id(0)
    if p == 1:
        while tl.atomic_add(flag, 0) == 0:
            pass
        tl.store(o, 1)
    else:
        tl.atomic_add(flag, 1)


@triton.jit
def lock(l, cnt, n):
    for _ in range(3):
        while tl.atomic_cas(l, 0, 1) == 1:
            pass
        tl.store(cnt, tl.load(cnt) + 1)
        tl.debug_barrier()
        tl.atomic_xchg(l, 0)


@triton.jit
def da(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.device_assert(v < 3, "v must be < 3")
    tl.store(o + i, v)


@triton.jit
def ov(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, v * 2000000000)


@triton.jit
def pas(x, o, n):
    assert n == 4, "n is not 4"
    tl.store(o, n)


class Text(str):
    """Printed without quotes, as the output of a process."""

    __repr__ = str.__str__


def out_of_bounds(name, kernel, offset, has_output=True):
    @check(f"oob.{name}")
    def _():
        x, o = T([1.0, 2.0, 3.0, 4.0]), T([0.0])
        if has_output:
            kernel[(1,)](x, o, offset)
        else:
            kernel[(1,)](x, offset)
        return Text(f"rc=0 returned {o.tolist()} ")


out_of_bounds("near", ld, 4)
out_of_bounds("masked", ldm, 2**31 - 1)
out_of_bounds("masked_noother", ldm2, 2**31 - 1)
out_of_bounds("storenear", st, 64, has_output=False)


def spin(name, kernel, programs, *more):
    @check(f"spin.{name}")
    def _():
        flag, o = T([0], torch.int32), T([0], torch.int32)
        kernel[(programs,)](flag, o, *more)
        return Text(f"rc=0 returned {o.tolist()} ")


spin("waits_on_earlier", bwd, 2)
spin("spinlock", lock, 16, 3)
spin("waits_on_later", fwd, 2)


def assertion(name, kernel, arguments, keywords, environment):
    """As if the process had run with TRITON_DEBUG=1: Triton reads it when it compiles."""

    @check(f"debug.{name} {environment}")
    def _():
        x, o = T([1, 2, 5, 7], torch.int32), T([0] * 4, torch.int32)
        with knobs.runtime.scope():
            knobs.runtime.debug = bool(environment)
            kernel[(1,)](x, o, *arguments, **keywords)
        return Text(f"rc=0 out=returned {o.tolist()} err0= errlast=")


for environment in ({}, {"TRITON_DEBUG": "1"}):
    assertion("device_assert", da, (), {"N": 4, "debug": True}, environment)
    assertion("overflow", ov, (), {"N": 4, "debug": True}, environment)
    assertion("py_assert", pas, (5,), {"debug": True}, environment)
    assertion("device_assert_nodebug", da, (), {"N": 4}, environment)
    assertion("overflow_nodebug", ov, (), {"N": 4}, environment)
