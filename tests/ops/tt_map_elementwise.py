"""tt.map_elementwise: a region per element or pack, straight-line, with scf and with several blocks."""

import numpy as np
from support import kernels, values
from support.asm import by_thread
from support.case import Exact

COUNT = 512


def op(operands: list[tuple[str, str]], results: list[str], body: list[str], pack: int = 1) -> list[str]:
    """`body` has the arguments %a0, %a1, ... (pack of each operand in turn) and returns."""
    arguments = ", ".join(f"%a{i}: {operands[i // pack][1]}" for i in range(pack * len(operands)))
    types = ", ".join(f"TILE({element})" for _, element in operands)
    made = ", ".join(f"TILE({r})" for r in results)
    head = f'%made{f":{len(results)}" if len(results) > 1 else ""} = "tt.map_elementwise"({", ".join(n for n, _ in operands)}) <{{pack = {pack} : i32}}> ({{'
    tail = f"}}) : ({types}) -> {f'({made})' if len(results) > 1 else made}"
    lines = [head, f"^bb0({arguments}):", *body, tail]
    for i, result in enumerate(results):
        source = f"%made#{i}" if len(results) > 1 else "%made"
        lines.append(f"%out{i} = tt.bitcast {source} : TILE({result}) -> TILE({result})")
    return lines


def case(name, body, inputs, results, reference, pack=1, shape=None, before=(), **options):
    operands = [(f"%in{i}", _name(array)) for i, array in enumerate(inputs)]
    arrays = {f"in{i}": array for i, array in enumerate(inputs)}
    lines = [*before, *op(operands, results, body, pack)]
    outputs = {f"out{i}": result for i, result in enumerate(results)}
    return kernels.elementwise(name, lines, arrays, outputs, reference, shape, bound=Exact(), **options)


def _name(array):
    from support import elements

    return elements.name_of(array.dtype)


def integers(seed, element="i32"):
    return values.integers(element, COUNT, seed)


COLLATZ = [
    "%zero = arith.constant 0 : i32",
    "%one = arith.constant 1 : i32",
    "%two = arith.constant 2 : i32",
    "%three = arith.constant 3 : i32",
    "%n:2 = scf.while (%v = %a0, %c = %zero) : (i32, i32) -> (i32, i32) {",
    "  %more = arith.cmpi sgt, %v, %one : i32",
    "  scf.condition(%more) %v, %c : i32, i32",
    "} do {",
    "^bb0(%v: i32, %c: i32):",
    "  %rest = arith.remsi %v, %two : i32",
    "  %even = arith.cmpi eq, %rest, %zero : i32",
    "  %next = scf.if %even -> (i32) {",
    "    %half = arith.divsi %v, %two : i32",
    "    scf.yield %half : i32",
    "  } else {",
    "    %triple = arith.muli %v, %three : i32",
    "    %up = arith.addi %triple, %one : i32",
    "    scf.yield %up : i32",
    "  }",
    "  %counted = arith.addi %c, %one : i32",
    "  scf.yield %next, %counted : i32, i32",
    "}",
    "tt.map_elementwise.return %n#1 : i32",
]


def collatz(x):
    def steps(v):
        n = 0
        while v > 1:
            v, n = (v // 2 if v % 2 == 0 else 3 * v + 1), n + 1
        return n

    return np.array([steps(int(v)) for v in x], np.int32)


EARLY = [
    "%limit = arith.constant -5 : i32",
    "%two = arith.constant 2 : i32",
    "%above = arith.cmpi sgt, %a0, %a1 : i32",
    "cf.cond_br %above, ^bb1, ^bb2",
    "^bb1:",
    "%difference = arith.subi %a0, %a1 : i32",
    "cf.br ^bb4(%difference, %a0 : i32, i32)",
    "^bb2:",
    "%low = arith.cmpi slt, %a0, %limit : i32",
    "cf.cond_br %low, ^bb4(%a1, %a0 : i32, i32), ^bb3",
    "^bb3:",
    "%double = arith.muli %a1, %two : i32",
    "cf.br ^bb4(%a0, %double : i32, i32)",
    "^bb4(%x: i32, %y: i32):",
    "tt.map_elementwise.return %x, %y : i32, i32",
]


def early(a, b):
    return [np.where(a > b, a - b, np.where(a < -5, b, a)), np.where(a > b, a, np.where(a < -5, a, b * 2))]


CLAMPED = [
    "%zero = arith.constant 0.0 : f32",
    "%one = arith.constant 1.0 : f32",
    "%negative = arith.cmpf olt, %a0, %zero : f32",
    "%made = scf.if %negative -> (f32) {",
    "  scf.yield %zero : f32",
    "} else {",
    "  %large = arith.cmpf ogt, %a0, %one : f32",
    "  %inner = scf.if %large -> (f32) {",
    "    scf.yield %one : f32",
    "  } else {",
    "    %square = arith.mulf %a0, %a0 : f32",
    "    scf.yield %square : f32",
    "  }",
    "  scf.yield %inner : f32",
    "}",
    "tt.map_elementwise.return %made : f32",
]


def clamped(x):
    with np.errstate(all="ignore"):
        return np.where(x < 0, np.float32(0), np.where(x > 1, np.float32(1), x * x))


FACTORIAL = [
    "%one = arith.constant 1 : i32",
    "%last = arith.addi %a0, %one : i32",
    "%result = scf.for %i = %one to %last step %one iter_args(%p = %one) -> (i32) : i32 {",
    "  %next = arith.muli %p, %i : i32",
    "  scf.yield %next : i32",
    "}",
    "tt.map_elementwise.return %result : i32",
]


def factorial(x):
    result = np.ones(x.size, np.uint32)
    for i in range(1, 13):
        result = np.where(x >= i, result * np.uint32(i), result)
    return result.view(np.int32)


TWO_OF_TWO = [
    "%s = arith.addi %a0, %a3 : i32",
    "%p = arith.muli %a1, %a2 : i32",
    "%d = arith.subi %a0, %a1 : i32",
    "tt.map_elementwise.return %s, %p, %d, %a2 : i32, i32, i32, i32",
]


def two_of_two(a, b):
    x, y = a.reshape(-1, 2), b.reshape(-1, 2)
    return [np.stack([x[:, 0] + y[:, 1], x[:, 1] * y[:, 0]], 1).ravel(), np.stack([x[:, 0] - x[:, 1], y[:, 0]], 1).ravel()]


LARGER_FIRST = [
    "%swap = arith.cmpi slt, %a0, %a1 : i32",
    "cf.cond_br %swap, ^bb1(%a1, %a0 : i32, i32), ^bb1(%a0, %a1 : i32, i32)",
    "^bb1(%x: i32, %y: i32):",
    "tt.map_elementwise.return %x, %y : i32, i32",
]


def larger_first(a):
    x = a.reshape(-1, 2)
    return np.stack([x.max(1), x.min(1)], 1).ravel()


def mixed_types():
    """Element types in and out differ, and an outside value is used."""
    before = ["%scale = arith.constant 3.0 : f32"]
    body = [
        "%wide = arith.extf %a1 : f16 to f32",
        "%product = arith.mulf %wide, %scale : f32",
        "%long = arith.extsi %a0 : i8 to i64",
        "%positive = arith.cmpf ogt, %product, %scale : f32",
        "tt.map_elementwise.return %product, %long, %positive : f32, i64, i1",
    ]
    bytes_, halves = integers(1, "i8"), values.floats("f16", COUNT, 2)

    def reference(a, b):
        with np.errstate(all="ignore"):
            product = b.astype(np.float32) * np.float32(3)
            return [product, a.astype(np.int64), product > 3]

    return case("mixed types", body, [bytes_, halves], ["f32", "i64", "i1"], reference, before=before)


def cases():
    small = (values.random_bits(COUNT, 5) % np.uint64(300)).astype(np.int32) - 20
    yield case("scf.while", COLLATZ, [small], ["i32"], collatz)
    yield case("several blocks", EARLY, [small, small[::-1].copy()], ["i32", "i32"], early)
    yield case("scf.if", CLAMPED, [values.floats("f32", COUNT)], ["f32"], clamped)
    yield case("scf.for", FACTORIAL, [small % 13], ["i32"], factorial)
    yield case("pack 2", TWO_OF_TWO, [integers(1), integers(2)], ["i32", "i32"], two_of_two, 2, gpu_bound=by_thread(two_of_two))
    yield case("pack 2 with blocks", LARGER_FIRST, [integers(3)], ["i32"], larger_first, 2, gpu_bound=by_thread(larger_first))
    yield mixed_types()
    swap = ["tt.map_elementwise.return %a1, %a0 : i32, i32"]
    yield case("arguments returned", swap, [integers(4), integers(5)], ["i32", "i32"], lambda a, b: [b, a])
    yield case("2d", CLAMPED, [values.floats("f32", COUNT, 7)], ["f32"], clamped, shape=(8, 32))
    yield case("3d, blocks", EARLY, [small, small[::-1].copy()], ["i32", "i32"], early, shape=(2, 4, 16))
    double = ["%twice = arith.addi %a0, %a0 : i32", "tt.map_elementwise.return %twice : i32"]
    before = ["%formula = arith.addi %range, %range : TILE(i32)"]
    lines = [*before, *op([("%formula", "i32")], ["i32"], double)]
    reference = lambda x: np.tile(np.arange(64, dtype=np.int32) * 4, x.size // 64)  # noqa: E731
    yield kernels.elementwise("a formula", lines, {"in0": integers(6)}, {"out0": "i32"}, reference, (64,), bound=Exact())
