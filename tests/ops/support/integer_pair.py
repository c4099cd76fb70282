"""Cases of the integer ops with two results (halves of a product, a sum and its carry) in i1 to i64."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from support import elements, integer_binary, kernels, references
from support.case import Case


def case(name: str, op: str, element: str, function: Callable, is_signed: bool, second: str | None, shape=None, **options) -> Case:
    """`function(a, b, width)` gives two Python integers; `second`: the type of the second result, else the first's."""
    a, b = integer_binary.operands(element, 256 if shape is not None else integer_binary.COUNT)
    a, b = (a[:64], b[:64]) if shape == () else (a, b)
    width, types = elements.width(element), (element, second or element)
    tail = f"TILE({element})" + (f", TILE({second})" if second else "")

    def reference(x, y):
        read = references.signed if is_signed else references.unsigned
        both = [function(p, q, width) for p, q in zip(read(x), read(y))]
        return [references.wrapped([pair[i] for pair in both], types[i]) for i in range(2)]

    line = f"%r, %s = {op} %a, %b : {tail}"
    return kernels.elementwise(name, line, {"a": a, "b": b}, {"r": types[0], "s": types[1]}, reference, shape, **options)


def cases(op: str, function: Callable, is_signed: bool, second: str | None = None, **options) -> Iterator[Case]:
    for element in elements.INTEGERS:
        yield case(element, op, element, function, is_signed, second, **options)
    for label, shape in integer_binary.SHAPES.items():
        yield case(f"i32_{label}", op, "i32", function, is_signed, second, shape, **options)
