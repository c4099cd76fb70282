"""What Triton leaves open and the H200 answered (docs/semantics.md): division by zero, shifts by the width and more,
indices out of range; and functions of several results: map_elementwise, inline assembly, swizzle2d."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import samples
from case import Case, Data, Result, load, simple, store, typed
from conversion import array, wrapped
from elementwise import in_float, in_ints, remainder, truncated_quotient
from scalar_types import FLOATS, INTEGERS, TYPES, is_float, is_signed, range_of

SHAPE = (16,)


def divisions() -> Iterator[Case]:
    """x // 0 is all ones, x % 0 is x (S-20); the least number by -1 wraps."""
    for name in INTEGERS:
        low, high = range_of(name)
        x = Data(name, wrapped([low, high, 0, 5, 7, low, 1, 100] * 2, name))
        y = Data(name, wrapped([0] * 5 + ([-1, -1, -1] if is_signed(name) else [0, 1, high]) + [3] * 8, name))
        quotient = lambda a, b: -1 if b == 0 else truncated_quotient(a, b)
        rest = lambda a, b: a if b == 0 else remainder(a, b)
        body = [f"x_ = {load('x', SHAPE)}", f"y_ = {load('y', SHAPE)}"]
        body += [store("out", SHAPE, "x_ // y_"), store("rest", SHAPE, "x_ % y_")]

        def reference(x=x, y=y, name=name, quotient=quotient, rest=rest):
            return {"out": in_ints(name, quotient, x.values, y.values), "rest": in_ints(name, rest, x.values, y.values)}

        results = {"out": Result(name, SHAPE), "rest": Result(name, SHAPE)}
        yield Case("edges", f"division by zero {name}", body, {"x": x, "y": y}, results, reference)
    for name in FLOATS:
        x = Data(name, array([1, -1, 0, -0.0, np.inf, np.nan, 5.5, -5.5] * 2, name))
        y = Data(name, array([0.0] * 4 + [2, 2, np.inf, -2] + [-0.0] * 4 + [1, 1, 0, np.nan], name))
        common = name if name in ("fp32", "fp64") else "fp32"
        quotient = lambda x=x, y=y, c=common: in_float(c, np.divide, x.values, y.values)
        both = {"x": x, "y": y}
        yield simple("edges", f"float by zero {name}", both, "x_ / y_", common, SHAPE, quotient)


def shifts() -> Iterator[Case]:
    """By the width or more: 0, or the sign (S-21)."""
    for name in INTEGERS:
        bits = TYPES[name].bits
        x = Data(name, samples.values(name, SHAPE, f"shift {name}"))
        amounts = [0, 1, bits - 1, bits, bits + 1, min(2 * bits, 127), 100, 2]
        y = Data(name, wrapped(amounts * 2, name))
        left = lambda a, b, bits=bits: 0 if b >= bits else a << b
        right = lambda a, b: a >> min(b, 64)
        both = {"x": x, "y": y}
        for text, function in (("x_ << y_", left), ("x_ >> y_", right)):
            reference = lambda n=name, f=function, x=x, y=y: in_ints(n, f, x.values, y.values)
            yield simple("edges", f"{text} {name}", both, text, name, SHAPE, reference)


def out_of_range() -> Iterator[Case]:
    """Histograms and gathers count modulo (S-100, S-101)."""
    for name in ("i32", "i16", "i64", "u8"):
        x = Data(name, wrapped([0, 1, 9, 4, 4, 2, 0, 31, 3, 8, 7, 7, 5, 12, 30, 20], name))
        counted = lambda x=x: np.bincount([int(v) % 32 for v in x.values if int(v) % 32 < 8], minlength=8)
        reference = lambda f=counted: f().astype(np.int32)
        yield simple("edges", f"histogram {name}", {"x": x}, "tl.histogram(x_, 8)", "i32", (8,), reference)
    for name in ("i32", "fp16", "fp64", "i8"):
        x = Data(name, samples.moderate(name, SHAPE, name))
        p = Data("i32", array([0, 16, -1, 17, 100, -16, 15, 31, 5, 21, -5, 1000, 7, 8, 9, 10], "i32"))
        reference = lambda x=x, p=p: x.values[p.values % 16]
        yield simple("edges", f"gather {name}", {"x": x, "p": p}, "tl.gather(x_, p_, 0)", name, SHAPE, reference)


HELPERS = """@triton.jit
def branchy(x, y):
    if x > y:
        r = x - y
    else:
        r = y * 2
    return r


@triton.jit
def counting(x):
    n = 0
    while x > 1:
        x = x // 2
        n += 1
    return n


@triton.jit
def two(x):
    return x + 1, x * 3


@triton.jit
def pair(a, b, c, d):
    return a + b, a - b, c * d, c

"""


def maps() -> Iterator[Case]:
    for name in ("i32", "i64", "u32", "fp32", "fp64", "i16"):
        for shape in ((16,), (4, 8)):
            x, y = (Data(name, samples.whole(name, shape, f"map {name} {n}", 9)) for n in "xy")
            branch = lambda x=x, y=y: np.where(x.values > y.values, x.values - y.values, y.values * 2)
            chosen = lambda f=branch, n=name: f().astype(TYPES[n].numpy)
            text = "tl.map_elementwise(branchy, x_, y_)"
            both = {"x": x, "y": y}
            yield simple("edges", f"map branch {name} {shape}", both, text, name, shape, chosen, helpers=HELPERS)
            body = [f"x_ = {load('x', shape)}", "a, b = tl.map_elementwise(two, x_)", typed("b", name)]
            body += [store("out", shape, "a"), store("other", shape, "b")]
            kind = x.values.dtype
            results = {"out": Result(name, shape), "other": Result(name, shape)}
            made = lambda x=x, k=kind: {"out": (x.values + 1).astype(k), "other": (x.values * 3).astype(k)}
            yield Case("edges", f"map two {name} {shape}", body, {"x": x}, results, made, helpers=HELPERS)
        if not is_float(name):
            x = Data(name, samples.moderate(name, (16,), f"logarithm {name}", 1, 100))
            text = "tl.map_elementwise(counting, x_)"
            bits = lambda x=x: np.array([int(v).bit_length() - 1 for v in x.values], np.int32)
            yield simple("edges", f"map loop {name}", {"x": x}, text, "i32", (16,), bits, helpers=HELPERS)


def assembly() -> Iterator[Case]:
    """One instruction each, on types of 32 and 64 bits."""
    texts = [
        ("add.s32 $0, $1, $2;", "=r,r,r", "i32", lambda a, b: a + b),
        ("sub.u32 $0, $1, $2;", "=r,r,r", "u32", lambda a, b: a - b),
        ("mul.lo.s32 $0, $1, $2;", "=r,r,r", "i32", lambda a, b: a * b),
        ("mul.hi.s32 $0, $1, $2;", "=r,r,r", "i32", lambda a, b: (a * b) >> 32),
        ("min.s32 $0, $1, $2;", "=r,r,r", "i32", min),
        ("max.u32 $0, $1, $2;", "=r,r,r", "u32", max),
        ("and.b32 $0, $1, $2;", "=r,r,r", "u32", lambda a, b: a & b),
        ("xor.b64 $0, $1, $2;", "=l,l,l", "i64", lambda a, b: a ^ b),
        ("add.s64 $0, $1, $2;", "=l,l,l", "i64", lambda a, b: a + b),
        ("add.rn.f32 $0, $1, $2;", "=r,r,r", "fp32", np.add),
        ("mul.rn.f32 $0, $1, $2;", "=r,r,r", "fp32", np.multiply),
        ("div.rn.f32 $0, $1, $2;", "=r,r,r", "fp32", np.divide),
        ("add.rn.f64 $0, $1, $2;", "=l,l,l", "fp64", np.add),
    ]
    for text, constraints, name, function in texts:
        for shape in ((16,), (4, 8)):
            x, y = (Data(name, samples.moderate(name, shape, text + n, -9, 9)) for n in "xy")
            call = f"tl.inline_asm_elementwise('{text}', '{constraints}', [x_, y_], dtype=tl.{TYPES[name].triton}, "
            apply = in_float if is_float(name) else in_ints
            reference = lambda x=x, y=y, n=name, f=function, a=apply: a(n, f, x.values, y.values)
            both = {"x": x, "y": y}
            yield simple("edges", f"{text} {shape}", both, call + "is_pure=True, pack=1)", name, shape, reference)


def swizzles() -> Iterator[Case]:
    for size_i, size_j, size_g in ((4, 4, 2), (8, 4, 3), (5, 3, 2)):
        body = [
            "i = tl.program_id(0)",
            "j = tl.program_id(1)",
            f"a, b = tl.swizzle2d(i, j, {size_i}, {size_j}, {size_g})",
        ]
        body += [f"tl.store(out + i * {size_j} + j, a * 100 + b)"]

        def reference(size_i=size_i, size_j=size_j, size_g=size_g):
            made = np.zeros((size_i, size_j), np.int32)
            for linear in range(size_i * size_j):
                group, rest = divmod(linear, size_g * size_j)
                rows = min(size_g, size_i - group * size_g)
                made[divmod(linear, size_j)] = (group * size_g + rest % rows) * 100 + rest // rows
            return {"out": made}

        results = {"out": Result("i32", (size_i, size_j))}
        yield Case(
            "edges", f"swizzle2d {size_i} {size_j} {size_g}", body, {}, results, reference, grid=(size_i, size_j)
        )


def cases() -> Iterator[Case]:
    for each in (divisions, shifts, out_of_range, maps, assembly, swizzles):
        yield from each()
