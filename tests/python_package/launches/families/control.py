"""What is computed before and around values: Python's arithmetic on constants, ranges, loops, conditions, tuples,
helpers, grids.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import samples
from case import Case, Data, Result, load, store, typed
from conversion import wrapped
from elementwise import remainder, truncated_quotient
from scalar_types import INTEGERS, TYPES, type_of_number

CONSTANTS = [
    "-7 // 2",
    "-7 % 3",
    "7 // -2",
    "7 % -3",
    "2 ** 10",
    "7 / 2",
    "1 << 20",
    "-9 >> 1",
    "5 & 3",
    "5 | 8",
    "5 ^ 1",
    "~5",
    "not 0",
    "3 if 2 > 1 else 4",
    "min(3, 2)",
    "max(3, 7, 5)",
    "2 ** 31",
    "-(2 ** 31)",
    "2 ** 40 - 1",
    "0.1 + 0.2",
    "1e30 * 1e30",
    "3 * 0.5",
    "5 == 5.0",
    "10 - 3.5",
    "True + 2",
    "7 // 2 * 2 + 7 % 2",
    "2 ** 63",
    "-(2 ** 63)",
    "len((1, 2, 3))",
    "(4, 5, 6)[1]",
    "float('inf')",
    "-1.5 // 0.5",
    "1 < 2",
    "0x7fffffff + 1",
]


def constants() -> Iterator[Case]:
    """`constexpr op constexpr` is Python's; assigned, it becomes a tensor of the number's type."""
    for text in CONSTANTS:
        value = eval(text, {"__builtins__": {"min": min, "max": max, "len": len, "float": float}})
        kind = type_of_number(value)
        numpy = TYPES[kind].numpy
        expected = lambda v=value, n=numpy, k=kind: {
            "out": np.array(v).astype(n) if isinstance(v, float) else wrapped(np.array(int(v), dtype=object), k)
        }
        yield Case(
            "control",
            f"assigned {text}",
            [f"r = {text}", "r = r + tl.zeros((), r.dtype)" if kind != "i1" else "r = r & True", store("out", (), "r")],
            {},
            {"out": Result(kind, ())},
            expected,
        )
        yield Case(
            "control",
            f"constexpr {text}",
            [f"C: tl.constexpr = {text}", "tl.store(out, C)"],
            {},
            {"out": Result(kind, ())},
            expected,
        )


def ranges() -> Iterator[Case]:
    """Loop variables are i32 (or wider) tensors: // and % truncate in them, but not in static_range."""
    for i, (low, high, step) in enumerate(
        [(0, 5, 1), (-4, 5, 2), (5, 0, -2), (3, 3, 1), (10, 2, 1), (2**31 - 4, 2**31 - 1, 1), (0, 7, 3), (-3, 4, 1)]
    ):
        numbers = list(range(low, high, step))
        for form, call in (("range", "range"), ("tl.range", "tl.range"), ("tl.static_range", "tl.static_range")):
            for runtime in (False, True):
                if runtime and (form == "tl.static_range" or step < 0):
                    continue
                words = "low, high, step" if runtime else f"{low}, {high}, {step}"
                body = [
                    "count = 0",
                    "total = 0",
                    "rest = 0",
                    "half = 0",
                    f"for i in {call}({words}):",
                    "    count += 1",
                    "    total = total * 3 + i",
                    "    rest += i % 3",
                    "    half += i // 2",
                ]
                body += [
                    "tl.store(out, count)",
                    "tl.store(out + 1, total)",
                    "tl.store(out + 2, rest)",
                    "tl.store(out + 3, half)",
                ]
                is_static = form == "tl.static_range"

                def reference(numbers=numbers, is_static=is_static):
                    total = 0
                    for n in numbers:
                        total = total * 3 + n
                    rest = sum(n % 3 if is_static else remainder(n, 3) for n in numbers)
                    half = sum(n // 2 if is_static else truncated_quotient(n, 2) for n in numbers)
                    return {"out": wrapped(np.array([len(numbers), total, rest, half], dtype=object), "i32")}

                arguments = {"low": low, "high": high, "step": step} if runtime else {}
                yield Case(
                    "control",
                    f"{form} {low} {high} {step} {'runtime' if runtime else ''}",
                    body,
                    arguments,
                    {"out": Result("i32", (4,))},
                    reference,
                )


def loops() -> Iterator[Case]:
    for i, name in enumerate([*INTEGERS, "fp32", "fp64"]):
        x = Data(name, samples.whole(name, (8,), f"loop {name}"))
        is_float = name.startswith("f")
        body = [
            f"acc = tl.zeros((8,), tl.{TYPES[name].triton})",
            f"x_ = {load('x', (8,))}",
            "i = 0",
            "while i < n:",
            "    acc += x_",
            "    i += 1",
            typed("acc", name),
            store("out", (8,), "acc"),
        ]
        times = lambda x=x, n=3 + i, f=is_float, t=name: {
            "out": (x.values * n).astype(x.values.dtype)
            if f
            else wrapped(np.array([int(v) * n for v in x.values], dtype=object), t)
        }
        yield Case("control", f"while {name}", body, {"x": x, "n": 3 + i}, {"out": Result(name, (8,))}, times)
        body = [
            f"x_ = {load('x', (8,))}",
            "for i in range(0, n):",
            "    if i % 2 == 0:",
            "        x_ = x_ + x_",
            "    else:",
            "        x_ = x_ - x_",
            store("out", (8,), "x_"),
        ]
        zero = lambda x=x, n=i % 2 + 1: {"out": x.values + x.values if n == 1 else np.zeros_like(x.values)}
        yield Case("control", f"if in for {name}", body, {"x": x, "n": i % 2 + 1}, {"out": Result(name, (8,))}, zero)


HELPERS = """@triton.jit
def early(x, n):
    if n > 3:
        if n > 10:
            return x * 5
        return x * 2
    return x + 1


@triton.jit
def both(x, y):
    return x + y, x - y


@triton.jit
def apply(f: tl.constexpr, x, n):
    return f(x, n)


@triton.jit
def power(x, n: tl.constexpr):
    if n == 0:
        return x * 0 + 1
    else:
        return x * power(x, n - 1)


@triton.jit(noinline=True)
def kept(x, y):
    return x * y + 1

"""


def helpers() -> Iterator[Case]:
    for n in (1, 2, 5, 11, -4):
        times = {"value": lambda v, n=n: v * 5 if n > 10 else v * 2 if n > 3 else v + 1}
        for name in ("i32", "i64", "fp32"):
            x = Data(name, samples.whole(name, (8,), f"early {name}"))
            for text in ("early(x_, n)", "apply(early, x_, n)"):
                expected = lambda x=x, f=times["value"]: {"out": f(x.values).astype(x.values.dtype)}
                body = [f"x_ = {load('x', (8,))}", f"r = {text}", typed("r", name), store("out", (8,), "r")]
                yield Case(
                    "control",
                    f"{text} {n} {name}",
                    body,
                    {"x": x, "n": n},
                    {"out": Result(name, (8,))},
                    expected,
                    helpers=HELPERS,
                )
    for name in ("i8", "i32", "u32", "i64", "fp32", "fp64"):
        x, y = Data(name, samples.whole(name, (8,), name + "x")), Data(name, samples.whole(name, (8,), name + "y"))
        body = [
            f"x_ = {load('x', (8,))}",
            f"y_ = {load('y', (8,))}",
            "s, d = both(x_, y_)",
            "t = (s, d)",
            "u = both(*t)",
            store("out", (8,), "u[0]"),
            store("other", (8,), "t[1]"),
        ]
        expected = lambda x=x, y=y: {
            "out": (x.values + y.values + (x.values - y.values)).astype(x.values.dtype),
            "other": (x.values - y.values).astype(x.values.dtype),
        }
        yield Case(
            "control",
            f"tuples {name}",
            body,
            {"x": x, "y": y},
            {"out": Result(name, (8,)), "other": Result(name, (8,))},
            expected,
            helpers=HELPERS,
        )
        for n in (0, 1, 3):
            body = [f"x_ = {load('x', (8,))}", store("out", (8,), f"power(x_, {n})")]
            yield Case(
                "control",
                f"recursion {n} {name}",
                body,
                {"x": x},
                {"out": Result(name, (8,))},
                lambda x=x, n=n: {"out": (x.values**n).astype(x.values.dtype)},
                helpers=HELPERS,
            )
        body = ["p = tl.program_id(0)", "tl.store(out + p, kept(tl.load(x + p), tl.load(y + p)))"]
        fused = lambda x=x, y=y: {"out": (x.values * y.values + 1).astype(x.values.dtype)}
        yield Case(
            "control",
            f"noinline {name}",
            body,
            {"x": x, "y": y},
            {"out": Result(name, (8,))},
            fused,
            grid=(8,),
            helpers=HELPERS,
        )


def conditions() -> Iterator[Case]:
    for value in (3, -2, 0, 2**40, 0.5, -0.5, True, False):
        texts = ["1 if s > 0 else 2", "(s > 0).to(tl.int32) + 1", "1 if s else 2"]
        for number, text in enumerate(texts):
            if number == 2 and isinstance(value, float):
                continue
            truth = value > 0 if number < 2 else bool(value)
            expected = 1 if truth and number != 1 else 2 if number != 1 else 1 + int(truth)
            body = [f"v = {text}", "tl.store(out, v)"]
            yield Case(
                "control",
                f"{text} with {value}",
                body,
                {"s": value},
                {"out": Result("i32", ())},
                lambda e=expected: {"out": np.array(e, np.int32)},
            )
    for value in (None, 5):
        body = ["if s is None:", "    tl.store(out, 1)", "else:", "    tl.store(out, 2)"]
        yield Case(
            "control",
            f"None {value}",
            body,
            {"s": value},
            {"out": Result("i32", ())},
            lambda v=value: {"out": np.array(1 if v is None else 2, np.int32)},
        )


def grids() -> Iterator[Case]:
    for grid in ((1,), (5,), (2, 3), (3, 1, 2), (2, 2, 2), (1, 1, 7), (1, 6)):
        full = (*grid, 1, 1)[:3]
        body = [
            "x = tl.program_id(0)",
            "y = tl.program_id(1)",
            "z = tl.program_id(2)",
            "n = (z * tl.num_programs(1) + y) * tl.num_programs(0) + x",
            "tl.store(out + n, x + 10 * y + 100 * z)",
        ]

        def reference(full=full):
            z, y, x = np.meshgrid(range(full[2]), range(full[1]), range(full[0]), indexing="ij")
            return {"out": (x + 10 * y + 100 * z).astype(np.int32).ravel()}

        yield Case(
            "control", f"grid {grid}", body, {}, {"out": Result("i32", (math.prod(full),))}, reference, grid=grid
        )
    for start, end in ((0, 16), (16, 32), (8, 16), (3, 7), (100, 101), (2**31 - 4, 2**31)):
        if end >= 2**31:
            continue
        expected = lambda s=start, e=end: {"out": np.arange(s, e, dtype=np.int32)}
        yield Case(
            "control",
            f"arange {start} {end}",
            [f"r = tl.arange({start}, {end})", typed("r", "i32"), f"tl.store(out + r - ({start}), r)"],
            {},
            {"out": Result("i32", (end - start,))},
            expected,
        )


def cases() -> Iterator[Case]:
    for each in (constants, ranges, loops, helpers, conditions, grids):
        yield from each()
