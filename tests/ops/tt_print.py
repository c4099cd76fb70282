"""tt.print: one line per element in the format of Triton 3.6's device printf, row-major, programs in order."""

import numpy as np
from support import elements, kernels, values
from support.case import Case, In

OWN = "printf's lines are not recorded: a GPU prints them in any order and once per thread that holds a copy"


def expecting(lines: list[str]):
    def check(printed: str) -> str | None:
        got = [line for line in printed.splitlines() if line.startswith("pid ")]
        if got == lines:
            return None
        at = next((i for i, (a, b) in enumerate(zip(got, lines)) if a != b), min(len(got), len(lines)))
        return f"line {at}: {got[at : at + 1]}, expected {lines[at : at + 1]}"

    return check


def indices(shape: tuple[int, ...]) -> list[str]:
    widths = [len(str(n - 1)) for n in shape]
    return [", ".join(f"{i:{w}}" for i, w in zip(index, widths)) for index in np.ndindex(*shape)]


def printed(array: np.ndarray, shape: tuple[int, ...], prefix: str, text, program: int = 0, operand: str = "") -> list[str]:
    rows = zip(indices(shape), array.ravel())
    return [f"pid ({program}, 0, 0) idx ({index}){prefix}{operand}{text(value)}" for index, value in rows]


def print_op(prefix: str, names: list[str], types: list[str], signs: list[int], is_hex: bool = False) -> str:
    signed = f", isSigned = array<i32: {', '.join(map(str, signs))}>" if names else ""
    operands = f" : {', '.join(names)} : {', '.join(types)}" if names else ""
    return f'tt.print "{prefix}" {{hex = {str(is_hex).lower()}{signed}}}{operands}'


def case(name: str, array: np.ndarray, text, is_signed: int = 0, is_hex: bool = False, shape=None, programs: int = 1) -> Case:
    shape = (array.size // programs,) if shape is None else shape
    element = elements.name_of(array.dtype)
    line = print_op(" v: ", ["%x"], [kernels.tile(element, shape)], [is_signed], is_hex)
    expected = []
    for program, part in enumerate(array.reshape(programs, -1)):
        expected += printed(part, shape, " v: ", text, program)
    module = kernels.text([line], {"x": element}, {}, shape)
    return Case(name, module, [In(array)], (programs, 1, 1), output=expecting(expected), gpu=OWN)


def float_text(value) -> str:
    return f"{float(value):f}"


def hexadecimal(width: int, least: int = 32):
    """Signed integers narrower than an int are extended to one, as printf's arguments are."""

    def text(value) -> str:
        bits = int(value) & ((1 << max(least, width)) - 1)
        return f"0x{bits:0{width // 4}x}"

    return text


def cases():
    some = np.array([0.0, -0.0, 1.5, -2.25, 1e-7, 123456.789, np.inf, -np.inf], np.float64)
    for element in ("f16", "bf16", "f32", "f64"):
        yield case(element, some.astype(elements.DTYPE[element]), float_text)
    yield case("nan", np.array([np.nan], np.float32), lambda _: "nan")
    for element in ("i8", "i16", "i32", "i64"):
        numbers = values.integers(element, 32)
        width = elements.width(element)
        yield case(f"{element} signed", numbers, lambda v: str(int(v)), 1)
        yield case(f"{element} unsigned", numbers, lambda v, w=width: str(int(v) & ((1 << w) - 1)), 0)
        yield case(f"{element} hex signed", numbers, hexadecimal(width), 1, True)
        yield case(f"{element} hex unsigned", numbers, hexadecimal(width, width) if width < 32 else hexadecimal(width), 0, True)
    yield case("i1", np.arange(8) % 3 == 0, lambda v: str(int(v)))
    for element in ("f8E4M3FN", "f8E5M2"):
        codes = values.all_bits(element)[::4]
        yield case(element, codes, lambda v: str(int(elements.bits(np.array([v]))[0])))
    numbers = values.integers("i32", 128, 3)
    for shape in [(128,), (8, 16), (2, 4, 16), (128, 1), (1, 128)]:
        yield case(f"shape {'x'.join(map(str, shape))}", numbers, lambda v: str(int(v)), 1, shape=shape)
    yield case("four programs", numbers, lambda v: str(int(v)), 1, programs=4)
    yield case("scalars", numbers[:4], lambda v: str(int(v)), 1, shape=(), programs=4)
    x, y = values.integers("i32", 16), values.moderate_floats("f32", 16, 1)
    types = [kernels.tile("i32", (16,)), kernels.tile("f32", (16,))]
    line = print_op(" two: ", ["%x", "%y"], types, [1, 0])
    expected = printed(x, (16,), " two: ", lambda v: str(int(v)), 0, "(operand 0) ")
    expected += printed(y, (16,), " two: ", float_text, 0, "(operand 1) ")
    module = kernels.text([line], {"x": "i32", "y": "f32"}, {}, (16,))
    yield Case("two operands", module, [In(x), In(y)], output=expecting(expected), gpu=OWN)
    module = kernels.text([print_op(" here", [], [], [])], {"x": "i32"}, {}, (16,))
    yield Case("no operand", module, [In(x)], output=expecting(["pid (0, 0, 0) here"]), gpu=OWN)
    module = kernels.text([print_op(" 100%d: ", ["%x"], types[:1], [1])], {"x": "i32"}, {}, (16,))
    expected = printed(x, (16,), " 100%d: ", lambda v: str(int(v)))
    yield Case("a per cent sign", module, [In(x)], output=expecting(expected), gpu=OWN)
    lines = ["%null = arith.constant 0 : i64", "%p = tt.int_to_ptr %null : i64 -> !tt.ptr<i32>", print_op(" p: ", ["%p"], ["!tt.ptr<i32>"], [0])]
    module = kernels.text(lines, {"x": "i32"}, {}, (16,))
    yield Case("null pointer", module, [In(x)], output=expecting(["pid (0, 0, 0) idx () p: (nil)"]), gpu=OWN)
