"""Autotune, heuristics, grids and what a launch returns. Kernels are those of tests/h200_answers."""

import torch
import triton
import triton.language as tl
from answers import T, check


@triton.autotune(configs=[triton.Config({"B": 64}, num_warps=2), triton.Config({"B": 128})], key=["n"])
@triton.heuristics({"EVEN": lambda a: a["n"] % a["B"] == 0})
@triton.jit
def k(x, o, n, B: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, i < n) + B + (1000 if EVEN else 0), i < n)


def autotuned():
    x, o = torch.zeros(128), torch.zeros(128)
    k[lambda m: (triton.cdiv(128, m["B"]),)](x, o, 128)
    return o[:2]


@check("autotune.run")
def _():
    return autotuned()


@check("autotune.best_config")
def _():
    autotuned()
    return str(k.best_config)


@triton.heuristics({"B": lambda a: 64})
@triton.jit
def h(o, n, B: tl.constexpr):
    tl.store(o, B + n)


@check("heuristics")
def _():
    o = T([0], torch.int32)
    h[(1,)](o, 5)
    return o


@triton.jit(do_not_specialize=["n"])
def dns(o, n):
    tl.store(o, n)


@check("do_not_specialize")
def _():
    o = T([0], torch.int32)
    dns[(1,)](o, 1)
    return o


@triton.jit
def g(o, n, B: tl.constexpr):
    tl.store(o + tl.program_id(0), B)


@check("grid lambda uses runtime int arg")
def _():
    o = T([0] * 8, torch.int32)
    g[lambda m: (triton.cdiv(m["n"], m["B"]),)](o, 7, B=2)
    return o


@check("grid list")
def _():
    o = T([0] * 8, torch.int32)
    g[[3]](o, 7, B=2)
    return o


@check("grid zero")
def _():
    o = T([0] * 8, torch.int32)
    g[(0,)](o, 7, B=2)
    return o


@check("grid bare int")
def _():
    o = T([0] * 8, torch.int32)
    g[3](o, 7, B=2)
    return o


@check("grid float")
def _():
    o = T([0] * 8, torch.int32)
    g[(2.0,)](o, 7, B=2)
    return o


@check("unknown kwarg")
def _():
    o = T([0] * 8, torch.int32)
    g[(1,)](o, 7, B=2, bogus=3)
    return o


@check("launch return value")
def _():
    o = T([0] * 8, torch.int32)
    r = g[(1,)](o, 7, B=2, num_warps=2, num_stages=3)
    return type(r).__name__


@check("warmup")
def _():
    o = T([0] * 8, torch.int32)
    r = g.warmup(o, 7, B=2, grid=(1,))
    return type(r).__name__


@check("jit attrs")
def _():
    names = "arg_names params signature src cache_key constexprs device_caches __name__ __globals__ raw_src"
    return [name for name in [*names.split(), "starting_line_number", "fn"] if not hasattr(g, name)]


@check("call without grid")
def _():
    o = T([0] * 8, torch.int32)
    g(o, 7, B=2)
    return o
